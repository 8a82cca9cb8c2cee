//! Where a link leads, short.

use super::words::address;

/// Longest query shown.
const LONGEST_QUERY: usize = 40;
/// Longest path shown.
const LONGEST_PATH: usize = 120;

/// A link's destination as it helps a reader: on the same origin only the path, a long query cut, `data:` and scripts only by kind.
#[must_use]
pub(super) fn destination(url: &str, page: &str) -> String {
    let url = url.trim();
    let scheme = url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("javascript") => return "(script)".to_owned(),
        Some("data") => {
            return format!(
                "data:{}…",
                url[5..].split([',', ';']).next().map_or_else(String::new, |kind| address(kind.get(..40).unwrap_or(kind)))
            );
        }
        _ => {}
    }
    let local = origin(page)
        .and_then(|origin| url.strip_prefix(origin))
        .filter(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
        .map(|rest| if rest.is_empty() { "/" } else { rest });
    let clean = address(local.unwrap_or(url));
    let (path, rest) = clean.split_at(clean.find(['?', '#']).unwrap_or(clean.len()));
    format!("{}{}", cut(path, LONGEST_PATH), cut(rest, LONGEST_QUERY))
}

fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", text[..at].trim_end_matches('…')),
        None => text.to_owned(),
    }
}

/// `https://host:port` of an address.
fn origin(url: &str) -> Option<&str> {
    let host = url.find("://")? + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    Some(&url[..end])
}

#[cfg(test)]
mod tests {
    use super::destination;

    #[test]
    fn links_are_short() {
        let page = "https://shop.example:8080/a/b?c";
        let cases = [
            ("/cart", "/cart"),
            ("https://shop.example:8080/cart#x", "/cart#x"),
            ("https://shop.example:8080", "/"),
            ("https://shop.example:80801/x", "https://shop.example:80801/x"),
            ("https://other.example/x", "https://other.example/x"),
            ("javascript:void(0)", "(script)"),
            ("data:text/html;base64,AAAA", "data:text/html…"),
            ("#top", "#top"),
            ("mailto:a@b.example", "mailto:a@b.example"),
        ];
        for (url, expected) in cases {
            assert_eq!(destination(url, page), expected);
        }
        let long = destination(&format!("/item/1?t={}", "x".repeat(180)), page);
        assert_eq!(long, format!("/item/1?t={}…", "x".repeat(37)));
        assert_eq!(destination("/é?\u{202e}", page), "/é?");
    }
}
