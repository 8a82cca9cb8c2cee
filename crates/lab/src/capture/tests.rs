//! A page taken down by hand, written out.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::driver::{Resource, StillDocument};

fn element(tag: &str, attributes: &[(&str, &str)], children: &[usize], more: &Value) -> Value {
    let mut taken = json!({"tag": tag, "space": "html", "attributes": attributes, "children": children});
    if let (Value::Object(taken), Value::Object(more)) = (&mut taken, more) {
        taken.extend(more.clone());
    }
    json!({"element": taken})
}

fn document(nodes: &[Value]) -> StillDocument {
    let document = json!({"address": "http://127.0.0.1/x", "title": "Account 12345678", "quirks": false, "adopted": ["b { color: red }"], "root": 0, "nodes": nodes});
    serde_json::from_value(document).unwrap()
}

/// html(head(title, style, script, link), body(host(shadow), input, textarea, iframe, img, a, p)).
fn page() -> Still {
    let top = document(&[
        element("html", &[("lang", "en")], &[1, 8], &json!({})),
        element("head", &[], &[2, 4, 6, 7], &json!({})),
        element("title", &[], &[3], &json!({})),
        json!({"text": "Account 12345678"}),
        element("style", &[("media", "screen")], &[], &json!({"sheet": {"text": "p { background: url(https://x.example/a.png) }"}})),
        json!({"text": "never shown"}),
        element("script", &[("src", "https://x.example/a.js")], &[], &json!({"script": "https://x.example/a.js"})),
        element(
            "link",
            &[("rel", "stylesheet"), ("href", "https://x.example/a.css")],
            &[],
            &json!({"sheet": {"address": "https://x.example/a.css"}}),
        ),
        element("body", &[("onload", "go()"), ("class", "anna")], &[9, 12, 13, 14, 15, 16, 18], &json!({})),
        element(
            "x-host",
            &[],
            &[10],
            &json!({"shadow": {"closed": true, "delegatesFocus": true, "children": [11], "adopted": ["i { top: 0 }"]}}),
        ),
        json!({"text": "in the light"}),
        json!({"text": "in the shade of anna@example.org"}),
        element("input", &[("type", "password"), ("name", "pw"), ("value", "old")], &[], &json!({"value": "Pass-word1"})),
        element("textarea", &[], &[10], &json!({"value": "Dear Anna"})),
        element("iframe", &[("src", "https://x.example/"), ("title", "Chat")], &[], &json!({"frame": "F"})),
        element(
            "img",
            &[("src", "https://x.example/a.png"), ("srcset", "b.png 2x"), ("alt", "Anna")],
            &[],
            &json!({"picture": {"width": 20, "height": 10, "address": "https://x.example/a.png"}}),
        ),
        element("a", &[("href", "https://x.example/me?token=1"), ("data-user", "anna@example.org")], &[17], &json!({})),
        json!({"text": "Dear Anna & <you>"}),
        element("p", &[("contenteditable", "")], &[19], &json!({})),
        json!({"typed": "A note"}),
    ]);
    let inner = document(&[
        element("html", &[], &[1, 2], &json!({})),
        element("head", &[], &[], &json!({})),
        element("body", &[], &[3], &json!({})),
        json!({"text": "\"Quoted\" & inner"}),
    ]);
    let sheet = Resource { mime: "text/css".into(), data: b"@import 'b.css'; h1 { color: blue }".to_vec() };
    Still {
        top: "T".into(),
        documents: BTreeMap::from([("T".into(), top), ("F".into(), inner)]),
        resources: BTreeMap::from([("https://x.example/a.css".into(), sheet)]),
        unread: Vec::new(),
    }
}

fn captured(options: Options) -> Captured {
    capture(&page(), options, b"salt").unwrap()
}

#[test]
fn a_drawing_stands_behind_its_canvas_grey_or_as_it_was() {
    let drawn = |images: bool, address: &str| {
        let mut page = page();
        let canvas = json!({"picture": {"width": 40, "height": 30, "address": address}});
        let top = page.documents.get_mut("T").unwrap();
        let place = top.nodes.len();
        top.nodes.push(serde_json::from_value(element("canvas", &[("width", "40"), ("style", "color: red;")], &[], &canvas)).unwrap());
        let Some(StillNode::Element(body)) = top.nodes.iter_mut().find(|node| matches!(node, StillNode::Element(one) if one.tag == "body"))
        else {
            panic!("it has a body")
        };
        body.children.push(place);
        capture(&page, Options { images, ..Options::default() }, b"salt").unwrap()
    };
    let grey = drawn(false, "");
    assert!(grey.html.contains("<canvas width=\"40\" style=\"color: red; background: url(&quot;data:image/svg+xml,"), "{}", grey.html);
    assert!(grey.html.contains("width=%2240%22 height=%2230%22") && grey.tally.drawings == 1, "{}", grey.html);
    let kept = drawn(true, "data:image/png;base64,AAAA");
    assert!(kept.html.contains("url(&quot;data:image/png;base64,AAAA&quot;) 0 0 / 100% 100% no-repeat content-box"), "{}", kept.html);
    let left_out = &drawn(true, "").tally.left_out;
    assert!(left_out.contains(&"a drawing that the browser gives to nobody".to_owned()), "{left_out:?}");
}

#[test]
fn it_stands_for_itself() {
    let Captured { html, yaml, tally, .. } = captured(Options::default());
    assert_eq!(lint::problems(&html, false), []);
    assert!(!html.contains("x.example") && !html.contains("onload") && !html.contains("a.js"), "{html}");
    for part in [
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">",
        "<style media=\"screen\">p { background: url(\"data:,\") }</style>",
        "<style> h1 { color: blue }</style>",
        "<style>b { color: red }</style></head>",
        "<x-host><template shadowrootmode=\"closed\" shadowrootdelegatesfocus=\"\">in the shade of ",
        "<style>i { top: 0 }</style></template>in the light</x-host>",
        "width=%2220%22 height=%2210%22",
        "src=&quot;/journal.js?run={{run}}&quot;",
        "&amp; &lt;",
        "<a href=\"#\"",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    assert_eq!((tally.frames, tally.shadow_roots, tally.left_out.as_slice()), (1, 1, &[][..]));
    let metadata: Value = serde_saphyr::from_str(&yaml).unwrap();
    assert_eq!(metadata["tags"], json!(["captured"]));
    assert!(metadata["title"].as_str().is_some_and(|title| title.starts_with("Account ") && title != "Account 12345678"), "{yaml}");
}

#[test]
fn no_secret_is_left_in_it() {
    let html = captured(Options::default()).html;
    for secret in ["anna@", "Pass-word1", "Dear Anna", "A note", "12345678", "token=1", "old"] {
        assert!(!html.contains(secret), "{secret} in {html}");
    }
    assert!(html.contains("in the light") && html.contains("alt=\"Anna\""), "words stay: {html}");
    let html = captured(Options { scrub: Scrub::Text, ..Options::default() }).html;
    for word in ["Anna", "light", "shade", "Quoted", "Chat"] {
        assert!(!html.contains(word), "{word} in {html}");
    }
    assert_eq!(lint::problems(&html, false), []);
}

#[test]
fn scripts_stay_where_they_are_wanted() {
    let mut still = page();
    let script = Resource { mime: "text/javascript".into(), data: b"fetch('https://x.example/1'); '</script>'".to_vec() };
    still.resources.insert("https://x.example/a.js".into(), script);
    let html = capture(&still, Options { keep_scripts: true, ..Options::default() }, b"salt").unwrap().html;
    assert!(html.contains("fetch('https://localhost/1'); '<\\/script>'") && html.contains("onload=\"go()\""), "{html}");
    assert_eq!(lint::problems(&html, false), []);
}

#[test]
fn what_no_text_could_give_is_told() {
    let mut still = page();
    // A paragraph in a paragraph: only a script can put it there.
    let nodes = vec![
        element("html", &[], &[1, 2], &json!({})),
        element("head", &[], &[], &json!({})),
        element("body", &[], &[3], &json!({})),
        element("p", &[], &[4], &json!({})),
        element("p", &[], &[], &json!({})),
    ];
    still.documents.insert("T".into(), document(&nodes));
    let yaml = capture(&still, Options::default(), b"salt").unwrap().yaml;
    assert!(yaml.contains("tags: [captured, broken-markup]"), "{yaml}");
}

#[test]
fn texts_come_in_the_order_they_stand() {
    let texts = texts(&page());
    let wanted = [
        "in the shade of anna@example.org",
        "in the light",
        "Pass-word1",
        "Dear Anna",
        "\"Quoted\" & inner",
        "Dear Anna & <you>",
        "A note",
    ];
    assert_eq!(texts, wanted);
}
