//! Real Chromium with the extension and a bridge, started by `lab chrome --json`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::Deserialize;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::corpus::Size;
use crate::hops::{Hops, LOG_FILTER, read_hops};
use crate::program::root;
use crate::{Agent, Programs};

/// Chrome and everything around it have to be there by then.
const START: Duration = Duration::from_secs(90);

/// What `lab chrome --json` prints.
#[derive(Debug, Deserialize)]
struct Addresses {
    fixtures: [String; 2],
    mcp: Server,
    state_dir: PathBuf,
}

#[derive(Debug, Deserialize)]
struct Server {
    command: PathBuf,
    args: Vec<String>,
    env: BTreeMap<String, String>,
}

/// A running Chrome with everything around it.
#[derive(Debug)]
pub struct Stage {
    lab: Child,
    addresses: Addresses,
}

/// One tab a page size, in the order of [`Size::ALL`].
pub type Tabs = [u64; 3];

impl Stage {
    /// Starts it. The log of whole frames is off: writing them takes time of its own.
    ///
    /// # Errors
    /// When there is no Chromium, or something of it does not start.
    pub async fn start(programs: &Programs) -> Result<Self> {
        let mut lab = Command::new(&programs.lab);
        let filter = format!("TEGATA_LOG={LOG_FILTER}");
        lab.args(["chrome", "--json", "--env", "TEGATA_FRAMES=0", "--env", &filter])
            .current_dir(root())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        let mut lab = lab.spawn().context("the lab does not start")?;
        let mut lines = BufReader::new(lab.stdout.take().context("no stdout")?).lines();
        let line = timeout(START, lines.next_line()).await.context("`lab chrome --json` says nothing")??;
        let Some(line) = line else {
            let status = lab.wait().await?;
            bail!(
                "`lab chrome --json` ended ({status}, reason above): these benches need Chromium and the built extension, run `ci/setup`"
            );
        };
        Ok(Self { lab, addresses: serde_json::from_str(&line).context("`lab chrome --json` printed something else")? })
    }

    /// A new agent.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn agent(&self) -> Result<Agent> {
        let server = &self.addresses.mcp;
        Agent::start(&server.command, &server.args, server.env.clone()).await
    }

    /// Opens the pages of all sizes.
    ///
    /// # Errors
    /// When one does not open.
    pub async fn open(&self, agent: &mut Agent) -> Result<Tabs> {
        let mut tabs = [0; 3];
        for (tab, size) in tabs.iter_mut().zip(Size::ALL) {
            let url = format!("{}/f/bench/_page.html?run=bench{1}&size={1}", self.addresses.fixtures[0], size.letter());
            let reply = agent.call("tabs", &json!({"action": "new", "url": url})).await?;
            let word = reply.split_whitespace().skip_while(|word| *word != "tab").nth(1);
            *tab = word.and_then(|word| word.parse().ok()).with_context(|| format!("no tab in: {reply}"))?;
        }
        Ok(tabs)
    }

    /// The hops of the calls so far of one tool on one tab.
    ///
    /// # Errors
    /// When the daemon's log cannot be read.
    pub fn hops(&self, tool: &str, tab: u64) -> Result<Vec<Hops>> {
        let log = std::fs::read_to_string(self.addresses.state_dir.join("daemon.log")).context("the daemon has no log")?;
        Ok(read_hops(&log, tool, tab))
    }

    /// Ends everything, as Ctrl-C does.
    ///
    /// # Errors
    /// When it does not end in time.
    pub async fn stop(mut self) -> Result<()> {
        if let Some(id) = self.lab.id() {
            kill(Pid::from_raw(i32::try_from(id)?), Signal::SIGINT)?;
        }
        timeout(Duration::from_secs(20), self.lab.wait()).await.context("the lab does not end")??;
        Ok(())
    }
}
