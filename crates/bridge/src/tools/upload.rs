//! `upload`: files of the allowed folders for a page.

use async_trait::async_trait;
use protocol::{ErrorCode, FormUpload};
use schemars::JsonSchema;
use serde::Deserialize;

use super::act::{Action, Activates, Carried, Way, carry_out};
use super::expect::{ExpectParam, checked};
use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::{Asked, Holding};

/// Most files of one call.
const MOST: usize = 50;

/// Arguments of `upload`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UploadParams {
    /// File input (also a hidden one), its label, the button that opens the chooser, or a drop zone.
    target: TargetParam,
    /// Files below the allowed folders.
    paths: Vec<String>,
    /// See click.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Upload;

#[async_trait]
impl Tool for Upload {
    const NAME: &'static str = "upload";
    const DESCRIPTION: &'static str = "Give files to a page. The names are read back from the input or from what the page says.";
    const GROUP: Group = Group::Form;
    const ACCESS: Access = Access::Acts;
    type Params = UploadParams;

    async fn call(context: &Context, params: UploadParams) -> Result<Reply, ToolError> {
        let (target, object) = params.target.resolve()?;
        if params.paths.is_empty() || params.paths.len() > MOST {
            return Err(ToolError::new(ErrorCode::InvalidArgument, format!("upload takes 1 to {MOST} paths, not {}", params.paths.len())));
        }
        let mut paths = Vec::with_capacity(params.paths.len());
        let mut sizes = Vec::with_capacity(params.paths.len());
        for named in &params.paths {
            let file = context.desk.files.readable(named)?;
            if paths.contains(&file.path) {
                return Err(ToolError::new(ErrorCode::InvalidArgument, format!("{} is given twice", crate::render::quote(named))));
            }
            sizes.push(format!("{} ({} bytes)", crate::render::quote(&file.name), file.bytes));
            paths.push(file.path);
        }
        let tab = own_tab(context, params.tab)?;
        let expect = checked(params.expect)?;
        let mut call = TabCall::begin(context, tab).await;
        call.expect = expect;
        let asked = Asked::Held(Holding::Files);
        let action = Action {
            tab,
            target: Some(target.clone()),
            asked,
            verb: "upload to".into(),
            object,
            way: Way::OnlyReal,
            activates: Activates::Nothing,
        };
        let carried = carry_out(context, &mut call, &action, &|_, watch| {
            let command = FormUpload { tab, target: target.clone(), paths: paths.clone(), watch };
            Box::pin(async move { context.desk.browser.call(command, &context.cancel).await })
        })
        .await;
        let result = match carried {
            Ok(Carried::Acted(mut acted)) => {
                acted.notes.push(format!("files: {}", sizes.join(", ")));
                Ok(acted.reply(context, tab).await)
            }
            Ok(Carried::Said(reply)) => Ok(reply),
            Err(error) => Err(error),
        };
        Ok(call.settle(result).await)
    }
}
