//! Filler in place of what must not leave the page: as long, letter for letter of the same class, and the same for the same word. Pure.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use sha2::{Digest as _, Sha256};

/// What is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scrub {
    /// What fields hold, wherever it stands; e-mail addresses, long numbers, tokens.
    #[default]
    Secrets,
    /// Besides, every word of every text.
    Text,
}

/// Field values shorter than this are not looked for elsewhere: they would be found in everything.
const SHORTEST_KNOWN: usize = 4;

/// Patterns of what is nobody's business, whatever page it stands on.
static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let patterns = [
        // E-mail addresses.
        r"[\p{L}\p{N}._%+\-]+@[\p{L}\p{N}.\-]+\.\p{L}{2,}",
        // Account numbers with a country before them.
        r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){3,}[A-Z0-9 ]*",
        // Numbers of six digits and more: telephones, cards, accounts.
        r"\+?\p{Nd}(?:[ ().\-/]{0,2}\p{Nd}){5,}",
        // Tokens: letters and digits without a pause. Those without a digit are checked for below.
        r"[A-Za-z0-9_\-]{20,}",
    ];
    // They are constants, and a test uses each.
    patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
});

/// Replaces; the same word by the same filler for as long as it lives.
pub struct Scrubber {
    scrub: Scrub,
    salt: Vec<u8>,
    /// What fields hold, the longest first.
    known: Vec<String>,
    replaced: usize,
}

impl Scrubber {
    /// `salt` makes the filler of a word another one for each capture, so that none can be looked up.
    pub fn new(scrub: Scrub, salt: &[u8], known: impl IntoIterator<Item = String>) -> Self {
        let long = |text: &String| text.chars().filter(|sign| sign.is_alphanumeric()).count() >= SHORTEST_KNOWN;
        let known: BTreeSet<String> = known.into_iter().map(|text| text.trim().to_owned()).filter(long).collect();
        let mut known: Vec<String> = known.into_iter().collect();
        known.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self { scrub, salt: salt.to_vec(), known, replaced: 0 }
    }

    /// How often something was replaced.
    pub fn replaced(&self) -> usize {
        self.replaced
    }

    /// A text of the page.
    pub fn text(&mut self, text: &str) -> String {
        match self.scrub {
            Scrub::Text => self.whole(text),
            Scrub::Secrets => self.secrets(text),
        }
    }

    /// A text of which only what is a secret is replaced, whatever was asked for: the rest has a meaning to the page.
    pub fn secrets(&mut self, text: &str) -> String {
        let mut places = self.known_in(text);
        for pattern in PATTERNS.iter() {
            let found =
                pattern.find_iter(text).filter(|found| found.as_str().chars().any(char::is_numeric) || found.as_str().contains('@'));
            places.extend(found.map(|found| (found.start(), found.end())));
        }
        self.replace(text, places)
    }

    /// A text in which digits and long words are measures and names: only what fields hold is replaced.
    pub fn code(&mut self, text: &str) -> String {
        let places = self.known_in(text);
        self.replace(text, places)
    }

    /// Where something that a field holds stands, in bytes.
    fn known_in(&self, text: &str) -> Vec<(usize, usize)> {
        let places = |known: &String| text.match_indices(known.as_str()).map(|(at, found)| (at, at + found.len())).collect::<Vec<_>>();
        self.known.iter().flat_map(places).collect()
    }

    fn replace(&mut self, text: &str, mut places: Vec<(usize, usize)>) -> String {
        if places.is_empty() {
            return text.to_owned();
        }
        places.sort_unstable();
        let mut scrubbed = String::with_capacity(text.len());
        let mut done = 0;
        for (start, end) in places {
            if end <= done {
                continue;
            }
            let start = start.max(done);
            scrubbed.push_str(&text[done..start]);
            scrubbed.push_str(&self.whole(&text[start..end]));
            done = end;
        }
        scrubbed.push_str(&text[done..]);
        scrubbed
    }

    /// A text of which every word is replaced.
    pub fn whole(&mut self, text: &str) -> String {
        let mut scrubbed = String::with_capacity(text.len());
        let mut word = String::new();
        for sign in text.chars() {
            if sign.is_alphanumeric() {
                word.push(sign);
            } else {
                self.word(&mut word, &mut scrubbed);
                scrubbed.push(sign);
            }
        }
        self.word(&mut word, &mut scrubbed);
        scrubbed
    }

    fn word(&mut self, word: &mut String, into: &mut String) {
        if word.is_empty() {
            return;
        }
        self.replaced += 1;
        let mut block = Sha256::new().chain_update(&self.salt).chain_update(word.as_bytes()).finalize().to_vec();
        for (at, sign) in word.chars().enumerate() {
            let turn = at % block.len();
            if at > 0 && turn == 0 {
                block = Sha256::digest(&block).to_vec();
            }
            into.push(filler(sign, block[turn]));
        }
        word.clear();
    }
}

/// Another character of the same class; `chance` chooses it. What is neither letter nor number stays.
fn filler(sign: char, chance: u8) -> char {
    let classes: [&str; 9] = [
        "abcdefghijklmnopqrstuvwxyz",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "0123456789",
        "αβγδεζηθικλμνξοπρστυφχψω",
        "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ",
        "абвгдежзиклмнопрстуфхцчшэюя",
        "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЭЮЯ",
        "あいうえおかきくけこさしすせそたちつてと",
        "アイウエオカキクケコサシスセソタチツテト",
    ];
    let class = match sign {
        'a'..='z' => classes[0],
        'A'..='Z' => classes[1],
        '0'..='9' => classes[2],
        _ if sign.is_numeric() => "٠١٢٣٤٥٦٧٨٩",
        '\u{370}'..='\u{3ff}' if sign.is_lowercase() => classes[3],
        '\u{370}'..='\u{3ff}' if sign.is_uppercase() => classes[4],
        '\u{400}'..='\u{4ff}' if sign.is_lowercase() => classes[5],
        '\u{400}'..='\u{4ff}' if sign.is_uppercase() => classes[6],
        '\u{3041}'..='\u{3096}' => classes[7],
        '\u{30a1}'..='\u{30fa}' => classes[8],
        _ if sign.is_lowercase() => "àáâãäåæçèéêëìíîïñòóôõöøùúûüý",
        _ if sign.is_uppercase() => "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ",
        '\u{ac00}'..='\u{d7a3}' => "가나다라마바사아자차카타파하고노도로모보소오조초코토포호",
        '\u{590}'..='\u{5ff}' => "אבגדהוזחטיכלמנסעפצקרשת",
        '\u{600}'..='\u{6ff}' => "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
        _ if sign.is_alphabetic() => "一二三四五六七八九十大小上下中山川日月火水木金土人口手目田石",
        _ => return sign,
    };
    let others: Vec<char> = class.chars().filter(|other| *other != sign).collect();
    others.get(usize::from(chance) % others.len()).copied().unwrap_or(sign)
}

/// The shape of a text: what stays the same when it is scrubbed.
pub fn shape(text: &str) -> String {
    let class = |sign: char| match sign {
        _ if sign.is_numeric() => '0',
        _ if sign.is_uppercase() => 'A',
        _ if sign.is_lowercase() => 'a',
        _ if sign.is_alphabetic() => 'o',
        _ => sign,
    };
    text.chars().map(class).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn secrets(known: &[&str], text: &str) -> String {
        Scrubber::new(Scrub::Secrets, b"salt", known.iter().map(|text| (*text).to_owned())).secrets(text)
    }

    #[test]
    fn every_pattern_finds_its_own() {
        for secret in [
            "anna.muster+x@example.org",
            "CH93 0076 2011 6238 5295 7",
            "+41 (79) 123-45-67",
            "4111 1111 1111 1111",
            "2f1c9e0a-7d44-4b1e-9a53-08c1f0d7b6aa",
            "sk_live_51HxAbCdEfGhIjKl",
        ] {
            let text = format!("before {secret} after");
            let scrubbed = secrets(&[], &text);
            assert!(scrubbed.starts_with("before ") && scrubbed.ends_with(" after"), "{scrubbed}");
            assert!(!scrubbed.contains(secret) && shape(&scrubbed) == shape(&text), "{scrubbed}");
        }
    }

    #[test]
    fn words_and_short_numbers_stay() {
        for text in ["Total: 1,299.50 EUR for 12 items", "Room 101, floor 3", "https://example.org/a", "internationalisation-of-everything"]
        {
            assert_eq!(secrets(&[], text), text);
        }
    }

    #[test]
    fn what_a_field_holds_goes_everywhere() {
        let scrubbed = secrets(&["Anna Muster", "Ann"], "Hello Anna Muster! Ann is too short to look for.");
        assert!(!scrubbed.contains("Anna") && !scrubbed.contains("Muster"), "{scrubbed}");
        assert!(scrubbed.ends_with("! Ann is too short to look for."), "{scrubbed}");
    }

    #[test]
    fn the_same_word_is_the_same_filler() {
        let mut scrubber = Scrubber::new(Scrub::Text, b"salt", []);
        let (one, two) = (scrubber.text("Muster"), scrubber.text("Anna Muster, Muster"));
        assert_eq!(two.matches(&one).count(), 2, "{one} in {two}");
        let mut other = Scrubber::new(Scrub::Text, b"pepper", []);
        assert_ne!(other.text("Muster"), one, "another capture, another filler");
    }

    proptest! {
        #[test]
        fn the_shape_stays_and_no_sign_does(text in "\\PC{0,80}") {
            let scrubbed = Scrubber::new(Scrub::Text, b"salt", []).text(&text);
            prop_assert_eq!(shape(&scrubbed), shape(&text));
            for (before, after) in text.chars().zip(scrubbed.chars()) {
                prop_assert_eq!(before == after, !before.is_alphanumeric(), "{} became {}", before, after);
            }
        }

        #[test]
        fn no_secret_is_left(before in "[a-z ]{0,12}", secret in "[A-Za-z]{2}[0-9A-Za-zé漢]{3,20}", after in "[a-z ]{0,12}") {
            let text = format!("{before} {secret} {after}, again {secret}.");
            let scrubbed = secrets(&[&secret], &text);
            prop_assert!(!scrubbed.contains(&secret), "{}", scrubbed);
            prop_assert_eq!(shape(&scrubbed), shape(&text));
            prop_assert_eq!(scrubbed.chars().count(), text.chars().count());
        }
    }
}
