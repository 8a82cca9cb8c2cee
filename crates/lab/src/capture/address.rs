//! Addresses in styles, scripts and attributes, so that nothing is asked of any host but the lab's. Pure.

use std::sync::LazyLock;

use regex::{Captures, Regex};

static URL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"(?i)url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))\s*\)"#).ok());
static IMPORT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)@import[^;]*;?").ok());
static HOST: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i)\b(https?://|wss?://)([^/"'`\s?#<>\\)]+)|(["'])//([^/"'`\s?#<>\\)]+)"#).ok());

/// A style sheet that loads nothing: pictures and fonts become empty, imports go. `end` keeps its text from ending its element.
pub(super) fn style(text: &str) -> String {
    let own = |found: &Captures<'_>| {
        let address = [1, 2, 3].into_iter().find_map(|group| found.get(group)).map_or("", |address| address.as_str().trim());
        match address.starts_with("data:") || address.starts_with('#') {
            true => found[0].to_owned(),
            false => String::from("url(\"data:,\")"),
        }
    };
    let text = IMPORT.as_ref().map_or(text.into(), |pattern| pattern.replace_all(text, ""));
    let text = URL.as_ref().map_or(text.clone(), |pattern| pattern.replace_all(&text, own).into_owned().into());
    elsewhere(&text).replace("</", "<\\/")
}

/// A text whose addresses name no host but this machine.
pub(super) fn elsewhere(text: &str) -> String {
    let ours = |host: &str| host.starts_with("127.0.0.1") || host.starts_with("localhost") || host == "www.w3.org";
    let own = |found: &Captures<'_>| match (found.get(2), found.get(4)) {
        (Some(host), _) if !ours(host.as_str()) => format!("{}localhost", &found[1]),
        (_, Some(host)) if !ours(host.as_str()) => format!("{}//localhost", &found[3]),
        _ => found[0].to_owned(),
    };
    HOST.as_ref().map_or_else(|| text.to_owned(), |pattern| pattern.replace_all(text, own).into_owned())
}

/// A picture of this size and of no colour worth a look.
pub(super) fn placeholder(width: u32, height: u32) -> String {
    format!(
        "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%22{width}%22 height=%22{height}%22%3E%3Crect width=%22100%25%22 height=%22100%25%22 fill=%22%23999%22/%3E%3C/svg%3E"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_sheet_loads_nothing() {
        let text = "@import url(a.css);\n@import \"b.css\" screen;\na { background: url('https://x.example/a.png') }\nb { mask: url(#m) }\ni { src: url(\"data:font/woff2,x\") }\nu { content: \"</style>\" }";
        let scrubbed = style(text);
        assert_eq!(
            scrubbed,
            "\n\na { background: url(\"data:,\") }\nb { mask: url(#m) }\ni { src: url(\"data:font/woff2,x\") }\nu { content: \"<\\/style>\" }"
        );
    }

    #[test]
    fn no_host_is_left() {
        assert_eq!(elsewhere("fetch('https://x.example/a?b')"), "fetch('https://localhost/a?b')");
        assert_eq!(elsewhere("src=\"//cdn.example/x.js\""), "src=\"//localhost/x.js\"");
        assert_eq!(elsewhere("new WebSocket('wss://x.example:9/y')"), "new WebSocket('wss://localhost/y')");
        for same in ["http://www.w3.org/2000/svg", "http://127.0.0.1:8080/x", "// a remark", "a//b"] {
            assert_eq!(elsewhere(same), same);
        }
    }
}
