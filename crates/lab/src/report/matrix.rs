//! The honesty matrix: several subjects on the same scenarios, as Markdown. Pure.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::event::{ScenarioReport, summary};
use crate::verdict::Verdict;

/// What one subject came to.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub subject: String,
    /// What it is.
    pub title: String,
    /// What came of each scenario.
    pub reports: Vec<ScenarioReport>,
}

/// The columns of the summary: a heading, and the verdicts that are counted under it.
const COUNTED: [(&str, &[Verdict]); 9] = [
    ("passed", &[Verdict::Passed, Verdict::Flaky, Verdict::Fixed]),
    ("lies", &[Verdict::Lie]),
    ("false alarms", &[Verdict::FalseAlarm]),
    ("evasive", &[Verdict::Evasive]),
    ("wrong reason", &[Verdict::WrongReason]),
    ("failed otherwise", &[Verdict::Failed, Verdict::Known]),
    ("not seen", &[Verdict::NotSeen]),
    ("not expressible", &[Verdict::NotExpressible]),
    ("not judged", &[Verdict::Environment, Verdict::LabError]),
];

/// A row a subject: how many scenarios came to what, and how long a write took.
pub fn totals(columns: &[Column]) -> String {
    let heads = COUNTED.map(|(head, _)| head).join(" | ");
    let mut text = format!("| subject | scenarios | {heads} | median ms of a write |\n|---|---:|{}---:|\n", "---:|".repeat(COUNTED.len()));
    for column in columns {
        let counts = summary(&column.reports);
        let counted = COUNTED.map(|(_, verdicts)| {
            let count: usize = verdicts.iter().filter_map(|verdict| counts.get(verdict.word())).sum();
            count.to_string()
        });
        let median = median_of_writes(&column.reports).map_or_else(|| "–".into(), |ms| ms.to_string());
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| {} | {} | {} | {median} |", column.subject, column.reports.len(), counted.join(" | "));
    }
    text
}

/// The middle of the times that calls took whose replies claimed something.
fn median_of_writes(reports: &[ScenarioReport]) -> Option<u64> {
    let writes = reports.iter().flat_map(|report| &report.steps).filter(|step| step.claim.is_some());
    let mut times = writes.map(|step| step.ms).collect::<Vec<_>>();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// A row a scenario: the verdict of each subject.
pub fn details(columns: &[Column]) -> String {
    let subjects = columns.iter().map(|column| column.subject.as_str()).collect::<Vec<_>>();
    let mut text = format!("| scenario | {} |\n|---|{}\n", subjects.join(" | "), "---|".repeat(subjects.len()));
    let mut rows = BTreeMap::<String, BTreeMap<&str, Verdict>>::new();
    for column in columns {
        for report in &column.reports {
            rows.entry(report.case().to_string()).or_default().insert(&column.subject, report.verdict);
        }
    }
    for (case, verdicts) in rows {
        let words = subjects.iter().map(|subject| match verdicts.get(subject) {
            Some(Verdict::Lie) => "**lie**".to_owned(),
            Some(Verdict::FalseAlarm) => "**false alarm**".to_owned(),
            Some(verdict) => verdict.word().replace('_', " "),
            None => "–".to_owned(),
        });
        let _ = writeln!(text, "| {case} | {} |", words.collect::<Vec<_>>().join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::StepReport;
    use crate::scenario::Profile;

    fn report(name: &str, verdict: Verdict, writes: &[u64]) -> ScenarioReport {
        let step = |ms: &u64| StepReport {
            step: "click".into(),
            line: 1,
            verdict,
            claim: Some("success".into()),
            truth: None,
            reason: String::new(),
            ms: *ms,
            at_ms: 0,
            pictures: None,
        };
        let read = StepReport { claim: None, ..step(&9000) };
        ScenarioReport {
            name: name.into(),
            fixture: "pointer/control".into(),
            subject: "x".into(),
            profile: Profile::Calm,
            verdict,
            reason: String::new(),
            attempts: 1,
            duration_ms: 1,
            steps: writes.iter().map(step).chain([read]).collect(),
            round: 1,
            kept: None,
            earlier: Vec::new(),
        }
    }

    fn columns() -> Vec<Column> {
        let column = |subject: &str, reports| Column { subject: subject.into(), title: String::new(), reports };
        vec![
            column("honest", vec![report("a/one", Verdict::Passed, &[10, 30, 20]), report("a/two", Verdict::WrongReason, &[5])]),
            column(
                "liar",
                vec![report("a/one", Verdict::Lie, &[]), report("a/two", Verdict::NotSeen, &[]), report("b", Verdict::FalseAlarm, &[])],
            ),
        ]
    }

    #[test]
    fn every_verdict_is_counted_once() {
        for verdict in Verdict::ALL {
            let places = COUNTED.iter().filter(|(_, verdicts)| verdicts.contains(&verdict)).count();
            assert_eq!(places, 1, "{verdict}");
        }
        let text = totals(&columns());
        assert!(text.contains("| honest | 2 | 1 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 20 |\n"), "{text}");
        assert!(text.contains("| liar | 3 | 0 | 1 | 1 | 0 | 0 | 0 | 1 | 0 | 0 | – |\n"), "{text}");
    }

    #[test]
    fn each_scenario_stands_on_a_line() {
        let text = details(&columns());
        assert!(
            text.contains("| a/one | passed | **lie** |\n| a/two | wrong reason | not seen |\n| b | – | **false alarm** |\n"),
            "{text}"
        );
    }
}
