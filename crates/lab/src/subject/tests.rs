//! The adapter files of the project, against replies that their servers really gave (Chromium 156, versions of
//! `subjects/peers`).

use serde_json::{Map, Value, json};

use super::{Adapter, Call, CallTarget, Node};
use crate::verdict::Claim;

const PLAYWRIGHT: &str = include_str!("../../../../subjects/playwright.yaml");
const DEVTOOLS: &str = include_str!("../../../../subjects/chrome-devtools.yaml");
const AGENT_BROWSER: &str = include_str!("../../../../subjects/agent-browser.yaml");
const TEGATA: &str = include_str!("../../../../subjects/tegata.yaml");

/// A peer with what it said, and what that comes to.
struct Peer {
    adapter: Adapter,
    /// Its snapshot of a page with a button, a field with a value, and a checkbox.
    snapshot: &'static str,
    /// The refs of the button `Add one` and of the field `Amount of item 3`.
    refs: [&'static str; 2],
    /// Its reply to a new tab.
    opened: &'static str,
    /// The tab that names.
    tab: &'static str,
    /// Its errors, each with the code it means.
    errors: &'static [(&'static str, &'static str)],
    /// A click on the ref `r1` and text typed there, as its own calls.
    click: (&'static str, Value),
    typed: (&'static str, Value),
}

fn peers() -> [Peer; 3] {
    let adapter = |source| Adapter::parse("peer", source).unwrap();
    [
        Peer {
            adapter: adapter(PLAYWRIGHT),
            snapshot: "### Open tabs\n- 0: [Fixtures](http://127.0.0.1:1/)\n- 1: (current) [A page](http://127.0.0.1:1/f/p.html)\n### Snapshot\n```yaml\n- main [ref=e2]:\n  - region \"Bench\" [ref=e4]:\n    - paragraph [ref=e5]:\n      - button \"Add one\" [ref=e6]\n      - status [ref=e7]: \"0\"\n    - paragraph [ref=e12]: tick 0\n  - generic [ref=e28]:\n    - text: Amount of item 3\n    - textbox \"Amount of item 3\" [ref=e29]: \"3\"\n```",
            refs: ["e6", "e29"],
            opened: "### Result\n- 0: [Fixtures · Tegata lab](http://127.0.0.1:1/)\n- 1: [](about:blank)\n- 2: (current) [A page](http://127.0.0.1:1/f/p.html)\n### Ran Playwright code",
            tab: "2",
            errors: &[
                ("### Error\nError: Ref f1e9 not found in the current page snapshot. Try capturing new snapshot.", "stale_ref"),
                (
                    "### Error\nTimeoutError: browserBackend.callTool: Timeout 5000ms exceeded.\nCall log:\n  - waiting for locator('#off')\n    2 × waiting for element to be visible, enabled and stable\n      - element is not enabled",
                    "disabled",
                ),
                (
                    "### Error\nTimeoutError: browserBackend.callTool: Timeout 5000ms exceeded.\nCall log:\n  - waiting for locator('aria-ref=e5')\n      - element is visible, enabled and stable\n      - <div id=\"cover\" class=\"cover\" role=\"region\" aria-label=\"Cookie notice\">…</div> intercepts pointer events",
                    "covered",
                ),
            ],
            click: ("browser_click", json!({"target": "r1", "element": "textbox \"City\""})),
            typed: ("browser_type", json!({"target": "r1", "text": "hi"})),
        },
        Peer {
            adapter: adapter(DEVTOOLS),
            snapshot: "## Latest page snapshot\nuid=1_0 RootWebArea \"A page\" url=\"http://127.0.0.1:1/f/p.html\"\n  uid=1_1 main\n    uid=1_3 region \"Bench\"\n      uid=1_4 button \"Add one\"\n      uid=1_5 status atomic live=\"polite\" relevant=\"additions text\"\n        uid=1_6 \"0\"\n      uid=1_20 textbox \"Amount of item 3\" value=\"3\"\n",
            refs: ["1_4", "1_20"],
            opened: "## Pages\n1: Fixtures · Tegata lab (http://127.0.0.1:1/)\n2: about:blank\n7: A page (http://127.0.0.1:1/f/p.html) [selected]",
            tab: "7",
            errors: &[(
                "Error: Failed to interact with the element with uid 1_4. The element did not become interactive within the configured timeout.",
                "timeout",
            )],
            click: ("click", json!({"pageId": 7, "uid": "r1"})),
            typed: ("fill", json!({"pageId": 7, "uid": "r1", "value": "hi"})),
        },
        Peer {
            adapter: adapter(AGENT_BROWSER),
            snapshot: "- main\n  - heading \"A page\" [level=1, ref=e1]\n  - region \"Bench\" [ref=e2]\n    - paragraph\n      - button \"Add one\" [ref=e8]\n      - status\n        - StaticText \"0\"\n      - paragraph\n        - LabelText\n          - StaticText \"Amount of item 3 \"\n          - textbox \"Amount of item 3\" [ref=e56]: 3\n            - StaticText \"3\"",
            refs: ["e8", "e56"],
            opened: "{\"exitCode\":0,\"response\":{\"data\":{\"label\":null,\"tabId\":\"t6\",\"targetId\":\"3632D73A\",\"total\":6,\"url\":\"http://127.0.0.1:1/f/p.html\"},\"error\":null,\"success\":true}}",
            tab: "t6",
            errors: &[
                ("Unknown ref: e999", "stale_ref"),
                ("Could not locate element with role=button name=Go", "stale_ref"),
                ("Element '#off' is disabled, so the click would not reach it", "disabled"),
                (
                    "Element '@e5' is covered by <div#cover> at its click point, so the input would land on that element instead. Dismiss or interact with the covering element first (it is often a dialog, banner, or sticky header).",
                    "covered",
                ),
                ("Element not found: #none. Verify the selector, role, or name is correct and the element exists in the DOM.", "not_found"),
            ],
            click: ("agent_browser_click", json!({"selector": "@r1"})),
            typed: ("agent_browser_fill", json!({"selector": "@r1", "text": "hi"})),
        },
    ]
}

fn call(tool: &str, arguments: &Value) -> Call {
    let node = Node { role: "textbox".into(), name: "City".into(), nth: None };
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    Call { tool: tool.into(), raw: false, is_write: true, target: Some(CallTarget::Ref("r1".into(), Some(node))), arguments, tab: None }
}

#[test]
fn what_peers_say_is_read() {
    for Peer { adapter, snapshot, refs, opened, tab, errors, .. } in peers() {
        let (title, reader) = (&adapter.title, adapter.reader().unwrap());
        let found = [("button", "Add one"), ("textbox", "Amount of item 3"), ("button", "Amount of item 3")]
            .map(|(role, name)| reader.find(snapshot, &Node { role: role.into(), name: name.into(), nth: None }));
        assert_eq!(found, [Some(refs[0].to_owned()), Some(refs[1].to_owned()), None], "{title}");
        assert_eq!(reader.tab(opened).as_deref(), Some(tab), "{title}");
        for (text, code) in errors {
            assert_eq!(reader.claim(text, true), Claim::Refused((*code).into()), "{title}");
        }
        assert_eq!(reader.claim("something nobody has said yet", true), Claim::Refused("no code".into()), "{title}");
        assert_eq!(reader.claim(snapshot, false), Claim::Success, "{title}: they say done, and no outcome");
        assert!(!reader.knows_outcomes(), "{title}");
    }
}

#[test]
fn steps_become_the_peers_own_calls() {
    for Peer { adapter, tab, click, typed, .. } in peers() {
        let mapped = |call: &Call| adapter.map(call, Some(tab)).map(|mapped| (mapped.tool, Value::Object(mapped.arguments)));
        let title = &adapter.title;
        for step in [call("click", &json!({})), call("click", &json!({"real": true}))] {
            assert_eq!(mapped(&step), Some((click.0.to_owned(), click.1.clone())), "{title}");
        }
        for step in [call("type", &json!({"text": "hi"})), call("type", &json!({"text": "hi", "mode": "replace"}))] {
            assert_eq!(mapped(&step), Some((typed.0.to_owned(), typed.1.clone())), "{title}");
        }
        assert_eq!(mapped(&call("type", &json!({"text": "hi", "mode": "append"}))), None, "{title}: it only replaces");
        assert_eq!(mapped(&call("click", &json!({"hold_ms": 700}))), None, "{title}: what it was not told of is not left out");
        assert!(mapped(&call("press_key", &json!({"keys": "Control+a"}))).is_none(), "{title}: it presses where the focus is");
        let keys = |keys: &str| mapped(&Call { target: None, ..call("press_key", &json!({"keys": keys})) });
        assert!(keys("Control+a").is_some_and(|(_, arguments)| arguments["key"] == "Control+a"), "{title}");
        assert_eq!(keys("Tab Enter"), None, "{title}: it presses one at a time");
        let by_name =
            Call { target: Some(CallTarget::Node(Node { role: "a".into(), name: "b".into(), nth: None })), ..call("click", &json!({})) };
        assert_eq!(mapped(&by_name), None, "{title}: it has no tool that finds by role and name");
        let open = Call { target: None, ..call("tabs", &json!({"action": "new", "url": "http://x/"})) };
        assert!(mapped(&open).is_some_and(|(_, arguments)| arguments["url"] == "http://x/"), "{title}");
        let raw = Call { raw: true, ..call("click", &json!({})) };
        assert_eq!(mapped(&raw), None, "{title}: our own words mean nothing to it");
    }
}

#[test]
fn our_bridge_is_asked_for_everything_and_for_changes() {
    let adapter = Adapter::parse("tegata", TEGATA).unwrap();
    let mapped = |tool: &str| {
        let call = Call { tool: tool.into(), raw: false, is_write: false, target: None, arguments: Map::new(), tab: Some("3".into()) };
        adapter.map(&call, None).map(|mapped| (mapped.tool, Value::Object(mapped.arguments)))
    };
    assert_eq!(mapped("snapshot_whole"), Some(("snapshot".into(), json!({"budget": 0, "tab": 3}))));
    assert_eq!(mapped("snapshot_since"), Some(("snapshot".into(), json!({"since": 0, "budget": 0, "tab": 3}))));
    assert!(adapter.reader().unwrap().knows_outcomes());
}

#[test]
fn every_adapter_file_is_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects");
    let names = std::fs::read_dir(&folder)
        .unwrap()
        .flatten()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".yaml")?.to_owned()));
    let names = names.collect::<Vec<_>>();
    assert!(names.len() >= 7, "{names:?}");
    for name in names {
        let adapter = Adapter::load(&folder, &name).unwrap();
        if let Some(packages) = &adapter.packages {
            assert!(folder.join("..").join(packages).join("package-lock.json").is_file(), "{name}");
        }
    }
}
