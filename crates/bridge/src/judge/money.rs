//! The user's own words that move money: `money.json` in the state directory, beside the table in `protocol::MoneyWords`.
//!
//! ```json
//! {"pay": ["spenden"], "generic": ["weiter"], "currencies": ["taler"]}
//! ```
//! All three are optional. Words are only added: no file takes one of the table's away, and none can be called harmless.

use protocol::MoneyWords;
use serde::Deserialize;

/// The file's name.
pub const FILE: &str = "money.json";
/// Most words of a list, and characters of a word.
const MOST: usize = 500;
const LONGEST: usize = 40;

/// The file as people write it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    pay: Vec<String>,
    generic: Vec<String>,
    currencies: Vec<String>,
}

/// Reads the file's text.
///
/// # Errors
/// One sentence on what is wrong with it: then none of it counts.
pub fn read(text: &str) -> Result<MoneyWords, String> {
    // Of an object only: serde takes a list for a struct too.
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let Written { pay, generic, currencies } = serde_json::from_value(fields.into()).map_err(|error| error.to_string())?;
    for (key, words) in [("pay", &pay), ("generic", &generic), ("currencies", &currencies)] {
        if words.len() > MOST {
            return Err(format!("{key} has more than {MOST} words"));
        }
        if let Some(word) = words.iter().find(|word| word.trim().is_empty() || word.chars().count() > LONGEST) {
            return Err(format!("{word:?} in {key} is empty or longer than {LONGEST} characters"));
        }
    }
    Ok(MoneyWords { pay, generic, currencies, harmless: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_only_added() {
        let words = read(r#"{"pay": ["spenden"], "currencies": ["taler"]}"#).unwrap();
        assert_eq!((words.pay.as_slice(), words.generic.len(), words.harmless.len()), (["spenden".to_owned()].as_slice(), 0, 0));
        for wrong in [r#"{"harmless": ["pay"]}"#, r#"{"pay": [""]}"#, r#"{"pay": "spenden"}"#, "[]", "{"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let long = format!(r#"{{"pay": ["{}"]}}"#, "x".repeat(LONGEST + 1));
        assert!(read(&long).is_err());
    }

    #[test]
    fn the_table_has_words_of_three_languages() {
        let table = MoneyWords::table();
        for word in ["buy now", "支付", "購入", "支払"] {
            assert!(table.pay.iter().any(|own| own == word), "{word}");
        }
        assert!(table.generic.iter().all(|word| !table.pay.contains(word)), "a word that pays needs no amount");
    }
}
