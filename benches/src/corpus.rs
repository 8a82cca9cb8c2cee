//! Generated pages as the extension would send them: the same three sizes as the page in `fixtures/bench/`.

use protocol::{FrameTree, Node, Snapshot, State, Tab, Value};

/// How much a page holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// 50 interactive elements.
    A,
    /// 2,000 interactive elements.
    B,
    /// About 18,000 nodes, mostly text.
    C,
}

impl Size {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::A, Self::B, Self::C];

    /// Its letter.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }

    /// Sections, rows in each, and whether a row is a text or a control.
    fn shape(self) -> (u32, u32, bool) {
        match self {
            Self::A => (5, 10, false),
            Self::B => (100, 20, false),
            Self::C => (201, 44, true),
        }
    }
}

/// A page of this size.
#[must_use]
pub fn snapshot(size: Size) -> Snapshot {
    let (sections, rows, prose) = size.shape();
    let mut page = Page::default();
    for section in 0..sections {
        page.add(0, "region", &format!("Section {section}"), None);
        page.add(1, "heading", &format!("Section {section}"), Some(2));
        for row in 0..rows {
            if prose {
                page.add(1, "listitem", "", None);
                page.add(2, "text", &format!("Row {row} of section {section}: the quick brown fox jumps over the lazy dog"), None);
            } else {
                page.control(section, row);
            }
        }
        if prose {
            page.control(section, 0);
        }
    }
    let frame =
        FrameTree { frame: 0, parent: None, doc: 1, url: "http://127.0.0.1/page".into(), nodes: page.nodes, ..FrameTree::default() };
    Snapshot { tab: tab(), frames: vec![frame], refused: None }
}

/// The only tab.
#[must_use]
pub(crate) fn tab() -> Tab {
    Tab {
        id: 10,
        window: 1,
        url: "http://127.0.0.1/page".into(),
        title: "A generated page".into(),
        active: false,
        loading: false,
        discarded: false,
        opener: None,
        restricted: None,
        dialog: None,
    }
}

#[derive(Default)]
struct Page {
    nodes: Vec<Node>,
    numbered: u32,
}

impl Page {
    fn add(&mut self, depth: u32, role: &str, name: &str, level: Option<u32>) -> &mut Node {
        let name = (!name.is_empty()).then(|| name.to_owned());
        let at = self.nodes.len();
        self.nodes.push(Node {
            depth,
            role: role.into(),
            name,
            node: None,
            states: Vec::new(),
            value: None,
            level,
            url: None,
            frame: None,
            opaque: None,
        });
        &mut self.nodes[at]
    }

    /// Buttons, links, fields and boxes in turn.
    fn control(&mut self, section: u32, row: u32) {
        self.numbered += 1;
        let number = self.numbered;
        let (role, name) = match row % 4 {
            0 => ("button", format!("Add item {number}")),
            1 => ("link", format!("Read about item {number}")),
            2 => ("textbox", format!("Amount of item {number}")),
            _ => ("checkbox", format!("Keep item {number}")),
        };
        let node = self.add(1, role, &name, None);
        node.node = Some(number);
        match row % 4 {
            1 => node.url = Some(format!("/section/{section}/item/{number}")),
            2 => node.value = Some(Value::Plain { text: number.to_string() }),
            3 => node.states = vec![if number.is_multiple_of(3) { State::Checked } else { State::Unchecked }],
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_are_what_they_say() {
        let count = |size| {
            let nodes = snapshot(size).frames.remove(0).nodes;
            (nodes.len(), nodes.iter().filter(|node| node.node.is_some()).count())
        };
        assert_eq!(count(Size::A).1, 50);
        assert_eq!(count(Size::B).1, 2000);
        assert!((17_000..20_000).contains(&count(Size::C).0), "{:?}", count(Size::C));
    }
}
