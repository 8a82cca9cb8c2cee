//! Targets that must be activated at most once, whatever is seen.

use protocol::{State, TargetFacts};

/// Words that make a target sensitive, wherever they stand in its name or marks.
const WORDS: &[&str] = &[
    "submit",
    "pay",
    "order",
    "confirm",
    "delete",
    "remove",
    "publish",
    "transfer",
    "buy",
    "purchase",
    "checkout",
    "send",
    "post",
    "book",
    "subscribe",
    "withdraw",
    "donate",
    "sign",
    "agree",
    "accept",
    "unsubscribe",
    "erase",
    "reset",
    "merge",
    "deploy",
    "ok",
    "提交",
    "支付",
    "付款",
    "下单",
    "确认",
    "确定",
    "删除",
    "发布",
    "转账",
    "购买",
    "立即",
];

/// The words, for an extension that spares such a target itself.
#[must_use]
pub fn sensitive_words() -> Vec<String> {
    WORDS.iter().map(ToString::to_string).collect()
}

/// A second activation could do harm: submit buttons, and names with a word of the list.
#[must_use]
pub fn is_sensitive(target: &TargetFacts) -> bool {
    let name: String = target.described.name.chars().take(40).collect::<String>().to_lowercase();
    target.submits || has_word(&name) || has_word(&target.marks)
}

fn has_word(text: &str) -> bool {
    let is_ascii_word = |word: &str| word.is_ascii();
    WORDS.iter().any(|word| {
        if is_ascii_word(word) { text.split(|c: char| !c.is_alphanumeric()).any(|token| token == *word) } else { text.contains(word) }
    })
}

/// A second activation would undo the first.
#[must_use]
pub fn is_toggle(target: &TargetFacts) -> bool {
    use State::{Checked, Collapsed, Expanded, Mixed, Pressed, Selected, Unchecked, Unpressed};
    let two_sided = |state: &State| matches!(state, Checked | Unchecked | Mixed | Pressed | Unpressed | Expanded | Collapsed | Selected);
    matches!(target.described.role.as_str(), "checkbox" | "radio" | "switch" | "menuitemcheckbox" | "menuitemradio" | "option" | "tab")
        || target.tag == "summary"
        || target.states.iter().any(two_sided)
}
