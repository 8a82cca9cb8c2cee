//! Which extensions this instance knows, and the one-time code that makes it know another.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hmac::{Hmac, KeyInit, Mac};
use protocol::{Key, RefusedWhy};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::state::{StateDir, StateError, from_hex, now_ms, random_hex, to_hex};

/// How long a one-time code is good.
const CODE_LIFE_MS: u64 = 10 * 60 * 1000;

const FILE: &str = "pairings.json";

/// The pairings of one instance, kept in its 0600 file.
#[derive(Debug)]
pub struct Pairings {
    state: StateDir,
    book: Mutex<Book>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Book {
    /// Random id of this state directory.
    instance: String,
    /// The open code: one at a time, a new one ends the one before.
    code: Option<Code>,
    /// Extension instance → what both keep.
    known: BTreeMap<String, Known>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Code {
    code: String,
    until: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Known {
    secret: String,
    since: u64,
}

impl Pairings {
    /// Reads them, or begins.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn open(state: &StateDir) -> Result<Self, StateError> {
        let path = state.file(FILE);
        let book = match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| StateError::File { path, source: error.into() })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let instance = random_hex()?.chars().take(32).collect();
                let book = Book { instance, code: None, known: BTreeMap::new() };
                state.write(FILE, &book)?;
                book
            }
            Err(source) => return Err(StateError::File { path, source }),
        };
        Ok(Self { state: state.clone(), book: Mutex::new(book) })
    }

    /// Random id of this state directory.
    #[must_use]
    pub fn instance(&self) -> String {
        self.book().instance.clone()
    }

    /// How many extensions are paired.
    #[must_use]
    pub fn count(&self) -> usize {
        self.book().known.len()
    }

    /// Makes a one-time code; the one before is over.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn mint(&self) -> Result<String, StateError> {
        let code = random_hex()?;
        self.change(|book| book.code = Some(Code { code: code.clone(), until: now_ms() + CODE_LIFE_MS }))?;
        Ok(code)
    }

    /// The key that a hello of this extension must be proven with.
    ///
    /// # Errors
    /// The word of refusal.
    pub fn key(&self, instance: &str, key: Key) -> Result<Vec<u8>, RefusedWhy> {
        let book = self.book();
        match key {
            Key::Secret => book.known.get(instance).and_then(|known| from_hex(&known.secret)).ok_or(RefusedWhy::Unpaired),
            Key::Code => {
                let open = book.code.as_ref().filter(|code| now_ms() < code.until);
                open.and_then(|code| from_hex(&code.code)).ok_or(RefusedWhy::Code)
            }
        }
    }

    /// Spends the code and keeps the secret that both sides derive from it.
    ///
    /// # Errors
    /// The word of refusal when the code is no longer the open one.
    pub fn pair(&self, instance: &str, code: &[u8], extension_nonce: &str, daemon_nonce: &str) -> Result<(), RefusedWhy> {
        let still_open = self.book().code.as_ref().is_some_and(|open| from_hex(&open.code).as_deref() == Some(code));
        if !still_open {
            return Err(RefusedWhy::Code);
        }
        let secret = to_hex(&sign(code, &format!("tegata/1/secret/{extension_nonce}/{daemon_nonce}")));
        let kept = self.change(|book| {
            book.code = None;
            book.known.insert(instance.to_owned(), Known { secret, since: now_ms() });
        });
        kept.map_err(|error| {
            tracing::error!(%error, "a pairing could not be kept");
            RefusedWhy::Code
        })
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Book)) -> Result<(), StateError> {
        let mut book = self.book();
        let mut draft = book.clone();
        change(&mut draft);
        self.state.write(FILE, &draft)?;
        *book = draft;
        Ok(())
    }
}

/// HMAC-SHA256 of a text.
#[must_use]
pub fn sign(key: &[u8], text: &str) -> Vec<u8> {
    keyed(key, text).map(|mac| mac.finalize().into_bytes().to_vec()).unwrap_or_default()
}

/// Proof of one side of the handshake, in hex.
#[must_use]
pub fn proof(key: &[u8], side: &str, extension_nonce: &str, daemon_nonce: &str) -> String {
    to_hex(&sign(key, &proven(side, extension_nonce, daemon_nonce)))
}

/// Whether a proof holds; in constant time.
#[must_use]
pub fn proves(key: &[u8], side: &str, extension_nonce: &str, daemon_nonce: &str, proof: &str) -> bool {
    let Some(given) = from_hex(proof) else {
        return false;
    };
    keyed(key, &proven(side, extension_nonce, daemon_nonce)).is_some_and(|mac| mac.verify_slice(&given).is_ok())
}

fn proven(side: &str, extension_nonce: &str, daemon_nonce: &str) -> String {
    format!("tegata/1/{side}/{extension_nonce}/{daemon_nonce}")
}

fn keyed(key: &[u8], text: &str) -> Option<Hmac<Sha256>> {
    // HMAC takes keys of any length; there is no failing case.
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key).ok()?;
    mac.update(text.as_bytes());
    Some(mac)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_pairs_once_and_the_secret_outlives_the_process() {
        let place = tempfile::tempdir().unwrap();
        let state = StateDir::at(place.path());
        let pairings = Pairings::open(&state).unwrap();
        assert_eq!(pairings.key("one", Key::Secret), Err(RefusedWhy::Unpaired));
        assert_eq!(pairings.key("one", Key::Code), Err(RefusedWhy::Code));
        let code = pairings.mint().unwrap();
        let key = pairings.key("one", Key::Code).unwrap();
        assert_eq!(to_hex(&key), code);
        assert_eq!(pairings.pair("one", &key, "a", "b"), Ok(()));
        assert_eq!(pairings.pair("two", &key, "a", "b"), Err(RefusedWhy::Code));
        let again = Pairings::open(&state).unwrap();
        assert_eq!(again.key("one", Key::Secret).unwrap(), sign(&key, "tegata/1/secret/a/b"));
        assert_eq!(again.instance(), pairings.instance());
    }

    #[test]
    fn a_proof_holds_for_its_side_and_nonces_only() {
        let text = proof(b"key", "extension", "1", "2");
        assert!(proves(b"key", "extension", "1", "2", &text));
        for (key, side, nonce) in [("yek", "extension", "2"), ("key", "daemon", "2"), ("key", "extension", "3")] {
            assert!(!proves(key.as_bytes(), side, "1", nonce, &text));
        }
        assert!(!proves(b"key", "extension", "1", "2", "not hex"));
    }

    #[test]
    fn proofs_and_secret_are_those_of_the_golden_handshake() {
        let text = include_str!("../../../../fixtures/wire/handshake.json");
        let golden: serde_json::Value = serde_json::from_str(text).unwrap();
        let word = |at: &str| golden.pointer(at).and_then(serde_json::Value::as_str).unwrap();
        let code = from_hex(word("/code")).unwrap();
        let (extension, daemon) = (word("/frames/0/hello/nonce"), word("/frames/1/challenge/nonce"));
        assert_eq!(proof(&code, "daemon", extension, daemon), word("/frames/1/challenge/proof"));
        assert_eq!(proof(&code, "extension", extension, daemon), word("/frames/2/proof"));
        assert_eq!(to_hex(&sign(&code, &format!("tegata/1/secret/{extension}/{daemon}"))), word("/secret"));
    }
}
