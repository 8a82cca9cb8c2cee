//! Addresses, alone or in the middle of a text: their user and password go, and the values of parameters that are named like secrets.

use std::borrow::Cow;

/// Parameters whose value is a credential under exactly this name.
const PARAMETERS: &[&str] = &["key", "code", "auth", "sig", "signature"];

/// What the name of any other such parameter ends with: `reset_token`, `client-secret`.
const ENDINGS: &[&str] = &["token", "password", "passcode", "passphrase", "secret", "apikey", "api_key", "api-key"];

/// What stands in place of a value.
const MASK: &str = "[secret]";

/// The text without them.
pub(super) fn bare_addresses(text: &str) -> Cow<'_, str> {
    let anonymous = without_users(text);
    match without_parameters(&anonymous) {
        Some(masked) => Cow::Owned(masked),
        None => anonymous,
    }
}

fn without_users(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, mark) in text.match_indices("://") {
        let from = at + mark.len();
        let length = text[from..].find(|sign: char| is_end(sign) || matches!(sign, '/' | '?' | '#')).unwrap_or(text.len() - from);
        if let Some(user) = text[from..from + length].rfind('@') {
            out.push_str(&text[copied..from]);
            copied = from + user + 1;
        }
    }
    match copied {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(out + &text[copied..]),
    }
}

fn without_parameters(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, _) in text.match_indices('=') {
        let name = text[copied..at].rfind(|sign: char| !(sign.is_ascii_alphanumeric() || "_-.".contains(sign)));
        let Some(begin) = name.map(|begin| copied + begin).filter(|begin| matches!(text.as_bytes()[*begin], b'?' | b'&' | b'#' | b';'))
        else {
            continue;
        };
        if !is_credential(&text[begin + 1..at].to_ascii_lowercase()) {
            continue;
        }
        let from = at + 1;
        let length = text[from..].find(|sign: char| is_end(sign) || matches!(sign, '&' | '#' | ';')).unwrap_or(text.len() - from);
        if length > 0 && !text[from..].starts_with(MASK) {
            out.push_str(&text[copied..from]);
            out.push_str(MASK);
            copied = from + length;
        }
    }
    (copied > 0).then(|| out + &text[copied..])
}

fn is_credential(name: &str) -> bool {
    PARAMETERS.contains(&name) || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether an address in a text ends before it.
fn is_end(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, '"' | '\'' | '<' | '>' | ')' | '\\' | '`' | '»')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_in_an_address_goes_wherever_the_address_stands() {
        for (text, expected) in [
            ("https://me:pw@a.example/b?x=1&token=abc123", "https://a.example/b?x=1&token=[secret]"),
            (
                "opened tab 7 · \"Shop\" · http://a.example/s?reset_token=s3cr3t9 · snapshot 3",
                "opened tab 7 · \"Shop\" · http://a.example/s?reset_token=[secret] · snapshot 3",
            ),
            ("- link \"Go\" → \"/in?code=a1b2&next=/x\" [a1]", "- link \"Go\" → \"/in?code=[secret]&next=/x\" [a1]"),
            ("see <https://a.example/#access_token=a1&id_token=b2>", "see <https://a.example/#access_token=[secret]&id_token=[secret]>"),
            ("GET /é?API_KEY=ü1&amp;sig=2", "GET /é?API_KEY=[secret]&amp;sig=[secret]"),
            ("two: ftp://u@a/ and ftp://v:w@b/", "two: ftp://a/ and ftp://b/"),
        ] {
            assert_eq!(bare_addresses(text), expected);
            assert_eq!(bare_addresses(expected), expected, "a second time nothing more goes");
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in
            ["?page=3&tokens=4", "token=abc", "a == b && code = c", "mail me@a.example", "http://a.example/@me?x=@", "?token=&y=1", ""]
        {
            assert!(matches!(bare_addresses(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
