//! `lab compare`: the scenarios that act, against several subjects one after the other, as the honesty matrix.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::cli::{CompareArgs, ProfileChoice};
use crate::report::matrix::{Column, details, totals};
use crate::report::note;
use crate::runner::Manner;
use crate::scenario::{Profile, Scenario};
use crate::subject::{Adapter, Plan};

use super::scenario::{How, Library, play};
use super::{CommandError, Exit, Selection, print, write};

pub(super) async fn run(root: &Path, args: CompareArgs) -> Result<Exit, CommandError> {
    let library = Library::load(root)?;
    let named = library.named(&args.filter)?;
    let scenarios = named.iter().filter(|scenario| is_comparable(scenario)).map(|one| Arc::clone(one)).collect::<Vec<_>>();
    let selection = Selection { profile: ProfileChoice::Calm, ..Selection::default() };
    let jobs = selection.jobs(&scenarios, &library.fixtures);
    if jobs.is_empty() {
        return Err(CommandError::NothingMatched("no scenario of that name acts on a page in the calm profile".into()));
    }
    // What is wrong with the last subject is told before the first has run for minutes.
    let mut plans = Vec::new();
    let mut versions = BTreeMap::new();
    for name in &args.against {
        let adapter = Adapter::load(&root.join("subjects"), name)?;
        if let Some(folder) = &adapter.packages {
            versions.extend(dependencies(&root.join(folder)));
        }
        note(&format!("preparing {name}"));
        plans.push((name.clone(), adapter.title, Plan::prepare(root, name).await?));
    }
    let mut columns = Vec::new();
    for (subject, title, plan) in plans {
        let how = How { workers: usize::from(args.jobs), manner: Manner::default(), unreadable: Vec::new() };
        // What is known to fail is told as it is: the matrix shows what happens.
        let outcome = play(root, jobs.clone(), (subject.clone(), plan), how, Default::default(), Vec::new()).await?;
        if outcome.interrupted {
            return Ok(Exit::Interrupted);
        }
        columns.push(Column { subject, title, reports: outcome.reports });
    }
    let text = document(&columns, &versions, &args, (jobs.len(), named.len()));
    if let Some(file) = &args.out {
        write(file, &text)?;
    }
    print(&text)?;
    Ok(Exit::Ok)
}

/// Whether a scenario asks what a subject claims of something it did, and of nothing that only our own bridge has.
fn is_comparable(scenario: &Scenario) -> bool {
    scenario.has_writes() && !scenario.has_faults() && scenario.profiles.contains(&Profile::Calm)
}

/// The packages a folder asks for, with their exact versions.
fn dependencies(folder: &Path) -> BTreeMap<String, String> {
    #[derive(serde::Deserialize)]
    struct Package {
        dependencies: BTreeMap<String, String>,
    }
    let text = std::fs::read_to_string(folder.join("package.json")).unwrap_or_default();
    serde_json::from_str::<Package>(&text).map(|package| package.dependencies).unwrap_or_default()
}

fn document(columns: &[Column], versions: &BTreeMap<String, String>, args: &CompareArgs, (judged, named): (usize, usize)) -> String {
    let filter = args.filter.names.iter().map(|name| format!(" {name}")).collect::<String>();
    let out = args.out.as_ref().map(|file| format!(" --out {}", file.display())).unwrap_or_default();
    let command = format!("cargo run --release -p lab -- compare --against {}{filter}{out}", args.against.join(","));
    let subjects = columns.iter().map(|column| format!("- `{}`: {}", column.subject, column.title)).collect::<Vec<_>>().join("\n");
    let versions = match versions.iter().map(|(name, version)| format!("`{name}` {version}")).collect::<Vec<_>>() {
        names if names.is_empty() => String::new(),
        names => format!("\n\nnpm packages: {}.", names.join(", ")),
    };
    format!(
        "# Honesty\n\nWho says what is so: the same scenarios against several browser servers, each claim held against what the page's own\n\
         witness saw. Made by\n\n    {command}\n\n{subjects}{versions}\n\n\
         Of {named} scenarios the {judged} that act on a page are judged (profile calm; a scenario that only reads, or in which a part of our\n\
         own bridge is lost, is left out). A server without words for outcomes claims success with every reply that is no error. Of such a\n\
         server only the claim is judged, against the journal, and an effect may come up to 1.5 s after the reply: neither the words of its\n\
         replies nor the scenarios' bounds on time are looked at, which are promises of this project; `tegata` is held to all of them.\n\n\
         A **lie** claims an effect that is not there; a **false alarm** claims none where there was one; **evasive** cannot tell where it can\n\
         be known; **wrong reason** is right about the effect and wrong about why; **not seen**: its snapshot does not show the target;\n\
         **not expressible**: it has no tool for a step; **failed otherwise**: among them those that act where they must not, such as on a\n\
         node that has become another one.\n\n{}\n## Each scenario\n\n{}",
        totals(columns),
        details(columns),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Catalog, parse};

    #[test]
    fn the_document_names_its_command_and_the_versions() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/peers");
        let versions = dependencies(&folder);
        assert_eq!(versions.len(), 3, "{versions:?}");
        assert!(versions.values().all(|version| version.chars().next().is_some_and(|first| first.is_ascii_digit())), "exact: {versions:?}");
        let filter = crate::cli::FilterArgs { names: vec!["pointer/".into()] };
        let args = CompareArgs { against: vec!["a".into(), "b".into()], filter, out: Some("docs/x.md".into()), jobs: 1 };
        let columns = [Column { subject: "a".into(), title: "A server".into(), reports: Vec::new() }];
        let text = document(&columns, &versions, &args, (3, 4));
        assert!(
            text.contains("    cargo run --release -p lab -- compare --against a,b pointer/ --out docs/x.md\n\n- `a`: A server\n"),
            "{text}"
        );
        assert!(text.contains("npm packages: `@playwright/mcp` ") && text.contains("Of 4 scenarios the 3 "), "{text}");
    }

    #[test]
    fn only_what_acts_is_compared() {
        let catalog =
            Catalog { fixtures: std::iter::once(("pointer/late".to_owned(), Default::default())).collect(), ..Catalog::default() };
        let comparable = |head: &str, step: &str| {
            let source = format!("guards: x\nfixture: pointer/late\n{head}steps:\n  - {step}\n");
            is_comparable(&parse("a/b", "a/b", &source, &catalog).unwrap())
        };
        let click = "click: {target: {css: \"#go\"}}\n    expect: {outcome: changed, effect: true}";
        assert!(comparable("", click));
        assert!(comparable("profiles: [wild, calm]\n", click));
        assert!(!comparable("profiles: [wild]\n", click));
        assert!(!comparable("", "snapshot: {}"));
        assert!(!comparable("", &format!("fault: kill_daemon\n  - {click}")));
    }
}
