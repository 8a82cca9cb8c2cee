//! The hand: reference steps as real WebDriver input.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use thirtyfour::common::command::FormatRequestData;
use thirtyfour::{RequestData, SessionId, WebDriver};

use super::error::ChromeError;
use crate::fixture::{Action, Direction, FixtureServer, Prompt, ReferenceStep};

/// How long a `wait_goal` step may wait.
const GOAL_BOUND: Duration = Duration::from_secs(10);
/// The key under which WebDriver hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// The same for shadow roots.
const SHADOW: &str = "shadow-6066-11e4-a52e-4f735466cecf";

/// Performs steps in the driver's current window.
pub(super) struct Hand<'a> {
    driver: &'a WebDriver,
    server: &'a FixtureServer,
    run: &'a str,
}

/// A command of the WebDriver standard, sent as it is: the driver library has no shadow roots and no wheel.
#[derive(Debug)]
struct Standard {
    method: Method,
    path: String,
    body: Option<Value>,
}

impl FormatRequestData for Standard {
    fn format_request(&self, session: &SessionId) -> RequestData {
        let request = RequestData::new(self.method.clone(), format!("session/{session}/{}", self.path));
        match &self.body {
            Some(body) => request.add_body(body.clone()),
            None => request,
        }
    }
}

type Outcome<T> = Result<T, String>;

impl<'a> Hand<'a> {
    pub(super) fn new(driver: &'a WebDriver, server: &'a FixtureServer, run: &'a str) -> Self {
        Self { driver, server, run }
    }

    /// Performs the steps in order and stops at the first that fails.
    pub(super) async fn perform(&self, steps: &[ReferenceStep]) -> Result<(), ChromeError> {
        for step in steps {
            if let Action::WaitGoal(goal) = &step.action {
                self.server.wait_until(self.run, GOAL_BOUND, |journal| journal.reached(goal)).await?;
                continue;
            }
            self.act(step).await.map_err(|reason| ChromeError::Step { step: step.to_string(), reason })?;
        }
        Ok(())
    }

    async fn act(&self, step: &ReferenceStep) -> Outcome<()> {
        let within = &step.within;
        match &step.action {
            Action::Click(css) => {
                let element = self.find(within, css).await?;
                self.post(&format!("element/{element}/click"), json!({})).await.map(drop)
            }
            Action::DoubleClick(css) => self.press_at(within, css, 0, 2).await,
            Action::TripleClick(css) => self.press_at(within, css, 0, 3).await,
            Action::ContextClick(css) => self.press_at(within, css, 2, 1).await,
            Action::Hover(css) => {
                let element = self.find(within, css).await?;
                self.pointer(vec![move_to(&element)]).await
            }
            Action::Drag(from, to) => {
                let from = self.find(within, from).await?;
                let to = self.find(within, to).await?;
                // A browser starts a drag only after some distance, and drops only where it was dragged over before.
                self.pointer(vec![move_to(&from), down(0), nudge(), move_to(&to), nudge(), up(0)]).await
            }
            Action::Type(css, text) => {
                let element = self.find(within, css).await?;
                self.post(&format!("element/{element}/value"), json!({ "text": text })).await.map(drop)
            }
            Action::Clear(css) => {
                let element = self.find(within, css).await?;
                self.post(&format!("element/{element}/clear"), json!({})).await.map(drop)
            }
            Action::Press(name) => {
                let keys = chord(name).ok_or_else(|| format!("there is no key `{name}`"))?;
                let event = |kind: &str, key: &String| json!({ "type": kind, "value": key });
                let down = keys.iter().map(|key| event("keyDown", key));
                let pressed = down.chain(keys.iter().rev().map(|key| event("keyUp", key))).collect::<Vec<_>>();
                self.actions(json!({ "type": "key", "id": "keys", "actions": pressed })).await
            }
            Action::Scroll(css) => {
                let element = self.find(within, css).await?;
                let turn = json!({ "type": "scroll", "x": 0, "y": 0, "deltaX": 0, "deltaY": 400, "duration": 50,
                    "origin": { ELEMENT: element } });
                self.actions(json!({ "type": "wheel", "id": "wheel", "actions": [turn] })).await
            }
            Action::Select(css, option) => {
                let element = self.find(within, css).await?;
                let chosen = self.option(&element, option).await?;
                self.post(&format!("element/{chosen}/click"), json!({})).await.map(drop)
            }
            Action::Choose(css, file) => {
                let element = self.find(within, css).await?;
                let path = self.server.file(file).canonicalize().map_err(|error| format!("there is no file {file}: {error}"))?;
                self.post(&format!("element/{element}/value"), json!({ "text": path })).await.map(drop)
            }
            Action::Dialog(prompt) => self.answer(prompt).await,
            Action::Navigate(direction) => self.navigate(direction).await,
            // Handled by the caller, which has the journal.
            Action::WaitGoal(_) => Ok(()),
        }
    }

    /// The element's id, after entering the frames and shadow roots on the way.
    async fn find(&self, within: &[String], css: &str) -> Outcome<String> {
        self.post("frame", json!({ "id": null })).await?;
        let mut scope = None;
        for selector in within {
            let host = self.find_in(scope.as_deref(), selector).await?;
            let tag = self.send(Method::GET, &format!("element/{host}/name"), None).await?;
            if matches!(tag.as_str(), Some("iframe" | "frame")) {
                self.post("frame", json!({ "id": { ELEMENT: host } })).await?;
                scope = None;
            } else {
                let root = self.send(Method::GET, &format!("element/{host}/shadow"), None).await?;
                let root = root[SHADOW].as_str().ok_or_else(|| format!("{selector} has no shadow root"))?;
                scope = Some(root.to_owned());
            }
        }
        self.find_in(scope.as_deref(), css).await
    }

    async fn find_in(&self, shadow: Option<&str>, css: &str) -> Outcome<String> {
        let path = shadow.map_or("element".into(), |root| format!("shadow/{root}/element"));
        let found = self.post(&path, json!({ "using": "css selector", "value": css })).await?;
        found[ELEMENT].as_str().map(str::to_owned).ok_or_else(|| format!("{css} gave no element"))
    }

    async fn option(&self, select: &str, text: &str) -> Outcome<String> {
        let wanted = json!({ "using": "css selector", "value": "option" });
        let options = self.post(&format!("element/{select}/elements"), wanted).await?;
        for option in options.as_array().into_iter().flatten().filter_map(|option| option[ELEMENT].as_str()) {
            let label = self.send(Method::GET, &format!("element/{option}/text"), None).await?;
            if label.as_str() == Some(text) {
                return Ok(option.to_owned());
            }
        }
        Err(format!("there is no option \"{text}\""))
    }

    async fn press_at(&self, within: &[String], css: &str, button: u8, times: usize) -> Outcome<()> {
        let element = self.find(within, css).await?;
        let mut actions = vec![move_to(&element)];
        for _ in 0..times {
            actions.extend([down(button), up(button)]);
        }
        self.pointer(actions).await
    }

    async fn pointer(&self, actions: Vec<Value>) -> Outcome<()> {
        let mouse = json!({ "pointerType": "mouse" });
        self.actions(json!({ "type": "pointer", "id": "mouse", "parameters": mouse, "actions": actions })).await
    }

    async fn actions(&self, source: Value) -> Outcome<()> {
        self.post("actions", json!({ "actions": [source] })).await.map(drop)
    }

    async fn answer(&self, prompt: &Prompt) -> Outcome<()> {
        match prompt {
            Prompt::Accept => self.post("alert/accept", json!({})).await.map(drop),
            Prompt::Dismiss => self.post("alert/dismiss", json!({})).await.map(drop),
            Prompt::Answer(text) => {
                self.post("alert/text", json!({ "text": text })).await?;
                self.post("alert/accept", json!({})).await.map(drop)
            }
        }
    }

    async fn navigate(&self, direction: &Direction) -> Outcome<()> {
        match direction {
            Direction::Back => self.post("back", json!({})).await.map(drop),
            Direction::Forward => self.post("forward", json!({})).await.map(drop),
            Direction::Reload => self.post("refresh", json!({})).await.map(drop),
            Direction::Url(url) => {
                let url = &url.replace("{{origin_a}}", self.server.origin_a()).replace("{{origin_b}}", self.server.origin_b());
                let here = self.driver.current_url().await.map_err(|error| error.to_string())?;
                let there = here.join(url).map_err(|error| format!("{url} is no address: {error}"))?;
                self.post("url", json!({ "url": there.as_str() })).await.map(drop)
            }
        }
    }

    async fn post(&self, path: &str, body: Value) -> Outcome<Value> {
        self.send(Method::POST, path, Some(body)).await
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Outcome<Value> {
        let command = Standard { method, path: path.to_owned(), body };
        let response = self.driver.cmd(command).await.map_err(|error| error.to_string())?;
        response.value_json().map_err(|error| error.to_string())
    }
}

fn move_to(element: &str) -> Value {
    json!({ "type": "pointerMove", "duration": 50, "x": 0, "y": 0, "origin": { ELEMENT: element } })
}

fn nudge() -> Value {
    json!({ "type": "pointerMove", "duration": 50, "x": 8, "y": 8, "origin": "pointer" })
}

fn down(button: u8) -> Value {
    json!({ "type": "pointerDown", "button": button })
}

fn up(button: u8) -> Value {
    json!({ "type": "pointerUp", "button": button })
}

/// The keys of a chord such as `Control+a`, in the order they go down.
fn chord(name: &str) -> Option<Vec<String>> {
    if name == "+" {
        return Some(vec![name.to_owned()]);
    }
    name.split('+').map(key_code).collect()
}

/// WebDriver's private code point of a named key; one character stands for itself.
fn key_code(name: &str) -> Option<String> {
    let code = match name {
        "Backspace" => '\u{E003}',
        "Tab" => '\u{E004}',
        "Enter" => '\u{E007}',
        "Shift" => '\u{E008}',
        "Control" => '\u{E009}',
        "Alt" => '\u{E00A}',
        "Escape" => '\u{E00C}',
        "Space" => ' ',
        "PageUp" => '\u{E00E}',
        "PageDown" => '\u{E00F}',
        "End" => '\u{E010}',
        "Home" => '\u{E011}',
        "ArrowLeft" => '\u{E012}',
        "ArrowUp" => '\u{E013}',
        "ArrowRight" => '\u{E014}',
        "ArrowDown" => '\u{E015}',
        "Insert" => '\u{E016}',
        "Delete" => '\u{E017}',
        _ if name.chars().count() == 1 => return Some(name.to_owned()),
        _ => return None,
    };
    Some(code.to_string())
}
