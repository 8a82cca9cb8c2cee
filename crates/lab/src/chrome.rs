//! `lab chrome`: fixtures, Chrome, the extension and the bridge together, for any MCP client, until Ctrl-C.

use std::future::Future;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::TempDir;

use crate::driver::{Chrome, ChromeError, ChromeOptions, Profile};
use crate::fixture::{FixtureServer, ServerError};
use crate::serve;
use crate::subject::SubjectError;
use crate::subject::tegata::{Instance, McpCommand};

/// What `lab chrome` was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Show the window.
    pub headed: bool,
    /// Print one JSON line instead of words.
    pub json: bool,
    /// Variables set for the bridge, over those of its adapter file.
    pub env: Vec<(String, String)>,
}

/// Why `lab chrome` ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The fixture server did not start.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// Chrome did not start.
    #[error(transparent)]
    Chrome(#[from] ChromeError),
    /// The bridge did not start or was not reached.
    #[error("{error}\nChrome's last words: {stderr}")]
    NotPaired {
        /// What the bridge said.
        error: SubjectError,
        /// The end of Chrome's standard error.
        stderr: String,
    },
    /// The bridge could not be had.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// The state folder could not be made, or nothing could be printed.
    #[error("the temporary state folder or the output cannot be used: {0}")]
    Io(#[from] io::Error),
}

/// Everything a client needs to know; `--json` prints it as one line.
#[derive(Debug, Serialize)]
pub struct Addresses {
    /// The fixture server's two sites.
    pub fixtures: [String; 2],
    /// The driver's address and session.
    pub webdriver: WebDriverAddress,
    /// Browser-level DevTools.
    pub devtools: String,
    /// How an MCP client starts its server.
    pub mcp: McpCommand,
    /// The bridge's state folder.
    pub state_dir: PathBuf,
}

/// Where the driver is.
#[derive(Debug, Serialize)]
pub struct WebDriverAddress {
    /// Address of ChromeDriver.
    pub url: String,
    /// The session.
    pub session: String,
}

/// A running stage: all pieces, paired with each other.
pub struct Stage {
    server: FixtureServer,
    chrome: Chrome,
    instance: Instance,
    state: TempDir,
}

impl Stage {
    /// Starts everything in the project at `root` and waits until the extension has said hello.
    pub async fn start(root: &Path, headed: bool, env: Vec<(String, String)>) -> Result<Self, Error> {
        let server = serve::start(&root.join("fixtures"), 0).await?;
        let state = TempDir::with_prefix("lab-state-")?;
        let instance = Instance::start(root, state.path(), env).await?;
        let options = ChromeOptions {
            profile: Profile::Calm,
            headed,
            extension: Some(instance.extension_folder().to_owned()),
            urls: vec![instance.connect_url().to_owned(), format!("{}/", server.origin_a())],
            ..ChromeOptions::default()
        };
        let chrome = match Chrome::launch(options).await {
            Ok(chrome) => chrome,
            Err(error) => {
                instance.stop().await?;
                return Err(error.into());
            }
        };
        let stage = Self { server, chrome, instance, state };
        match stage.instance.ready().await {
            Ok(()) => Ok(stage),
            Err(error) => {
                let stderr = stage.chrome.stderr_tail(10);
                stage.stop().await?;
                Err(Error::NotPaired { error, stderr })
            }
        }
    }

    /// The running Chrome.
    pub fn chrome(&self) -> &Chrome {
        &self.chrome
    }

    /// The fixture server.
    pub fn server(&self) -> &FixtureServer {
        &self.server
    }

    /// Everything a client needs to know.
    pub fn addresses(&self) -> Addresses {
        // The stage is always calm, so there is a session.
        let (url, session) = self.chrome.webdriver_session().unwrap_or_default();
        Addresses {
            fixtures: [self.server.origin_a().to_owned(), self.server.origin_b().to_owned()],
            webdriver: WebDriverAddress { url, session },
            devtools: self.chrome.devtools_url().to_owned(),
            mcp: self.instance.mcp_command().clone(),
            state_dir: self.state.path().to_owned(),
        }
    }

    /// Ends everything; nothing is left running.
    pub async fn stop(self) -> Result<(), Error> {
        let stopped = self.instance.stop().await;
        self.chrome.close().await?;
        stopped?;
        Ok(())
    }
}

/// Runs `lab chrome` until `stop` is done.
pub async fn run(root: &Path, request: Request, out: &mut (dyn Write + Send), stop: impl Future<Output = ()>) -> Result<(), Error> {
    tokio::pin!(stop);
    let stage = tokio::select! {
        started = Stage::start(root, request.headed, request.env) => started?,
        // Dropping the half-started pieces ends them.
        () = &mut stop => return Ok(()),
    };
    let printed = print(&stage.addresses(), request.json, out);
    if printed.is_ok() {
        stop.await;
    }
    stage.stop().await?;
    Ok(printed?)
}

fn print(addresses: &Addresses, json: bool, out: &mut (dyn Write + Send)) -> io::Result<()> {
    if json {
        serde_json::to_writer(&mut *out, addresses)?;
        writeln!(out)?;
        return out.flush();
    }
    let [a, b] = &addresses.fixtures;
    writeln!(out, "fixtures:  {a}/   (second site: {b}/)")?;
    writeln!(out, "webdriver: {}   session {}", addresses.webdriver.url, addresses.webdriver.session)?;
    writeln!(out, "devtools:  {}", addresses.devtools)?;
    let environment: Vec<String> = addresses.mcp.env.iter().map(|(key, value)| format!("{key}={value}")).collect();
    writeln!(out, "mcp:       {} {} {}", environment.join(" "), addresses.mcp.command, addresses.mcp.args.join(" "))?;
    writeln!(out, "state:     {}", addresses.state_dir.display())?;
    writeln!(out, "Ctrl-C ends it.")?;
    out.flush()
}
