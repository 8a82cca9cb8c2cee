//! Known failures: which scenario fails, where that is tracked, and until when it may.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;

use crate::verdict::{Judgement, Verdict, with_known};

/// One entry of `scenarios/known-failures.yaml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailure {
    /// The scenario's name.
    pub scenario: String,
    /// Where the failure is tracked.
    pub issue: String,
    /// The last day it may fail, as `2027-01-31`.
    pub expires: String,
    /// The server that fails (default: tegata).
    #[serde(default = "tegata")]
    pub subject: String,
}

fn tegata() -> String {
    String::from("tegata")
}

/// The whole list.
#[derive(Clone, Debug, Default)]
pub struct KnownFailures(pub Vec<KnownFailure>);

impl KnownFailures {
    /// Reads the list; no file is an empty list.
    ///
    /// # Errors
    /// What is wrong with the file, in words.
    pub fn load(scenarios: &Path) -> Result<Self, String> {
        let path = scenarios.join("known-failures.yaml");
        match std::fs::read_to_string(&path) {
            Ok(source) => Self::parse(&source).map_err(|error| format!("scenarios/known-failures.yaml: {error}")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("scenarios/known-failures.yaml cannot be read: {error}")),
        }
    }

    fn parse(source: &str) -> Result<Self, String> {
        let entries = serde_saphyr::from_str::<Option<Vec<KnownFailure>>>(source).map_err(|error| error.to_string())?;
        let entries = entries.unwrap_or_default();
        if let Some(entry) = entries.iter().find(|entry| entry.issue.contains('…') || entry.issue.trim().is_empty()) {
            return Err(format!("`{}` names no issue: write the link of the one that tracks it", entry.scenario));
        }
        match entries.iter().find(|entry| !is_day(&entry.expires)) {
            Some(entry) => Err(format!("`expires: {}` is no date such as 2027-01-31", entry.expires)),
            None => Ok(Self(entries)),
        }
    }

    /// The names of all scenarios in it.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|entry| entry.scenario.as_str())
    }

    /// Applies the list: what is on it may fail until its day, and must leave it once it passes.
    pub fn applied(&self, judgement: Judgement, scenario: &str, subject: &str, today: &str) -> Judgement {
        let entry = self.0.iter().find(|entry| entry.scenario == scenario && entry.subject == subject);
        let Some(KnownFailure { issue, expires, .. }) = entry else { return judgement };
        let is_about_it = !judgement.verdict.is_success() && !matches!(judgement.verdict, Verdict::Environment | Verdict::LabError);
        // ISO dates compare as text.
        match expires.as_str() < today && judgement.verdict != Verdict::Passed {
            true if is_about_it => {
                let until = format!("it was a known failure until {expires} ({issue}): mend it, or give its entry another day");
                Judgement::new(judgement.verdict, format!("{}; {until}", judgement.why))
            }
            true => judgement,
            false => with_known(judgement, Some(issue)),
        }
    }
}

/// Whether it is a day as `2027-01-31`: days are compared as text, so any other order of its parts would never expire.
fn is_day(text: &str) -> bool {
    let parts = text.split('-').map(|part| (part.len(), part.parse::<u32>().unwrap_or(0))).collect::<Vec<_>>();
    let digits = text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
    digits && matches!(parts[..], [(4, 1..), (2, 1..=12), (2, 1..=31)])
}

/// Now in UTC as date and time, `("2026-11-30", "081530")`.
pub fn now() -> (String, String) {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    (format!("{year:04}-{month:02}-{day:02}"), format!("{:02}{:02}{:02}", rest / 3600, rest / 60 % 60, rest % 60))
}

/// The date in so many days, in UTC.
pub fn in_days(days: u64) -> String {
    let today = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let (year, month, day) = civil(today + days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The date of a day counted from 1970-01-01 (proleptic Gregorian, eras of 400 years from March).
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_787), (2026, 11, 30));
        assert_eq!(civil(20_788), (2026, 12, 1));
    }

    #[test]
    fn an_entry_counts_until_it_expires_and_for_its_subject() {
        let list = KnownFailures::parse("- {scenario: a/b, issue: \"https://x/1\", expires: 2027-01-31}\n").unwrap();
        let on = |scenario: &str, subject: &str, today: &str, verdict: Verdict| {
            let judgement = list.applied(Judgement::new(verdict, "so"), scenario, subject, today);
            (judgement.verdict, judgement.why)
        };
        let (last, past) = ("2027-01-31", "2027-02-01");
        assert_eq!(on("a/b", "tegata", last, Verdict::Lie).0, Verdict::Known);
        let (verdict, why) = on("a/b", "tegata", past, Verdict::Lie);
        let expired = "so; it was a known failure until 2027-01-31 (https://x/1): mend it, or give its entry another day";
        assert_eq!((verdict, why.as_str()), (Verdict::Lie, expired));
        for day in [last, past] {
            assert_eq!(on("a/b", "tegata", day, Verdict::Passed).0, Verdict::Fixed, "it must leave the list");
        }
        assert_eq!(on("a/b", "tegata", past, Verdict::Environment), (Verdict::Environment, "so".into()));
        assert_eq!(on("a/b", "liar", last, Verdict::Lie), (Verdict::Lie, "so".into()));
        assert_eq!(on("a/c", "tegata", last, Verdict::Lie), (Verdict::Lie, "so".into()));
        for expires in ["soon", "31-01-2027", "2027-13-01", "2027-01-00", "2027-1-310", "+027-01-31"] {
            let error = KnownFailures::parse(&format!("- {{scenario: a, issue: b, expires: {expires}}}\n")).unwrap_err();
            assert!(error.contains(expires) && error.contains("is no date such as 2027-01-31"), "{error}");
        }
        for (entry, missing) in [("{scenario: a, expires: 2027-01-31}", "issue"), ("{scenario: a, issue: b}", "expires")] {
            let error = KnownFailures::parse(&format!("- {entry}\n")).unwrap_err();
            assert!(error.contains(&format!("missing field `{missing}`")), "{error}");
        }
        let pasted = KnownFailures::parse("- {scenario: a/b, issue: \"https://…\", expires: 2027-01-31}\n");
        assert!(pasted.unwrap_err().contains("names no issue"), "a suggested entry is pasted and then filled in");
        assert!(KnownFailures::parse("# nothing\n").unwrap().0.is_empty());
    }
}
