//! What holds for every tree, text and limit.

use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{FrameText, FrameTree, Node, Snapshot, Tab};

use super::*;

fn node() -> impl Strategy<Value = Node> {
    let roles = prop::sample::select(vec![
        "text",
        "button",
        "listitem",
        "list",
        "row",
        "cell",
        "table",
        "columnheader",
        "status",
        "dialog",
        "heading",
    ]);
    let names = prop::option::of(prop_oneof![Just("same".to_owned()), "[a-c]{1,2}", ".{0,12}", "(\u{202e}|🦊|«end |\"|\\\\|x){0,300}"]);
    (0u32..5, roles, names, prop::option::of(1u32..30)).prop_map(|(depth, role, name, node)| Node {
        depth,
        role: role.to_owned(),
        name,
        node: node.filter(|_| role != "text"),
        states: vec![],
        value: None,
        level: None,
        url: None,
        frame: None,
        opaque: None,
    })
}

/// Any depths become a tree: none is more than one deeper than the one before.
fn well_nested(mut nodes: Vec<Node>) -> Vec<Node> {
    let mut deepest = 0;
    for node in &mut nodes {
        node.depth = node.depth.min(deepest);
        deepest = node.depth + 1;
    }
    nodes
}

fn snapshot(nodes: Vec<Node>) -> Snapshot {
    let tab = Tab {
        id: 3,
        window: 1,
        url: "http://a.example/".into(),
        title: "T".into(),
        active: true,
        loading: false,
        discarded: false,
        opener: None,
        restricted: None,
        dialog: None,
    };
    Snapshot { tab, frames: vec![FrameTree { doc: 1, nodes: well_nested(nodes), ..FrameTree::default() }], refused: None }
}

/// One thing that a page does to its tree.
#[derive(Debug, Clone)]
enum Mutation {
    Insert(prop::sample::Index, Box<Node>),
    Remove(prop::sample::Index, usize),
    Rename(prop::sample::Index, String),
    Move(prop::sample::Index, prop::sample::Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        (index(), node()).prop_map(|(at, node)| Mutation::Insert(at, Box::new(node))),
        (index(), 1usize..5).prop_map(|(at, count)| Mutation::Remove(at, count)),
        (index(), "[a-z]{1,3}").prop_map(|(at, name)| Mutation::Rename(at, name)),
        (index(), index()).prop_map(|(from, to)| Mutation::Move(from, to)),
    ]
}

fn mutate(nodes: &mut Vec<Node>, mutation: Mutation) {
    match mutation {
        Mutation::Insert(at, node) => nodes.insert(at.index(nodes.len() + 1), *node),
        _ if nodes.is_empty() => {}
        Mutation::Remove(at, count) => {
            let at = at.index(nodes.len());
            nodes.drain(at..(at + count).min(nodes.len()));
        }
        Mutation::Rename(at, name) => {
            let at = at.index(nodes.len());
            nodes[at].name = Some(name);
        }
        Mutation::Move(from, to) => {
            let node = nodes.remove(from.index(nodes.len()));
            nodes.insert(to.index(nodes.len() + 1), node);
        }
    }
}

fn whole(lines: &[Line]) -> String {
    shorten(lines, 0, usize::MAX).text
}

/// Applies the text of a delta to the text of an outline, as a reader of both would.
fn apply_text(base: &str, delta: &str) -> String {
    let lines: Vec<&str> = base.lines().collect();
    let mut out: Vec<&str> = Vec::new();
    let mut at = 0;
    for line in delta.lines() {
        if let Some(head) = line.strip_prefix('@') {
            let number: usize = head.split(' ').next().unwrap().parse().unwrap();
            out.extend(&lines[at..number - 1]);
            at = number - 1;
            continue;
        }
        let (sign, text) = line.split_at(2);
        match sign {
            "+ " => out.push(text),
            "- " => {
                assert_eq!(lines[at], text);
                at += 1;
            }
            "~ " => {
                out.push(text);
                at += 1;
            }
            _ => panic!("not an edit: {line}"),
        }
    }
    out.extend(&lines[at..]);
    out.iter().flat_map(|line| [*line, "\n"]).collect()
}

proptest! {
    /// Deltas applied in order give the full outline: as data, and as the text an agent reads.
    #[test]
    fn deltas_in_order_are_the_whole(start in vec(node(), 0..40), steps in vec(vec(mutation(), 0..6), 1..8)) {
        let mut nodes = start;
        let mut seen = outline(&snapshot(nodes.clone()), false).lines;
        let mut text = whole(&seen);
        for step in steps {
            for one in step {
                mutate(&mut nodes, one);
            }
            let now = outline(&snapshot(nodes.clone()), false).lines;
            let delta = diff(&seen, &now, None);
            prop_assert_eq!(delta.is_empty(), seen == now);
            text = apply_text(&text, &delta.text(&seen, usize::MAX).0);
            seen = apply(&seen, &delta);
            prop_assert_eq!(&seen, &now);
            prop_assert_eq!(&text, &whole(&now));
        }
    }

    /// A search that may take no time is longer, not wrong.
    #[test]
    fn a_hurried_delta_is_right_too(a in vec(node(), 0..40), b in vec(node(), 0..40)) {
        let (a, b) = (outline(&snapshot(a), false).lines, outline(&snapshot(b), false).lines);
        prop_assert_eq!(apply(&a, &diff(&a, &b, Some(std::time::Instant::now()))), b);
    }

    /// Whatever the limit: what is shown is a part of the whole in its order, the rest is counted, and the size keeps to the limit.
    #[test]
    fn every_cut_is_well_formed(nodes in vec(node(), 0..120), budget in 100usize..6_000) {
        let lines = outline(&snapshot(nodes), false).lines;
        let cut = shorten(&lines, 0, budget);
        prop_assert!(cut.text.len() <= budget + 100, "{} bytes", cut.text.len());
        let whole = whole(&lines);
        let mut rest = whole.lines();
        let mut kept = 0;
        for line in cut.text.lines().filter(|line| !line.trim_start().starts_with('…')) {
            prop_assert!(rest.any(|other| other == line), "{line} is not in its place");
            kept += 1;
        }
        prop_assert_eq!(kept + cut.left_out, lines.len());
        if let Some(call) = cut.call {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&call).is_ok(), "{}", call);
        }
    }

    /// A whole reply has exactly one fence, every line of an outline is one line, and each text in quotes is a JSON string.
    #[test]
    fn a_reply_cannot_be_forged(nodes in vec(node(), 0..40), budget in 500usize..4_000) {
        let snapshot = snapshot(nodes);
        let view = View { number: 1, budget, ..View::default() };
        let text = page(&snapshot, &outline(&snapshot, false), &view, &Fence::with_nonce("abcd1234")).text;
        prop_assert_eq!(text.matches('«').count(), 2);
        let inside = text.lines().skip(2).take_while(|line| !line.starts_with('«'));
        for line in inside.filter(|line| !line.is_empty()) {
            prop_assert!(line.trim_start().starts_with(['-', '…']) || ["on top:", "page:"].contains(&line), "{line:?}");
            let hidden = line.contains(['\u{202e}', '\u{200b}', '\u{2028}']);
            prop_assert!(!hidden, "{line:?}");
        }
    }

    /// Page text is cut between characters and stays inside its fence.
    #[test]
    fn page_text_is_cut_between_characters(page in "(\u{202e}|🦊|«end |x|\n){0,200}", budget in 0usize..400) {
        let frame = FrameText { frame: 0, url: String::new(), text: page, unreadable: None, lone: None };
        let rendered = text(&[frame], &Fence::with_nonce("abcd1234"), budget);
        prop_assert_eq!(rendered.text.matches('«').count(), 2);
        let reordered = rendered.text.contains('\u{202e}');
        prop_assert!(!reordered);
        prop_assert!(rendered.left_out <= rendered.total);
    }
}
