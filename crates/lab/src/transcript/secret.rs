//! Whether a text holds what no transcript may hold. The writer masks; this finds what was put in afterwards, by hand or by a fault.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// Keys that say what they are: programs give them out with these beginnings.
static KNOWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let beginnings = r"(?:sk-|sk_live_|rk_live_|ghp_|gho_|ghs_|github_pat_|glpat-|xox[bp]-|AKIA|AIza|eyJhbGciOi)[A-Za-z0-9_\-]{12,}";
    let others = r"(?i:bearer)\s+[A-Za-z0-9._\-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY";
    Regex::new(&format!("{beginnings}|{others}")).ok()
});

/// A name of a secret and the word after it.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:password|passcode|passphrase|api[ -]?key|secret|token)\s*(?:is|[:=])\s*([A-Za-z0-9_\-]{6,})").ok()
});

/// Whether a value holds one, under any key.
pub(super) fn holds_secret(value: &Value) -> bool {
    match value {
        Value::String(text) => is_secret(text),
        Value::Array(items) => items.iter().any(holds_secret),
        Value::Object(fields) => fields.iter().any(|(key, inner)| {
            let named = ["password", "token", "secret", "authorization", "cookie"].contains(&key.to_lowercase().as_str());
            (named && inner.as_str().is_some_and(is_key_like)) || holds_secret(inner)
        }),
        _ => false,
    }
}

fn is_secret(text: &str) -> bool {
    let known = KNOWN.as_ref().is_some_and(|pattern| pattern.is_match(text));
    known
        || NAMED
            .as_ref()
            .is_some_and(|pattern| pattern.captures_iter(text).any(|found| found.get(1).is_some_and(|word| is_key_like(word.as_str()))))
}

/// Letters and digits mixed, six signs or more, one word.
fn is_key_like(word: &str) -> bool {
    let sign = |sign: char| sign.is_ascii_alphanumeric() || "._-+/= ".contains(sign);
    word.len() >= 6
        && word.chars().all(sign)
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::holds_secret;

    #[test]
    fn what_was_planted_is_found_and_plain_words_are_not() {
        for secret in [
            json!({"text": "use sk-live0123456789abcdef now"}),
            json!({"text": "Bearer abcdefghijklmnop1234"}),
            json!([{"x": "Your password is hunter2x"}]),
            json!({"headers": {"Authorization": "Basic dXNlcjpwYXNz1"}}),
            json!("-----BEGIN RSA PRIVATE KEY"),
        ] {
            assert!(holds_secret(&secret), "{secret}");
        }
        for plain in [json!("Password must have 8 characters"), json!({"token": "[secret]"}), json!("value \"\" → \"{{typed:1:7}}\"")] {
            assert!(!holds_secret(&plain), "{plain}");
        }
    }
}
