//! Reads scenario files and turns them into scenarios.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_saphyr::Error as YamlError;

use crate::fixture::Fixture;

use super::check;
use super::error::{LoadError, ScenarioError, did_you_mean};
use super::model::{Profile, Scenario, ScenarioFile, Step, StepFile};

/// What a scenario may name: the fixtures and their variants.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Fixture id → its query switches and their values.
    pub fixtures: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// Fixture id → every word that may be a key of its goal; one that is not here is not checked.
    pub goals: BTreeMap<String, BTreeSet<String>>,
}

impl Catalog {
    /// The catalog of these fixtures.
    pub fn of<'a>(fixtures: impl IntoIterator<Item = &'a Fixture>) -> Self {
        let mut catalog = Self::default();
        let mut inner = BTreeMap::<PathBuf, BTreeSet<String>>::new();
        for fixture in fixtures {
            catalog.fixtures.insert(fixture.id.clone(), fixture.variants.clone());
            let folder = fixture.page.parent().unwrap_or(Path::new("")).to_owned();
            // Documents in its frames have a say in the goal, too.
            let mut words = inner.entry(folder).or_insert_with_key(|folder| inner_words(folder)).clone();
            words.extend(fixture.goal.keys().chain(&fixture.effect_keys).cloned());
            if let Ok(page) = fs::read_to_string(&fixture.page) {
                words.extend(words_of(&page));
                catalog.goals.insert(fixture.id.clone(), words);
            }
        }
        catalog
    }
}

/// The words of all documents of a folder that are led to or framed by its pages.
fn inner_words(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_inner = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'));
    entries.filter(is_inner).filter_map(|path| fs::read_to_string(path).ok()).flat_map(|page| words_of(&page)).collect()
}

/// Everything in a page that could be a name in its script.
fn words_of(page: &str) -> BTreeSet<String> {
    page.split(|sign: char| !sign.is_alphanumeric() && sign != '_' && sign != '$')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Files in `scenarios/` that are no scenarios.
const NOT_SCENARIOS: [&str; 1] = ["known-failures"];

/// A scenario whose file has faults.
#[derive(Debug)]
pub struct Unreadable {
    /// Its name.
    pub name: String,
    /// What is wrong.
    pub faults: Vec<ScenarioError>,
}

/// Reads and checks all scenarios of a folder, in the order of their names.
///
/// # Errors
/// All faults of all files at once, so that one run of `lint` shows everything.
pub fn load_all(folder: &Path, catalog: &Catalog) -> Result<Vec<Scenario>, LoadError> {
    let (scenarios, unreadable) = load_readable(folder, catalog)?;
    match unreadable.is_empty() {
        true => Ok(scenarios),
        false => Err(LoadError::of(unreadable)),
    }
}

/// The same, with those that have faults apart: they must not keep the others from being run.
///
/// # Errors
/// When a file or folder cannot be read at all.
pub fn load_readable(folder: &Path, catalog: &Catalog) -> Result<(Vec<Scenario>, Vec<Unreadable>), LoadError> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut scenarios = Vec::new();
    let mut unreadable = Vec::new();
    for path in files {
        let source = fs::read_to_string(&path).map_err(|source| LoadError::Unreadable { path: path.clone(), source })?;
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        if NOT_SCENARIOS.contains(&name.as_str()) {
            continue;
        }
        let file = format!("scenarios/{name}.yaml");
        match parse(&name, &file, &source, catalog) {
            Ok(scenario) => scenarios.push(scenario),
            Err(faults) => unreadable.push(Unreadable { name, faults }),
        }
    }
    Ok((scenarios, unreadable))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "yaml") {
            files.push(path);
        }
    }
    Ok(())
}

/// Parses and checks one scenario file. `file` is its name in error messages.
///
/// # Errors
/// Every fault with its place.
pub fn parse(name: &str, file: &str, source: &str, catalog: &Catalog) -> Result<Scenario, Vec<ScenarioError>> {
    let options = serde_saphyr::options! { with_snippet: false };
    let raw: ScenarioFile = serde_saphyr::from_str_with_options(source, options)
        .map_err(|error| vec![in_place(file, source, error.without_snippet(), SCHEMA)])?;
    let faults = check::Faults::new(file, source);
    let mut checker = check::Checker::new(faults, catalog);
    checker.file(&raw);
    let mut steps = Vec::new();
    for spanned in raw.steps {
        let location = spanned.referenced;
        let mut step = spanned.value;
        checker.places(&step);
        match step.take_action() {
            Ok(action) => {
                let StepFile { r#as, session, tab, as_tab, during, expect, journal, .. } = step;
                let step = Step {
                    line: location.line(),
                    action,
                    remember: r#as,
                    session,
                    tab: tab.map(|tab| tab.value),
                    remember_tab: as_tab,
                    during: during.map(|during| during.value),
                    expect: expect.map(|expect| expect.value).unwrap_or_default(),
                    journal,
                };
                checker.step(&step, &location);
                steps.push(step);
            }
            Err(found) => checker.not_one_action(&found, &location),
        }
    }
    let scenario = Scenario {
        name: name.to_owned(),
        guards: raw.guards,
        issues: raw.issues,
        fixture: raw.fixture.value,
        query: raw.query.into_iter().map(|(key, value)| (key, value.value)).collect(),
        profiles: if raw.profiles.is_empty() { vec![Profile::Calm] } else { raw.profiles },
        open: raw.open.unwrap_or(true),
        steps,
    };
    checker.profiles(&scenario);
    let faults = checker.into_faults();
    if faults.is_empty() { Ok(scenario) } else { Err(faults) }
}

/// The schema of scenario files.
const SCHEMA: &str = "scenarios/scenario.schema.json";

/// A reader's error, told as a fault of the file that has this schema.
pub(crate) fn in_place(file: &str, source: &str, error: &YamlError, schema: &str) -> ScenarioError {
    let place = error.location();
    let fault = match error {
        YamlError::SerdeUnknownField { field, expected, .. } => unknown(file, source, "unknown key", field, expected, "the keys here are"),
        YamlError::SerdeUnknownVariant { variant, expected, .. } => {
            unknown(file, source, "unknown word", variant, expected, "the words here are")
        }
        YamlError::SerdeMissingField { field, .. } => ScenarioError::new(file, source, format!("the key `{field}` is missing"))
            .with_help(format!("docs and completion come from {schema}")),
        YamlError::DuplicateMappingKey { key: Some(key), .. } => {
            ScenarioError::new(file, source, format!("the key `{key}` stands here twice"))
        }
        other => {
            let text = other.to_string();
            // The reader repeats the place in its text; the caret shows it already.
            let text = text.split(" at line ").next().unwrap_or(&text).to_owned();
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            let text = text.split_once(": ").filter(|(head, _)| head.starts_with("line ")).map_or(text, |(_, tail)| tail);
            ScenarioError::new(file, source, text)
        }
    };
    let Some(place) = place else { return fault };
    match error {
        // The reader points at the mapping around a single word, and past one that lacks a key.
        YamlError::SerdeUnknownField { field: word, .. } | YamlError::SerdeUnknownVariant { variant: word, .. } => {
            fault.at_word(&place, word)
        }
        YamlError::SerdeMissingField { .. } => fault.at_mapping(&place),
        _ => fault.at(&place),
    }
}

fn unknown(file: &str, source: &str, what: &str, word: &str, expected: &[&str], list: &str) -> ScenarioError {
    let fault = ScenarioError::new(file, source, format!("{what} `{word}`"));
    let all = expected.join(", ");
    match did_you_mean(word, expected.iter().copied()) {
        Some(near) => fault.with_help(format!("did you mean `{near}`? ({list}: {all})")),
        None => fault.with_help(format!("{list}: {all}")),
    }
}
