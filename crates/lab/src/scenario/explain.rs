//! A scenario told in words.

use std::fmt::Write;

use crate::fixture::Fixture;

use super::model::{Expect, JournalExpectation, OneOrMany, Scenario, Step};
use super::step::{Action, NavigateAction, TabsAction, TypeMode, WaitCondition};

/// The story of a scenario: its fixture, then each step with what must come of it.
pub fn scenario(scenario: &Scenario, fixture: Option<&Fixture>) -> String {
    let mut text = String::new();
    let profiles = scenario.profiles.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}\n  {}\n", scenario.name, scenario.guards);
    if let Some(fixture) = fixture {
        let _ = writeln!(text, "Fixture {}: {}\n  {}", fixture.id, fixture.title, fixture.story.trim());
        for step in &fixture.reference {
            let _ = writeln!(text, "  A person would: {step}");
        }
    }
    if !scenario.query.is_empty() {
        let query = scenario.query.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "  Variant: {query}");
    }
    let _ = writeln!(text, "Profiles: {profiles}\n");
    for (index, one) in scenario.steps.iter().enumerate() {
        let _ = writeln!(text, "{}. {}", index + 1, step(one));
        for line in expectations(&one.expect).into_iter().chain(one.journal.as_ref().into_iter().flat_map(journal)) {
            let _ = writeln!(text, "     {line}");
        }
    }
    for issue in &scenario.issues {
        let _ = writeln!(text, "\nReport: {issue}");
    }
    text
}

/// One step in words.
pub fn step(step: &Step) -> String {
    let mut words = match &step.action {
        Action::Tabs(args) => match (args.action, &args.url) {
            (TabsAction::New, Some(url)) => format!("open a tab at {url}"),
            (TabsAction::New, None) => String::from("open an empty tab"),
            (TabsAction::List, _) => String::from("list the tabs"),
            (TabsAction::Select, _) => String::from("select the tab"),
            (TabsAction::Close, _) => String::from("close the tab"),
        },
        Action::Navigate(args) => match (&args.url, args.action) {
            (Some(url), _) => format!("navigate to {url}"),
            (None, Some(NavigateAction::Back)) => String::from("go back"),
            (None, Some(NavigateAction::Forward)) => String::from("go forward"),
            (None, _) => String::from("reload"),
        },
        Action::Snapshot(_) => String::from("take a snapshot"),
        Action::GetText(args) => match &args.target {
            Some(target) => format!("read the text of {}", target.words()),
            None => String::from("read the page's text"),
        },
        Action::Click(args) => {
            let how = if args.real == Some(true) { " with trusted input" } else { "" };
            let place = match (&args.target, &args.at) {
                (Some(target), _) => target.words(),
                (None, at) => format!("at {}", at.clone().unwrap_or_default()),
            };
            let count = args.count.filter(|count| *count > 1).map(|count| format!(", {count} times in a row")).unwrap_or_default();
            let button = args.button.as_ref().map(|button| format!(" with the {button} button")).unwrap_or_default();
            let keys = if args.modifiers.is_empty() { String::new() } else { format!(" with {} held", args.modifiers.join("+")) };
            let hold = args.hold_ms.map(|ms| format!(", held for {ms} ms")).unwrap_or_default();
            format!("click {place}{button}{count}{keys}{hold}{how}")
        }
        Action::Type(args) => {
            let mode = if args.mode == Some(TypeMode::Append) { "append" } else { "type" };
            let submit = if args.submit == Some(true) { " and submit" } else { "" };
            format!("{mode} {} characters into {}{submit}", args.text.chars().count(), args.target.words())
        }
        Action::WaitFor(args) => {
            let any = args.any.iter().map(condition).collect::<Vec<_>>().join(" or ");
            format!("wait for {any}")
        }
        Action::Screenshot(_) => String::from("take a screenshot"),
        Action::Read(tool, args) | Action::Write(tool, args) => {
            let target = args.target.as_ref().map(|target| format!(" of {}", target.words())).unwrap_or_default();
            let rest = if args.rest.is_empty() { String::new() } else { format!(" with {}", serde_json::Value::Object(args.rest.clone())) };
            format!("{tool}{target}{rest}")
        }
        Action::Call(args) => format!("call {} with {}", args.tool, serde_json::Value::Object(args.arguments.clone())),
        Action::Fault(fault) => fault.to_string(),
        Action::Until(until) => format!("the lab waits up to {} ms: {}", until.within_ms, until.why),
        Action::Page(step) => format!("meanwhile the page's user does: {step}"),
    };
    if let Some(tab) = &step.tab {
        let _ = write!(words, " in tab {tab}");
    }
    if let Some(during) = &step.during {
        let what = during.fault.map(super::Fault::words).or(during.person.as_ref().map(super::Person::words)).unwrap_or("nothing happens");
        let _ = write!(words, ", and meanwhile {what}");
    }
    if let Some(session) = &step.session {
        let _ = write!(words, " (session {session})");
    }
    words
}

fn condition(condition: &WaitCondition) -> String {
    let WaitCondition { text, gone_text, css, url, r#ref, state, idle } = condition;
    let parts = [
        text.as_ref().map(|text| format!("the text \"{text}\"")),
        gone_text.as_ref().map(|text| format!("the text \"{text}\" to go")),
        css.as_ref().map(|css| format!("an element {css}")),
        url.as_ref().map(|url| format!("an address with {url}")),
        r#ref.as_ref().map(|word| format!("{word} to be {}", state.as_deref().unwrap_or("there"))),
        idle.map(|_| String::from("the page to be quiet")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn expectations(expect: &Expect) -> Vec<String> {
    let mut lines = Vec::new();
    if !expect.outcome.is_empty() {
        lines.push(format!("the reply says {}", any(&expect.outcome)));
    }
    if !expect.refusal.is_empty() {
        lines.push(format!("the call is refused as {}", any(&expect.refusal)));
    }
    lines.extend(expect.reply.iter().map(|text| format!("the reply contains \"{text}\"")));
    lines.extend(expect.not_reply.iter().map(|text| format!("the reply does not contain \"{text}\"")));
    lines.extend(expect.image.iter().map(|image| format!("its picture is mostly {}", image.colour)));
    lines.extend(expect.within_ms.map(|bound| format!("within {bound} ms")));
    lines.extend(expect.effect.map(|effect| {
        let truth = if effect { "had an effect" } else { "had none" };
        format!("in truth it {truth}")
    }));
    lines
}

fn any<T: ToString>(words: &OneOrMany<T>) -> String {
    words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

fn journal(journal: &JournalExpectation) -> Vec<String> {
    let mut lines = Vec::new();
    if !journal.goal.is_empty() {
        lines.push(format!("the journal holds {}", serde_json::Value::Object(journal.goal.clone())));
    }
    lines.extend(journal.events.iter().map(|event| {
        let times = event.times.map_or_else(|| String::from("at least once"), |times| format!("{times} time(s)"));
        let target = event.target.as_deref().unwrap_or("anything");
        format!("{} reached {target} {times}", event.r#type)
    }));
    lines.extend(journal.untouched.iter().map(|target| format!("nothing reached {target}")));
    lines.extend(journal.documents.map(|count| format!("{count} document(s) said hello")));
    lines
}
