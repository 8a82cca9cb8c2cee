//! Secrets in what pages say: groups of lines that look like recovery codes, keys or tokens, and a key or password named in prose,
//! never leave the daemon.

use std::borrow::Cow;

/// Lines of one group that make it a group.
const GROUP: usize = 3;
/// Shortest line that counts.
const SHORTEST: usize = 16;

/// Replaces each group of at least three high-entropy lines by a marker; blank lines may stand between them.
#[must_use]
pub fn secret_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        let end = group_end(&lines, at);
        let secrets = lines[at..end].iter().filter(|line| is_secret(line)).count();
        if secrets >= GROUP && lines[at..end].iter().any(|line| line.contains('\t')) {
            // Rows of a table: the other cells stay.
            out.extend(lines[at..end].iter().map(|line| masked_cells(line)));
            at = end;
        } else if secrets >= GROUP {
            out.push(format!("[{secrets} lines that look like secrets left out]"));
            at = end;
        } else {
            out.push(lines[at].to_owned());
            at += 1;
        }
    }
    let mut joined = out.join("\n");
    if text.ends_with('\n') {
        joined.push('\n');
    }
    joined
}

/// End of the run of secret and blank lines that begins at `start` with a secret one.
fn group_end(lines: &[&str], start: usize) -> usize {
    let mut end = start;
    let mut last = start;
    while end < lines.len() && (is_secret(lines[end]) || (end > start && content(lines[end]).is_empty())) {
        if is_secret(lines[end]) {
            last = end + 1;
        }
        end += 1;
    }
    last
}

/// What a line says without the outline around it: `- text "…"` becomes the text.
fn content(line: &str) -> &str {
    let line = line.trim().trim_start_matches("- ");
    let inner = ["text ", "listitem ", "code ", "cell "].iter().find_map(|role| line.strip_prefix(role)).unwrap_or(line);
    inner.trim().trim_matches('"')
}

fn is_secret(line: &str) -> bool {
    line.split('\t').any(|cell| is_secret_word(content(cell)))
}

fn masked_cells(line: &str) -> String {
    line.split('\t').map(|cell| if is_secret_word(content(cell)) { "[looks like a secret]" } else { cell }).collect::<Vec<_>>().join("\t")
}

/// Long, without a space, letters and digits mixed.
#[must_use]
pub fn is_secret_word(word: &str) -> bool {
    word.len() >= SHORTEST
        && !word.contains(char::is_whitespace)
        && !word.contains("://")
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+' | '/' | '=' | '.'))
        && word.chars().any(|c| c.is_ascii_digit())
        && word.chars().any(|c| c.is_ascii_alphabetic())
}

/// Masks groups of secrets in the lines of an outline, in place: at least three texts in quotes, on lines without another kind of line
/// between them. Given lines are those without a ref: what can be acted on keeps its name.
pub fn mask_lines<'a>(lines: impl Iterator<Item = &'a mut Box<str>>) {
    let mut group: Vec<(&'a mut Box<str>, usize)> = Vec::new();
    for line in lines {
        let found = quoted(line).filter(|(from, to)| is_secret_word(&line[*from..*to])).count();
        if found > 0 {
            group.push((line, found));
        } else if !is_bare(line) {
            mask_group(&mut group);
        }
    }
    mask_group(&mut group);
}

fn mask_group(group: &mut Vec<(&mut Box<str>, usize)>) {
    if group.iter().map(|(_, found)| found).sum::<usize>() >= GROUP {
        for (line, _) in group.iter_mut() {
            let mut out = String::with_capacity(line.len());
            let mut copied = 0;
            for (from, to) in quoted(line).filter(|(from, to)| is_secret_word(&line[*from..*to])) {
                out.push_str(&line[copied..from]);
                out.push_str("[looks like a secret]");
                copied = to;
            }
            out.push_str(&line[copied..]);
            **line = out.into_boxed_str();
        }
    }
    group.clear();
}

/// A line that only holds others, like `- listitem`.
fn is_bare(line: &str) -> bool {
    line.strip_prefix("- ").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// Places of the texts between quotes.
fn quoted(line: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let bytes = line.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let from = at + bytes.get(at..)?.iter().position(|byte| *byte == b'"')? + 1;
        let mut to = from;
        while *bytes.get(to)? != b'"' {
            to += if bytes[to] == b'\\' { 2 } else { 1 };
        }
        at = to + 1;
        Some((from, to))
    })
}

/// Words after which a secret stands in prose.
const NAMES: &[&str] = &[
    "password",
    "passcode",
    "passphrase",
    "secret",
    "token",
    "api key",
    "api-key",
    "apikey",
    "access key",
    "recovery code",
    "private key",
];

/// Beginnings of keys that say what they are.
const PREFIXES: &[&str] =
    &["sk-", "sk_live_", "rk_live_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "AIza", "eyJhbGciOi"];

/// Masks single secrets in prose: the word after `password:` and the like when it has letters and digits, and keys known by their beginning.
#[must_use]
pub fn prose(text: &str) -> Cow<'_, str> {
    // Nearly every text of a page is done here.
    let bytes = text.as_bytes();
    if text.len() < 14 || !bytes.iter().any(u8::is_ascii_digit) || !is_suspect(text) {
        return Cow::Borrowed(text);
    }
    let lower = text.to_ascii_lowercase();
    let mut out = String::new();
    let mut copied = 0;
    let mut named = false;
    let mut from = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let start = from;
        from += word.len();
        let core = word.trim().trim_matches(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '='));
        // `token=abc123`: the name and its secret in one word.
        let (name, secret) = core.split_once(['=', ':']).map_or(("", core), |(name, secret)| (name, secret));
        let after_name = (named && core == secret) || (!name.is_empty() && ends_with_name(&name.to_ascii_lowercase()));
        let known = PREFIXES.iter().any(|prefix| secret.starts_with(prefix)) && secret.len() >= 16;
        if known || (after_name && is_key_like(secret)) {
            let at = start + word.find(secret).unwrap_or(0);
            out.push_str(&text[copied..at]);
            out.push_str("[secret]");
            copied = at + secret.len();
        }
        let before = lower[..from].trim_end().trim_end_matches([':', '=', '-', '\u{201c}']).trim_end();
        named = ends_with_name(before) || (named && matches!(word.trim(), ":" | "is" | "=" | "was" | "-"));
        named |= before.strip_suffix(" is").is_some_and(ends_with_name);
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Whether a name of a secret or the beginning of a key stands anywhere in it: one pass, nearly every text ends here.
fn is_suspect(text: &str) -> bool {
    let bytes = text.as_bytes();
    let begins = |at: usize, word: &str| bytes[at..].get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()));
    let first = |byte: u8| matches!(byte | 0x20, b'p' | b's' | b't' | b'a' | b'r' | b'g' | b'x' | b'e');
    (0..bytes.len()).any(|at| first(bytes[at]) && NAMES.iter().chain(PREFIXES).any(|word| begins(at, word)))
}

fn ends_with_name(text: &str) -> bool {
    NAMES.iter().any(|name| text.ends_with(name))
}

/// Six signs or more, letters and digits mixed.
fn is_key_like(word: &str) -> bool {
    word.len() >= 6 && word.bytes().any(|byte| byte.is_ascii_digit()) && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::{mask_lines, prose, secret_lines};

    #[test]
    fn outlines_are_masked_in_place() {
        let masked = |lines: &[&str]| {
            let mut lines: Vec<Box<str>> = lines.iter().map(|line| (*line).into()).collect();
            mask_lines(lines.iter_mut());
            lines.join("\n")
        };
        let rows =
            ["- row: Code: \"a1b2c3d4e5f6g7h8\" · Used: \"no\"", "- row: Code: \"q1w2e3r4t5y6u7i8\"", "- row: Code: \"z1x2c3v4b5n6m7k8\""];
        assert_eq!(
            masked(&rows),
            "- row: Code: \"[looks like a secret]\" · Used: \"no\"\n- row: Code: \"[looks like a secret]\"\n- row: Code: \"[looks like a secret]\""
        );
        assert_eq!(masked(&rows[..2]), rows[..2].join("\n"), "two are no group");
        let apart = ["- text \"a1b2c3d4e5f6g7h8\"", "- text \"then\"", "- text \"q1w2e3r4t5y6u7i8\"", "- text \"z1x2c3v4b5n6m7k8\""];
        assert_eq!(masked(&apart), apart.join("\n"));
        assert_eq!(masked(&["- text \"a\\\"b\"", "- text \"open"]), "- text \"a\\\"b\"\n- text \"open", "odd quotes do no harm");
    }

    #[test]
    fn single_secrets_in_prose_go() {
        let cases = [
            ("Your password is hunter2x, keep it", "Your password is [secret], keep it"),
            ("API key: k9f3a7c2d1 (new)", "API key: [secret] (new)"),
            ("token=abc123def&x=1", "token=[secret]"),
            ("use sk-live0123456789abcdef now 1", "use [secret] now 1"),
            ("Password must have 8 characters", "Password must have 8 characters"),
            ("Passwords are changed every 90 days", "Passwords are changed every 90 days"),
            ("Order A1B2C3 was sent to é 7", "Order A1B2C3 was sent to é 7"),
            ("The secret of room 101 is out", "The secret of room 101 is out"),
        ];
        for (text, expected) in cases {
            assert_eq!(prose(text), expected);
        }
    }

    #[test]
    fn groups_go_and_single_lines_stay() {
        let codes = "Your codes\na1b2c3d4e5f6g7h8\n\nq1w2e3r4t5y6u7i8\nz1x2c3v4b5n6m7k8\nDone";
        assert_eq!(secret_lines(codes), "Your codes\n[3 lines that look like secrets left out]\nDone");
        let rows = "Code\tUsed\na1b2c3d4e5f6g7h8\tno\nq1w2e3r4t5y6u7i8\tno\nz1x2c3v4b5n6m7k8\tyes";
        let mask = "[looks like a secret]";
        assert_eq!(secret_lines(rows), format!("Code\tUsed\n{mask}\tno\n{mask}\tno\n{mask}\tyes"));
        let hash = "commit\na1b2c3d4e5f6g7h8\nDone";
        assert_eq!(secret_lines(hash), hash);
        let outline = "- text \"a1b2c3d4e5f6g7h8\"\n- text \"q1w2e3r4t5y6u7i8\"\n- text \"z1x2c3v4b5n6m7k8\"\n";
        assert_eq!(secret_lines(outline), "[3 lines that look like secrets left out]\n");
        let digits = "1234567890123456\n2234567890123456\n3234567890123456";
        assert_eq!(secret_lines(digits), digits);
    }
}
