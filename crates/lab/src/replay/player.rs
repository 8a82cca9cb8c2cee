//! Plays the extension's side of the link from a script, and lets the daemon's clock go on as the script says.
//!
//! The daemon's clock stands. It counts what it says on all sockets, and so do we: while something it said has not arrived, it is not
//! done; when all has arrived and nothing can be said to it, time goes on until it speaks or the script does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::extension::{Known, Opened, back, pair};
use super::script::{Asked, Say, Script};
use crate::subject::SubjectError;
use crate::subject::control::{Address, Control, Socket, hear, say};

/// How far the daemon's clock may lag behind the script before it is put right, in microseconds.
const LAG_US: u64 = 30_000;
/// How long the daemon may say nothing at all while a call is open, by its own clock, in microseconds.
const SILENCE_US: u64 = 130_000_000;
/// How far the clock goes at first where the script says nothing of it, in microseconds; each time twice as far.
const STEP_US: u64 = 50_000;
/// How long something the daemon said may take to arrive. On loopback that is nothing.
const ARRIVAL: Duration = Duration::from_secs(5);

/// How long the daemon is given to speak where it spoke at once before. After it the clock decides.
const AT_ONCE: Duration = Duration::from_millis(5);

enum Order {
    Begin(Box<Script>, oneshot::Sender<Result<(), SubjectError>>),
    /// An agent is about to call; answered when its time has come.
    Calling(oneshot::Sender<()>),
    /// The call is on its way.
    Sent,
    /// The daemon said something to an agent; to a call, or not.
    Heard {
        answer: bool,
    },
    End(oneshot::Sender<Ended>),
}

/// The player; cheap to clone.
#[derive(Clone)]
pub(crate) struct Player {
    orders: mpsc::UnboundedSender<Order>,
    /// The daemon's clock in microseconds, now and at the latest call.
    now: Arc<AtomicU64>,
    called: Arc<AtomicU64>,
}

impl Player {
    /// Opens the link of a daemon whose clock stands.
    pub(crate) async fn start(address: &Address, connect_url: &str) -> Result<Self, SubjectError> {
        let control = Control::open(address).await?;
        let Opened { socket, known, heard } = pair(connect_url).await?;
        let (orders, queue) = mpsc::unbounded_channel();
        let (now, called) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let desk = Desk {
            link: Some(socket),
            known,
            control,
            now: Arc::clone(&now),
            called: Arc::clone(&called),
            said: heard,
            heard,
            part: Part::default(),
        };
        tokio::spawn(desk.work(queue));
        Ok(Self { orders, now, called })
    }

    /// How much of the daemon's time went by since the latest call.
    pub(crate) fn since_called(&self) -> Duration {
        Duration::from_micros(self.now.load(Ordering::Relaxed).saturating_sub(self.called.load(Ordering::Relaxed)))
    }

    /// A script begins.
    pub(crate) async fn begin(&self, script: Script) -> Result<(), SubjectError> {
        let (ready, begun) = oneshot::channel();
        self.order(Order::Begin(Box::new(script), ready));
        begun.await.unwrap_or_else(|_| Err(SubjectError::Broken("the player ended".into())))
    }

    /// It is over: what did not fit.
    pub(crate) async fn end(&self) -> Ended {
        let (ready, ended) = oneshot::channel();
        self.order(Order::End(ready));
        ended.await.unwrap_or_else(|_| Ended { misfits: vec!["the player ended".into()], missed: None, twice: false, hung: true })
    }

    /// Waits until a call's time has come.
    pub(crate) async fn calling(&self) {
        let (ready, time) = oneshot::channel();
        self.order(Order::Calling(ready));
        // A player that ended lets everything happen at once.
        let _ = time.await;
    }

    /// A call was sent.
    pub(crate) fn sent(&self) {
        self.order(Order::Sent);
    }

    /// The daemon said something to an agent.
    pub(crate) fn heard(&self, answer: bool) {
        self.order(Order::Heard { answer });
    }

    fn order(&self, order: Order) {
        // The end of the player is told by whoever waits for it.
        let _ = self.orders.send(order);
    }
}

/// How a script ended.
pub(crate) struct Ended {
    /// What did not fit, in the order it came up.
    pub(crate) misfits: Vec<String>,
    /// What was recorded and did not come up.
    pub(crate) missed: Option<String>,
    /// Something was asked twice that may be done once only.
    pub(crate) twice: bool,
    /// A call had no end.
    pub(crate) hung: bool,
}

/// What belongs to one scenario.
#[derive(Default)]
struct Part {
    script: Option<Script>,
    /// The daemon's clock at its beginning.
    base: u64,
    calls: usize,
    open: u32,
    faults: Vec<String>,
    /// Something was asked twice that may be done once only.
    twice: bool,
    /// A call has no end.
    hung: bool,
    /// The daemon was given a moment to speak without asking its clock.
    waited: bool,
    /// Since when nothing was said.
    silent_since: u64,
    /// How often time went by since then.
    idle: u32,
}

struct Desk {
    link: Option<Socket>,
    known: Known,
    control: Control,
    now: Arc<AtomicU64>,
    called: Arc<AtomicU64>,
    said: u64,
    heard: u64,
    part: Part,
}

impl Desk {
    async fn work(mut self, mut orders: mpsc::UnboundedReceiver<Order>) {
        loop {
            // All that is there comes first.
            let mut any = false;
            while let Ok(order) = orders.try_recv() {
                any = true;
                self.take(order).await;
            }
            while let Some(text) = self.link.as_mut().and_then(|link| hear(link).now_or_never()) {
                any = true;
                self.frame(text).await;
            }
            if any {
                continue;
            }
            if self.part.open > 0 && self.heard >= self.said {
                let at_once = self.part.script.as_ref().is_some_and(|script| script.due().is_none() && script.speaks_at_once());
                if !at_once || std::mem::replace(&mut self.part.waited, true) {
                    self.part.waited = false;
                    self.go_on().await;
                    continue;
                }
            }
            tokio::select! {
                order = orders.recv() => match order {
                    Some(order) => self.take(order).await,
                    None => return,
                },
                text = heard_on(&mut self.link) => self.frame(text).await,
                () = tokio::time::sleep(AT_ONCE), if self.part.waited => {}
                () = tokio::time::sleep(ARRIVAL), if self.part.open > 0 && !self.part.waited => {
                    self.fault(format!("the daemon has said {} messages, and {} arrived", self.said, self.heard));
                    self.heard = self.said;
                }
            }
        }
    }

    async fn take(&mut self, order: Order) {
        match order {
            Order::Begin(script, ready) => {
                self.part = Part { script: Some(*script), ..Part::default() };
                let begun = match &self.link {
                    Some(_) => Ok(()),
                    None => self.open().await,
                };
                let at = self.now_us();
                self.run(at).await;
                self.part.base = self.now_us();
                self.part.silent_since = self.now_us();
                let _ = ready.send(begun);
            }
            Order::Calling(ready) => {
                let at = self.part.script.as_ref().and_then(|script| script.call_at(self.part.calls));
                self.part.calls += 1;
                if let Some(at) = at {
                    self.pass(at).await;
                }
                self.part.silent_since = self.now_us();
                self.called.store(self.now_us(), Ordering::Relaxed);
                let _ = ready.send(());
            }
            Order::Sent => self.part.open += 1,
            Order::Heard { answer } => {
                self.heard += 1;
                self.part.waited = false;
                self.part.open = self.part.open.saturating_sub(u32::from(answer));
                self.part.silent_since = self.now_us();
            }
            Order::End(ready) => {
                let part = std::mem::take(&mut self.part);
                let mut missed = None;
                if let Some(script) = part.script {
                    missed = script.missed().map(|missed| format!("the bridge never asked what was recorded: {missed}"));
                    self.clear(&script).await;
                }
                let _ = ready.send(Ended { misfits: part.faults, missed, twice: part.twice, hung: part.hung });
            }
        }
    }

    /// What lies before a call: what the extension said until then, and the time itself.
    async fn pass(&mut self, at: u64) {
        let mut any = false;
        while let Some((number, _)) = self.part.script.as_ref().and_then(Script::due).filter(|(_, t_us)| *t_us <= at) {
            self.say(number).await;
            any = true;
        }
        if any {
            // The daemon has taken it in before the call arrives, as it had then.
            self.pass_until(self.now_us()).await;
        }
        let until = self.part.base + at;
        while self.now_us() + LAG_US < until {
            let before = self.now_us();
            if !self.pass_until(until).await || self.now_us() == before {
                return;
            }
        }
    }

    /// Lets time go by and answers what the daemon says meanwhile; whether all it said has arrived.
    async fn pass_until(&mut self, until: u64) -> bool {
        loop {
            while self.heard < self.said {
                match tokio::time::timeout(ARRIVAL, heard_on(&mut self.link)).await {
                    Ok(text) => self.frame(text).await,
                    // It was said to an agent; that is told by an order.
                    Err(_) => return false,
                }
            }
            self.run(until).await;
            if self.heard >= self.said || self.part.hung {
                return true;
            }
        }
    }

    /// Nothing is on its way: the next answer, or time.
    async fn go_on(&mut self) {
        let now = self.now_us();
        let base = self.part.base;
        let Some(script) = &mut self.part.script else { return };
        if let Some((number, t_us)) = script.due() {
            if now + LAG_US < base + t_us {
                let said = self.said;
                self.run(base + t_us).await;
                if self.said > said {
                    return;
                }
            }
            return self.say(number).await;
        }
        let step = STEP_US << self.part.idle.min(11);
        let until = script.next_asked().map(|t_us| base + t_us).filter(|until| *until > now).unwrap_or(now + step);
        if now - self.part.silent_since.min(now) > SILENCE_US {
            let next = self.part.script.as_ref().and_then(Script::missed).map_or_else(|| String::from("nothing"), Value::to_string);
            self.part.hung = true;
            self.fault(format!("the bridge says nothing any more; recorded next was {next}"));
            self.part.open = 0;
            return;
        }
        let said = self.said;
        self.run(until).await;
        self.part.idle = if self.said > said { 0 } else { self.part.idle + 1 };
    }

    async fn run(&mut self, until: u64) {
        match self.control.ask(&json!({"run": {"until": until, "heard": self.heard}})).await {
            Ok(answer) => {
                let number = |key: &str| answer.pointer(&format!("/stands/{key}")).and_then(Value::as_u64);
                match (number("us"), number("said")) {
                    (Some(us), Some(said)) => {
                        if said > self.said {
                            self.part.silent_since = us;
                        }
                        self.said = said;
                        self.now.store(us, Ordering::Relaxed);
                    }
                    _ => self.fault(format!("the daemon's clock does not stand: {answer}")),
                }
            }
            Err(error) => {
                self.fault(error.to_string());
                self.part.open = 0;
            }
        }
    }

    /// Says something of the script.
    async fn say(&mut self, number: usize) {
        let Some(script) = &mut self.part.script else { return };
        match script.say(number) {
            Say::Frame(frame) => self.tell(&frame).await,
            Say::Text(text) => {
                if let Some(link) = &mut self.link {
                    // A link that broke is noticed when it is read.
                    let _ = say(link, text).await;
                }
            }
            Say::Close => {
                if let Some(mut link) = self.link.take() {
                    // The other end may be gone already.
                    let _ = link.close(None).await;
                }
                // What is on its way there arrives nowhere.
                self.heard = self.said;
            }
            Say::Open => {
                if let Err(error) = self.open().await {
                    self.fault(error.to_string());
                }
            }
        }
    }

    async fn tell(&mut self, frame: &Value) {
        if let Some(link) = &mut self.link
            && say(link, frame.to_string()).await.is_err()
        {
            self.link = None;
        }
    }

    async fn open(&mut self) -> Result<(), SubjectError> {
        if let Some(mut link) = self.link.take() {
            let _ = link.close(None).await;
        }
        let Opened { socket, known, heard } = back(self.known.clone()).await?;
        (self.link, self.known) = (Some(socket), known);
        self.heard += heard;
        Ok(())
    }

    /// Something came on the link.
    async fn frame(&mut self, text: Option<String>) {
        let Some(text) = text else {
            self.link = None;
            return;
        };
        self.heard += 1;
        self.part.waited = false;
        self.part.silent_since = self.now_us();
        let frame: Value = serde_json::from_str(&text).unwrap_or_default();
        let id = frame.get("id").and_then(Value::as_u64);
        match (frame.get("kind").and_then(Value::as_str), id) {
            (Some("ping"), _) => self.tell(&json!({"kind": "pong"})).await,
            (Some("request"), Some(id)) => self.asked(id, &frame["command"]).await,
            _ => {}
        }
    }

    async fn asked(&mut self, id: u64, command: &Value) {
        let result = match command["method"].as_str() {
            Some("tabs/hold" | "human/words") => Some(json!({})),
            Some("link/echo") => Some(json!({"generation": self.known.generation(), "socket": "replay"})),
            _ => None,
        };
        if let Some(result) = result {
            return self.tell(&json!({"kind": "reply", "id": id, "result": result})).await;
        }
        let answer = match &mut self.part.script {
            Some(script) => script.ask(id, command),
            None => Asked::Unknown(format!("the bridge asks {command}, and no scenario is played")),
        };
        self.part.twice |= matches!(answer, Asked::Twice(_));
        match answer {
            Asked::Expected => {}
            Asked::Again(frame) => self.tell(&frame).await,
            Asked::Unknown(why) | Asked::Twice(why) => {
                self.fault(why);
                let error = json!({"code": "internal", "message": "the transcript has no answer to this"});
                self.tell(&json!({"kind": "reply", "id": id, "error": error})).await;
            }
        }
    }

    /// Leaves nothing of a scenario behind in the daemon.
    async fn clear(&mut self, script: &Script) {
        for id in script.unanswered() {
            let error = json!({"code": "internal", "message": "the transcript ends before its answer"});
            self.tell(&json!({"kind": "reply", "id": id, "error": error})).await;
        }
        for tab in script.tabs() {
            self.tell(&json!({"kind": "event", "event": {"event": "tab/removed", "params": {"tab": tab}}})).await;
        }
        let switches = json!({"paused": false, "trustedInput": true, "eval": true});
        self.tell(&json!({"kind": "event", "event": {"event": "switches/changed", "params": {"switches": switches}}})).await;
    }

    fn fault(&mut self, why: String) {
        self.part.faults.push(why);
    }

    fn now_us(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }
}

/// The next text on the link; never, while there is none.
async fn heard_on(link: &mut Option<Socket>) -> Option<String> {
    match link {
        Some(link) => hear(link).await,
        None => std::future::pending().await,
    }
}
