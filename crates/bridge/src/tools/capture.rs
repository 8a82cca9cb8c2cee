//! `screenshot`.

use async_trait::async_trait;
use base64::Engine as _;
use protocol::{CaptureScreenshot, ErrorCode, Format};
use schemars::JsonSchema;
use serde::Deserialize;

use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Block, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::render;

/// Longest side of a picture: beyond it models scale down themselves, or refuse.
const MAX_SIDE: u32 = 1568;
/// Largest picture, in KB; the extension keeps to it.
const MAX_KB: u32 = 1500;
/// Default JPEG quality.
const QUALITY: u32 = 70;

/// Arguments of `screenshot`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScreenshotParams {
    /// Default: current. It need not be in front.
    tab: Option<u32>,
    /// jpeg (default) or png.
    format: Option<Picture>,
    /// JPEG quality from 1 to 100; default 70.
    quality: Option<u32>,
    /// Only this element, scrolled into view.
    target: Option<TargetParam>,
    /// The whole page, scaled down to fit.
    #[serde(default)]
    full: bool,
    /// Draw the refs on it.
    #[serde(default)]
    refs: bool,
}

/// Formats, as agents write them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Picture {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
}

/// See its description.
pub(super) struct Screenshot;

#[async_trait]
impl Tool for Screenshot {
    const NAME: &'static str = "screenshot";
    const DESCRIPTION: &'static str = "Picture the viewport, an element or the whole page, also in the background. Secret fields are painted over. Prefer snapshot: cheaper.";
    const GROUP: Group = Group::Capture;
    const ACCESS: Access = Access::Reads;
    type Params = ScreenshotParams;

    async fn call(context: &Context, params: ScreenshotParams) -> Result<Reply, ToolError> {
        let quality = params.quality.unwrap_or(QUALITY);
        if !(1..=100).contains(&quality) {
            return Err(ToolError::new(ErrorCode::InvalidArgument, "quality goes from 1 to 100"));
        }
        let format = match params.format {
            Some(Picture::Png) if params.quality.is_some() => {
                return Err(ToolError::new(ErrorCode::InvalidArgument, "quality goes with jpeg only"));
            }
            Some(Picture::Png) => Format::Png,
            Some(Picture::Jpeg) | None => Format::Jpeg,
        };
        if params.full && params.target.is_some() {
            return Err(ToolError::new(ErrorCode::InvalidArgument, "full and target name two pictures").with_next("Give one of them"));
        }
        let target = params.target.map(|target| target.resolve()).transpose()?.map(|(target, _)| target);
        let part = if params.full {
            "whole page · "
        } else if target.is_some() {
            "one element · "
        } else {
            ""
        };
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let ask = CaptureScreenshot { tab, format, quality, max_side: MAX_SIDE, target, full: params.full, refs: params.refs };
        let result = match context.desk.browser.call(ask, &context.cancel).await {
            Ok(protocol::Screenshot { refusal: Some(refusal), .. }) => Err(render::refusal(&refusal)),
            Ok(shot) => {
                let bytes = base64::engine::general_purpose::STANDARD.decode(&shot.data).map_or(0, |bytes| bytes.len());
                let how = if format == Format::Jpeg { format!("jpeg quality {quality}") } else { "png".to_owned() };
                let hidden = if shot.hidden { " · the tab is in the background" } else { "" };
                let masked = counted(shot.masked, "secret field painted over", "secret fields painted over");
                let marked = if params.refs { counted(shot.marked, "ref drawn", "refs drawn") } else { String::new() };
                let text = format!(
                    "tab {tab} · {part}{}×{} px · scale {:.2} · {how} · {} KB · at most {MAX_SIDE} px a side and {MAX_KB} KB{masked}{marked}{hidden}",
                    shot.width,
                    shot.height,
                    shot.scale,
                    bytes.div_ceil(1024)
                );
                let mut reply = Reply::text(text);
                reply.blocks.push(Block::Image { data: shot.data, mime: shot.mime });
                Ok(reply)
            }
            Err(error) => Err(error.into()),
        };
        Ok(call.settle(result).await)
    }
}

/// ` · 2 refs drawn`; nothing for none.
fn counted(count: u32, one: &str, several: &str) -> String {
    match count {
        0 => String::new(),
        1 => format!(" · 1 {one}"),
        _ => format!(" · {count} {several}"),
    }
}
