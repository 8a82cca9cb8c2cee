//! All texts of a page in their order, through frames and shadow roots: what a capture must have in the same shape. Pure.

use crate::driver::{Still, StillNode};

/// Elements whose text nobody sees.
const UNSEEN: [&str; 6] = ["script", "style", "noscript", "template", "head", "object"];

/// The texts, one a line; what fields hold stands among them.
pub fn texts(still: &Still) -> Vec<String> {
    let mut texts = Vec::new();
    document(still, &still.top, &mut texts, &mut Vec::new());
    texts
}

fn document(still: &Still, frame: &str, texts: &mut Vec<String>, open: &mut Vec<String>) {
    let Some(document) = still.documents.get(frame) else { return };
    if open.iter().any(|other| other == frame) {
        return;
    }
    open.push(frame.to_owned());
    let mut work: Vec<usize> = document.root.into_iter().collect();
    while let Some(at) = work.pop() {
        match document.nodes.get(at) {
            Some(StillNode::Text(text) | StillNode::Typed(text)) => push(text, texts),
            Some(StillNode::Element(element)) if !UNSEEN.contains(&element.tag.as_str()) => {
                if let Some(value) = &element.value {
                    push(value, texts);
                }
                if let Some(frame) = &element.frame {
                    self::document(still, frame, texts, open);
                    continue;
                }
                // What a textarea holds was told as its value.
                if element.tag != "textarea" {
                    work.extend(element.children.iter().rev());
                }
                work.extend(element.shadow.iter().flat_map(|shadow| shadow.children.iter().rev()));
            }
            Some(StillNode::Element(_)) | None => {}
        }
    }
    open.pop();
}

fn push(text: &str, texts: &mut Vec<String>) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !text.is_empty() {
        texts.push(text);
    }
}
