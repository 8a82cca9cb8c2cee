//! Secrets in prose: groups of lines that look like recovery codes, keys or tokens never leave the daemon.

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
        if secrets >= GROUP {
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
    let word = content(line);
    word.len() >= SHORTEST
        && !word.contains(char::is_whitespace)
        && !word.contains("://")
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+' | '/' | '=' | '.'))
        && word.chars().any(|c| c.is_ascii_digit())
        && word.chars().any(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::secret_lines;

    #[test]
    fn groups_go_and_single_lines_stay() {
        let codes = "Your codes\na1b2c3d4e5f6g7h8\n\nq1w2e3r4t5y6u7i8\nz1x2c3v4b5n6m7k8\nDone";
        assert_eq!(secret_lines(codes), "Your codes\n[3 lines that look like secrets left out]\nDone");
        let hash = "commit\na1b2c3d4e5f6g7h8\nDone";
        assert_eq!(secret_lines(hash), hash);
        let outline = "- text \"a1b2c3d4e5f6g7h8\"\n- text \"q1w2e3r4t5y6u7i8\"\n- text \"z1x2c3v4b5n6m7k8\"\n";
        assert_eq!(secret_lines(outline), "[3 lines that look like secrets left out]\n");
        let digits = "1234567890123456\n2234567890123456\n3234567890123456";
        assert_eq!(secret_lines(digits), digits);
    }
}
