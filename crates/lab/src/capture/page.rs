//! A page that was taken down, written out again as one file: shadow roots as templates, frames as `srcdoc`, styles in their place.

use html5ever::serialize::{Serialize, SerializeOpts, Serializer, TraversalScope, serialize};
use html5ever::{LocalName, Namespace, QualName, ns};

use crate::driver::{Resource, Still, StillDocument, StillElement, StillNode, StillShadow};

use super::Options;
use super::address::{elsewhere, placeholder, style};
use super::scrub::Scrubber;

/// What was written, and what was not.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Elements.
    pub elements: usize,
    /// Frames with their documents.
    pub frames: usize,
    /// Shadow roots.
    pub shadow_roots: usize,
    /// Style sheets.
    pub styles: usize,
    /// Drawings of `<canvas>`, which stand behind it.
    pub drawings: usize,
    /// What was left out, in words.
    pub left_out: Vec<String>,
}

/// Attributes that are never kept: they load, send, or are checked against what has changed.
const DROPPED: [&str; 19] = [
    "src",
    "srcset",
    "sizes",
    "srcdoc",
    "data",
    "poster",
    "action",
    "formaction",
    "background",
    "integrity",
    "nonce",
    "crossorigin",
    "ping",
    "manifest",
    "loading",
    "csp",
    "imagesrcset",
    "archive",
    "codebase",
];
/// Attributes with words for people.
const WORDS: [&str; 9] =
    ["title", "alt", "placeholder", "label", "summary", "aria-label", "aria-description", "aria-valuetext", "aria-roledescription"];
/// Attributes with measures and forms, whose digits are nobody's secret.
const MEASURES: [&str; 22] = [
    "class",
    "style",
    "d",
    "points",
    "transform",
    "viewbox",
    "width",
    "height",
    "x",
    "y",
    "cx",
    "cy",
    "r",
    "min",
    "max",
    "step",
    "pattern",
    "datetime",
    "media",
    "type",
    "role",
    "stroke-dasharray",
];
/// Elements that are left out with all that is in them.
const LEFT_OUT: [&str; 9] = ["noscript", "base", "source", "track", "applet", "object", "embed", "portal", "frameset"];

/// Writes the page out.
///
/// # Errors
/// When the writer fails; memory does not.
pub(super) fn write(still: &Still, options: Options, scrubber: &mut Scrubber) -> std::io::Result<(String, Tally)> {
    let mut writer = Writer { still, options, scrubber, tally: Tally::default(), open: Vec::new() };
    let html = writer.document(&still.top)?;
    let mut tally = writer.tally;
    tally.left_out.extend(still.unread.iter().map(|why| format!("a frame that could not be read ({why})")));
    tally.left_out.sort();
    tally.left_out.dedup();
    Ok((html, tally))
}

struct Writer<'a> {
    still: &'a Still,
    options: Options,
    scrubber: &'a mut Scrubber,
    tally: Tally,
    /// The frames whose documents are being written, so that none stands in itself.
    open: Vec<String>,
}

/// A piece of a document, in the order it is written.
enum Piece {
    Doctype,
    Start(QualName, Vec<(QualName, String)>),
    Text(String),
    End(QualName),
}

struct Pieces(Vec<Piece>);

impl Serialize for Pieces {
    fn serialize<S: Serializer>(&self, serializer: &mut S, _: TraversalScope) -> std::io::Result<()> {
        for piece in &self.0 {
            match piece {
                Piece::Doctype => serializer.write_doctype("html")?,
                Piece::Start(name, attributes) => {
                    serializer.start_elem(name.clone(), attributes.iter().map(|(name, value)| (name, value.as_str())))?;
                }
                Piece::Text(text) => serializer.write_text(text)?,
                Piece::End(name) => serializer.end_elem(name.clone())?,
            }
        }
        Ok(())
    }
}

/// What is still to be written of a document.
enum Work {
    Node(usize),
    Styles(Vec<String>),
    End(QualName),
}

impl Writer<'_> {
    fn document(&mut self, frame: &str) -> std::io::Result<String> {
        let still = self.still;
        let Some(document) = still.documents.get(frame) else { return Ok(String::new()) };
        let Some(root) = document.root else { return Ok(String::new()) };
        self.open.push(frame.to_owned());
        let mut pieces = Vec::new();
        if !document.quirks {
            pieces.push(Piece::Doctype);
        }
        // A stack, not a recursion: a page can be as deep as it likes.
        let mut work = vec![Work::Node(root)];
        while let Some(next) = work.pop() {
            match next {
                Work::End(name) => pieces.push(Piece::End(name)),
                Work::Styles(styles) => styles.iter().for_each(|text| self.style(text, None, &mut pieces)),
                Work::Node(at) => match document.nodes.get(at) {
                    Some(StillNode::Text(text)) => pieces.push(Piece::Text(self.scrubber.text(text))),
                    Some(StillNode::Typed(text)) => pieces.push(Piece::Text(self.scrubber.whole(text))),
                    Some(StillNode::Element(element)) => self.element(document, element, &mut pieces, &mut work)?,
                    None => {}
                },
            }
        }
        self.open.pop();
        let mut html = Vec::new();
        let options = SerializeOpts { traversal_scope: TraversalScope::IncludeNode, ..SerializeOpts::default() };
        serialize(&mut html, &Pieces(pieces), options)?;
        String::from_utf8(html).map_err(std::io::Error::other)
    }

    fn element(
        &mut self,
        document: &StillDocument,
        element: &StillElement,
        pieces: &mut Vec<Piece>,
        work: &mut Vec<Work>,
    ) -> std::io::Result<()> {
        let tag = element.tag.as_str();
        let is_html = element.space == "html";
        if is_html && LEFT_OUT.contains(&tag) {
            // What stands in for a script that runs, or is only there for another address, is missed by nobody.
            if matches!(tag, "object" | "embed" | "applet" | "portal" | "frameset") {
                self.tally.left_out.push(format!("<{tag}>"));
            }
            return Ok(());
        }
        if is_html && let Some(sheet) = &element.sheet {
            let text = match (&sheet.text, &sheet.address) {
                (Some(text), _) => Some(text.clone()),
                (None, Some(address)) => self.still.resources.get(address).map(|found| String::from_utf8_lossy(&found.data).into_owned()),
                (None, None) => None,
            };
            match text {
                Some(text) => self.style(&text, attribute(element, "media"), pieces),
                None => self.tally.left_out.push("a style sheet of another origin".into()),
            }
            return Ok(());
        }
        match tag {
            // One that does not apply.
            "style" | "link" if is_html => return Ok(()),
            "meta" if is_html && !is_plain_meta(element) => return Ok(()),
            "script" => {
                if self.options.keep_scripts {
                    self.script(document, element, pieces);
                }
                return Ok(());
            }
            _ => {}
        }
        self.tally.elements += 1;
        let name = QualName::new(None, space(&element.space), LocalName::from(tag));
        let mut attributes = self.attributes(element);
        let mut children = element.children.clone();
        let mut text = None;
        if let Some(value) = &element.value
            && tag == "textarea"
        {
            children.clear();
            // A parser takes a first line break away.
            text = Some(format!("\n{}", self.scrubber.whole(value)));
        }
        if tag == "iframe" && is_html {
            children.clear();
            attributes.push((attribute_name("srcdoc"), self.frame(element)?));
        }
        if tag == "pre" && is_html {
            text = Some(String::from("\n"));
        }
        pieces.push(Piece::Start(name.clone(), attributes));
        if tag == "head" && is_html {
            self.head(document, pieces);
        }
        work.push(Work::End(name));
        if tag == "head" && is_html {
            work.push(Work::Styles(document.adopted.clone()));
        }
        work.extend(children.into_iter().rev().map(Work::Node));
        if let Some(shadow) = &element.shadow {
            // Before the children: a parser attaches it to the element that is open.
            self.tally.shadow_roots += 1;
            let template = QualName::new(None, ns!(html), LocalName::from("template"));
            pieces.push(Piece::Start(template.clone(), shadow_attributes(shadow)));
            work.push(Work::End(template));
            work.push(Work::Styles(shadow.adopted.clone()));
            work.extend(shadow.children.iter().rev().map(|child| Work::Node(*child)));
        }
        pieces.extend(text.map(Piece::Text));
        Ok(())
    }

    /// What every document begins with: the policy that lets nothing out, and its witness.
    fn head(&self, document: &StillDocument, pieces: &mut Vec<Piece>) {
        let is_top = self.open.len() == 1;
        let scripts = if self.options.keep_scripts { " 'unsafe-inline' 'unsafe-eval'" } else { "" };
        let policy = format!(
            "default-src 'none'; script-src 'self'{scripts}; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; frame-src 'self'; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; form-action 'self'; base-uri 'none'"
        );
        let journal = if is_top { "/journal.js" } else { "/journal.js?run={{run}}" };
        let mut put = |tag: &str, attributes: &[(&str, &str)]| {
            let name = QualName::new(None, ns!(html), LocalName::from(tag));
            let attributes = attributes.iter().map(|(name, value)| (attribute_name(name), (*value).to_owned())).collect();
            pieces.extend([Piece::Start(name.clone(), attributes), Piece::End(name), Piece::Text("\n".into())]);
        };
        put("meta", &[("charset", "utf-8")]);
        if is_top {
            put("meta", &[("http-equiv", "Content-Security-Policy"), ("content", policy.as_str())]);
        }
        put("script", &[("src", journal)]);
        // A page without a title is none to a validator.
        if document.title.is_empty() && is_top {
            let title = QualName::new(None, ns!(html), LocalName::from("title"));
            pieces.extend([Piece::Start(title.clone(), Vec::new()), Piece::Text("Captured page".into()), Piece::End(title)]);
        }
    }

    fn style(&mut self, text: &str, media: Option<&str>, pieces: &mut Vec<Piece>) {
        self.tally.styles += 1;
        let name = QualName::new(None, ns!(html), LocalName::from("style"));
        let media = media.map(|media| (attribute_name("media"), media.to_owned()));
        let text = self.scrubber.code(&style(text));
        pieces.extend([Piece::Start(name.clone(), media.into_iter().collect()), Piece::Text(text), Piece::End(name)]);
    }

    fn script(&mut self, document: &StillDocument, element: &StillElement, pieces: &mut Vec<Piece>) {
        let source = match element.script.as_deref() {
            Some("") | None => {
                let texts = element.children.iter().filter_map(|at| match document.nodes.get(*at) {
                    Some(StillNode::Text(text) | StillNode::Typed(text)) => Some(text.as_str()),
                    _ => None,
                });
                texts.collect::<String>()
            }
            Some(address) => match self.still.resources.get(address) {
                Some(found) => String::from_utf8_lossy(&found.data).into_owned(),
                None => return self.tally.left_out.push("a script that the browser holds no more".into()),
            },
        };
        let kind = attribute(element, "type").map(|kind| (attribute_name("type"), kind.to_owned()));
        let text = elsewhere(&self.scrubber.secrets(&source)).replace("</script", "<\\/script").replace("<!--", "<\\!--");
        let name = QualName::new(None, ns!(html), LocalName::from("script"));
        pieces.extend([Piece::Start(name.clone(), kind.into_iter().collect()), Piece::Text(text), Piece::End(name)]);
    }

    fn frame(&mut self, element: &StillElement) -> std::io::Result<String> {
        let Some(frame) = element.frame.clone().filter(|frame| !self.open.contains(frame)) else { return Ok(String::new()) };
        if !self.still.documents.contains_key(&frame) {
            self.tally.left_out.push("a frame whose document could not be read".into());
            return Ok(String::new());
        }
        self.tally.frames += 1;
        self.document(&frame)
    }

    fn attributes(&mut self, element: &StillElement) -> Vec<(QualName, String)> {
        let mut kept = Vec::new();
        let is_html = element.space == "html";
        let tag = element.tag.as_str();
        for (name, value) in &element.attributes {
            let plain = name.to_ascii_lowercase();
            let state = matches!(plain.as_str(), "value" if element.value.is_some())
                || matches!(plain.as_str(), "checked" | "selected" if element.chosen.is_some());
            let handler = plain.starts_with("on");
            if state || DROPPED.contains(&plain.as_str()) || (handler && !self.options.keep_scripts) || name.starts_with("xmlns") {
                continue;
            }
            // A template that is no shadow root yet must not become one.
            if plain.starts_with("shadowroot") || (plain == "is" && value.is_empty()) {
                continue;
            }
            let value = match plain.as_str() {
                "href" | "xlink:href" => match value.starts_with('#') {
                    true => self.scrubber.secrets(value),
                    // Its place as a link stays, where it led to does not.
                    false if is_html || tag == "a" => "#".to_owned(),
                    false => continue,
                },
                _ if handler => elsewhere(&self.scrubber.secrets(value)),
                "style" => self.scrubber.code(&style(value)),
                word if WORDS.contains(&word) || word.starts_with("data-") => elsewhere(&self.scrubber.text(value)),
                measure if MEASURES.contains(&measure) => self.scrubber.code(value),
                "value" if is_button(element) => self.scrubber.text(value),
                _ if !is_html => self.scrubber.code(&elsewhere(value)),
                _ => elsewhere(&self.scrubber.secrets(value)),
            };
            kept.push((attribute_name(name), value));
        }
        if tag == "input"
            && let Some(value) = &element.value
        {
            let value = self.value(element, value);
            kept.push((attribute_name("value"), value));
        }
        if element.chosen == Some(true) {
            let name = if tag == "option" { "selected" } else { "checked" };
            kept.push((attribute_name(name), String::new()));
        }
        if let Some(picture) = &element.picture {
            match tag {
                "img" => kept.push((attribute_name("src"), self.picture(picture.width, picture.height, &picture.address))),
                "canvas" => {
                    let drawing = self.picture(picture.width, picture.height, &picture.address);
                    self.tally.drawings += 1;
                    draw(&mut kept, &drawing);
                }
                _ => {
                    for (name, size) in [("width", picture.width), ("height", picture.height)] {
                        if attribute(element, name).is_none() {
                            kept.push((attribute_name(name), size.to_string()));
                        }
                    }
                }
            }
        }
        if tag == "input" && attribute(element, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("image")) {
            kept.push((attribute_name("src"), placeholder(24, 24)));
        }
        kept
    }

    /// What a field holds, as the same kind of value: of some kinds only certain texts are one.
    fn value(&mut self, element: &StillElement, value: &str) -> String {
        let kind = attribute(element, "type").unwrap_or_default().to_ascii_lowercase();
        match kind.as_str() {
            _ if value.is_empty() => String::new(),
            "button" | "submit" | "reset" => self.scrubber.text(value),
            "checkbox" | "radio" => self.scrubber.secrets(value),
            "range" | "color" => value.to_owned(),
            "date" => "2001-02-03".into(),
            "month" => "2001-02".into(),
            "week" => "2001-W05".into(),
            "time" => "04:05".into(),
            "datetime-local" => "2001-02-03T04:05".into(),
            // A number must not begin with a zero that it did not have.
            "number" => self.scrubber.whole(value).replacen('0', "1", usize::from(!value.starts_with('0'))),
            _ => self.scrubber.whole(value),
        }
    }

    fn picture(&mut self, width: u32, height: u32, address: &str) -> String {
        if self.options.images {
            if address.starts_with("data:") {
                return address.to_owned();
            }
            if let Some(Resource { mime, data }) = self.still.resources.get(address) {
                use base64::Engine as _;
                return format!("data:{mime};base64,{}", base64::engine::general_purpose::STANDARD.encode(data));
            }
            let why =
                if address.is_empty() { "a drawing that the browser gives to nobody" } else { "a picture that the browser holds no more" };
            self.tally.left_out.push(why.into());
        }
        placeholder(width.max(1), height.max(1))
    }
}

/// Puts a drawing behind an element that no script draws on any more, stretched as its own would be.
fn draw(attributes: &mut Vec<(QualName, String)>, drawing: &str) {
    let behind = format!("background: url(\"{drawing}\") 0 0 / 100% 100% no-repeat content-box");
    match attributes.iter_mut().find(|(name, _)| &*name.local == "style") {
        Some((_, own)) => *own = format!("{}; {behind}", own.trim_end().trim_end_matches(';')),
        None => attributes.push((attribute_name("style"), behind)),
    }
}

fn attribute<'a>(element: &'a StillElement, name: &str) -> Option<&'a str> {
    element.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
}

fn attribute_name(name: &str) -> QualName {
    QualName::new(None, ns!(), LocalName::from(name))
}

fn space(word: &str) -> Namespace {
    match word {
        "svg" => ns!(svg),
        "math" => ns!(mathml),
        _ => ns!(html),
    }
}

fn shadow_attributes(shadow: &StillShadow) -> Vec<(QualName, String)> {
    let mode = if shadow.closed { "closed" } else { "open" };
    let mut attributes = vec![(attribute_name("shadowrootmode"), mode.to_owned())];
    if shadow.delegates_focus {
        attributes.push((attribute_name("shadowrootdelegatesfocus"), String::new()));
    }
    attributes
}

/// Buttons say their value to people; it is nothing anybody typed.
fn is_button(element: &StillElement) -> bool {
    element.tag == "button"
}

fn is_plain_meta(element: &StillElement) -> bool {
    attribute(element, "name").is_some_and(|name| matches!(name, "viewport" | "color-scheme" | "theme-color"))
}
