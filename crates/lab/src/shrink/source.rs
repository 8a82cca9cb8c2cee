//! A scenario's file with only some of its steps: the text of the others is cut out, all else stays as it was written.

/// Why the text cannot be cut.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Steps are not items of a list, each on lines of its own.
    #[error("line {0}: this step does not begin with `- ` on a line of its own, so the file cannot be cut")]
    NoItem(u64),
}

/// The text with these steps only. `lines` are the lines of all steps, from 1; a comment right above a step goes with it.
///
/// # Errors
/// When the steps are not written one below the other.
pub fn kept(source: &str, lines: &[u64], keep: &[usize]) -> Result<String, SourceError> {
    let text: Vec<&str> = source.split_inclusive('\n').collect();
    let mut starts = Vec::new();
    for line in lines {
        let start = item(&text, *line).ok_or(SourceError::NoItem(*line))?;
        if starts.last().is_some_and(|before| start <= *before) {
            return Err(SourceError::NoItem(*line));
        }
        starts.push(start);
    }
    let Some(first) = starts.first().copied() else { return Ok(source.to_owned()) };
    let indent = indent(text[first]);
    // The list ends where something stands less far in: another key, or its comment.
    let end = |from: usize| {
        let after = text.iter().enumerate().skip(from + 1).find(|(_, line)| {
            let own = self::indent(line);
            !line.trim().is_empty() && (own < indent || (own == indent && !line.trim_start().starts_with('-') && !is_comment(line)))
        });
        after.map_or(text.len(), |(at, _)| at)
    };
    let above = |start: usize, floor: usize| {
        let comments = text[floor..start].iter().rev().take_while(|line| is_comment(line) || line.trim().is_empty()).count();
        start - comments
    };
    let mut left = String::new();
    let head = above(first, 0);
    // What stands between `steps:` and the first step belongs to that step.
    let head = if text[..head].iter().any(|line| line.trim_start().starts_with("steps:")) { head } else { first };
    left.extend(text[..head].iter().copied());
    let mut tail = text.len();
    for (index, start) in starts.iter().enumerate() {
        let from = if index == 0 { head } else { above(*start, starts[index - 1] + 1) };
        let to = match starts.get(index + 1) {
            Some(next) => above(*next, start + 1),
            None => {
                tail = end(*start);
                tail
            }
        };
        if keep.contains(&index) {
            left.extend(text[from..to].iter().copied());
        }
    }
    left.extend(text[tail..].iter().copied());
    Ok(left)
}

/// The index of the line with the dash of the step at this line.
fn item(text: &[&str], line: u64) -> Option<usize> {
    let at = usize::try_from(line).ok()?.checked_sub(1)?;
    let is_dash = |at: usize| text.get(at).is_some_and(|line| line.trim() == "-");
    match text.get(at)?.trim_start().starts_with("- ") {
        true => Some(at),
        // The dash may stand alone above it.
        false => at.checked_sub(1).filter(|above| is_dash(*above)),
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "# first line\nguards: x\nfixture: a/b\nsteps:\n  # one\n  - click: {a: 1}\n    expect:\n      effect: true\n\n  # two\n  - type:\n      text: \"- no step\"\n  -\n    until: {}\nopen: false\n";
    const LINES: [u64; 3] = [6, 11, 14];

    #[test]
    fn all_of_them_are_the_file_itself() {
        assert_eq!(kept(SOURCE, &LINES, &[0, 1, 2]).as_deref(), Ok(SOURCE));
    }

    #[test]
    fn a_step_goes_with_its_comment_and_its_lines() {
        let one =
            "# first line\nguards: x\nfixture: a/b\nsteps:\n  # one\n  - click: {a: 1}\n    expect:\n      effect: true\nopen: false\n";
        assert_eq!(kept(SOURCE, &LINES, &[0]).as_deref(), Ok(one));
        let two = "# first line\nguards: x\nfixture: a/b\nsteps:\n\n  # two\n  - type:\n      text: \"- no step\"\nopen: false\n";
        assert_eq!(kept(SOURCE, &LINES, &[1]).as_deref(), Ok(two));
        let three = "# first line\nguards: x\nfixture: a/b\nsteps:\n  -\n    until: {}\nopen: false\n";
        assert_eq!(kept(SOURCE, &LINES, &[2]).as_deref(), Ok(three));
    }

    #[test]
    fn a_list_without_indent_ends_at_the_next_key() {
        let source = "steps:\n- a: 1\n- b: 2\nopen: false\n";
        assert_eq!(kept(source, &[2, 3], &[0]).as_deref(), Ok("steps:\n- a: 1\nopen: false\n"));
    }

    #[test]
    fn steps_beside_each_other_are_refused() {
        assert_eq!(kept("steps: [{a: 1}, {b: 2}]\n", &[1, 1], &[0]), Err(SourceError::NoItem(1)));
    }
}
