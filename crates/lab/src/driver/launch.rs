//! Starting Chrome: through ChromeDriver (calm) or by ourselves (wild).

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use thirtyfour::{Capabilities, WebDriver};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader};

use super::binary::{self, Binary};
use super::devtools::{self, DevTools};
use super::display::Display;
use super::error::ChromeError;
use super::process::Group;

/// How long Chrome or ChromeDriver may take to be ready.
const READY_BOUND: Duration = Duration::from_secs(30);
/// How long ChromeDriver may take for one command.
const COMMAND_BOUND: Duration = Duration::from_secs(60);

/// How much a Chrome under test resembles a user's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// A driver is attached and background tabs are not throttled.
    #[default]
    Calm,
    /// Chrome's defaults, spawned by us, nothing attached to a page.
    Wild,
    /// The same with a window, on a display of its own where none is asked for.
    Headed,
}

/// How to start Chrome.
#[derive(Clone, Debug, Default)]
pub struct ChromeOptions {
    /// Calm or wild.
    pub profile: Profile,
    /// With a window.
    pub headed: bool,
    /// Folder of an unpacked extension to load.
    pub extension: Option<PathBuf>,
    /// Pages to open at the start.
    pub urls: Vec<String>,
    /// A WebDriver that starts it, in place of a ChromeDriver of our own (calm only).
    pub webdriver: Option<String>,
    /// Loads the extension by the driver's or the browser's own command even where a switch would do.
    pub install_by_command: bool,
}

/// What is running.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Versions {
    /// Chrome, as `156.0.8078.108`.
    pub chrome: String,
    /// ChromeDriver; none in the wild profile.
    pub driver: Option<String>,
}

/// A Chrome that has just been started.
pub(super) struct Launched {
    // Declared before the profile: processes must be gone before their folder is removed.
    pub(super) group: Group,
    pub(super) display: Option<Display>,
    pub(super) profile: TempDir,
    pub(super) devtools: DevTools,
    pub(super) driver: Option<Driver>,
    pub(super) versions: Versions,
}

/// The driver of a calm Chrome.
pub(super) struct Driver {
    pub(super) session: WebDriver,
    pub(super) url: String,
    /// The window the session rests on when nothing is driven.
    pub(super) base: String,
}

const STDERR: &str = "stderr.log";

/// Path of the file that keeps Chrome's standard error.
pub(super) fn stderr_path(profile: &Path) -> PathBuf {
    profile.join(STDERR)
}

pub(super) async fn launch(options: &ChromeOptions) -> Result<Launched, ChromeError> {
    if let Some(path) = &options.extension
        && !path.join("manifest.json").is_file()
    {
        return Err(ChromeError::NoExtension { path: path.clone() });
    }
    // What Chrome says of it stands below a stack of addresses.
    let is_shown = |name: &str| std::env::var_os(name).is_some_and(|display| !display.is_empty());
    if options.headed && options.webdriver.is_none() && cfg!(target_os = "linux") && !is_shown("DISPLAY") && !is_shown("WAYLAND_DISPLAY") {
        return Err(ChromeError::NoOwnDisplay);
    }
    match options.profile {
        Profile::Calm => calm(options).await,
        Profile::Wild | Profile::Headed => wild(options).await,
    }
}

/// The switches both profiles share: nothing in them changes how pages live.
fn switches(options: &ChromeOptions, profile: &Path, by_switch: bool) -> Vec<String> {
    let mut switches: Vec<String> = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--no-default-browser-check",
        "--window-size=1280,900",
    ]
    .map(String::from)
    .to_vec();
    switches.push(format!("--user-data-dir={}", profile.join("chrome").display()));
    if !options.headed && options.profile != Profile::Headed {
        switches.push("--headless=new".into());
    }
    if let Some(extension) = options.extension.as_ref().filter(|_| by_switch) {
        switches.push(format!("--load-extension={}", extension.display()));
    }
    switches
}

/// A profile in which unpacked extensions may load themselves anew, as in the browser of everyone who has one, and whose downloads
/// stay in it.
fn fresh_profile() -> Result<TempDir, ChromeError> {
    let profile = TempDir::with_prefix("lab-chrome-")?;
    let folder = profile.path().join("chrome/Default");
    std::fs::create_dir_all(&folder)?;
    let downloads = profile.path().join("downloads");
    std::fs::create_dir(&downloads)?;
    let preferences = json!({
        "extensions": { "ui": { "developer_mode": true } },
        "download": { "default_directory": downloads, "directory_upgrade": true, "prompt_for_download": false },
    });
    std::fs::write(folder.join("Preferences"), preferences.to_string())?;
    Ok(profile)
}

/// Google's own builds ignore the switch, so the extension is installed by a command there.
fn loads_by_switch(options: &ChromeOptions, chrome: &Binary) -> bool {
    !chrome.branded && !options.install_by_command
}

async fn calm(options: &ChromeOptions) -> Result<Launched, ChromeError> {
    let chrome = binary::chrome().await?;
    let profile = fresh_profile()?;
    if let Some(url) = &options.webdriver {
        return begin(options, url.trim_end_matches('/').to_owned(), Group::elsewhere(profile.path()), profile, chrome, None).await;
    }
    let driver = binary::driver().await?;
    binary::check_pair(&chrome, &driver)?;
    let stderr = File::create(stderr_path(profile.path()))?;
    let mut group = spawn(
        Command::new(&driver.path).args(["--port=0", "--enable-chrome-logs"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr),
        &driver.path,
        profile.path(),
    )?;
    let stdout = group.leader().and_then(|leader| leader.stdout.take()).ok_or_else(|| io::Error::other("ChromeDriver has no output"))?;
    let stdout = tokio::process::ChildStdout::from_std(stdout)?;
    let port = await_line(stdout, None, "ChromeDriver", profile.path(), |line| {
        line.split_once("started successfully on port ").map(|(_, port)| port.trim_end_matches(|c: char| !c.is_ascii_digit()).to_owned())
    })
    .await?;
    let url = format!("http://127.0.0.1:{port}");
    begin(options, url, group, profile, chrome, Some(driver.version)).await
}

/// Opens a session of the driver at this address, and with it a Chrome.
async fn begin(
    options: &ChromeOptions,
    url: String,
    group: Group,
    profile: TempDir,
    chrome: Binary,
    version: Option<String>,
) -> Result<Launched, ChromeError> {
    let by_switch = loads_by_switch(options, &chrome);
    let mut arguments = switches(options, profile.path(), by_switch);
    arguments.extend(
        ["--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows"]
            .map(String::from),
    );
    let capabilities = json!({
        "browserName": "chrome",
        "unhandledPromptBehavior": "ignore",
        // BiDi opens a page of its own in Chrome, so only where it is needed.
        "webSocketUrl": options.extension.is_some() && !by_switch,
        "timeouts": { "implicit": 5_000, "pageLoad": 30_000, "script": 10_000 },
        "goog:chromeOptions": { "binary": chrome.path, "args": arguments },
    });
    let serde_json::Value::Object(capabilities) = capabilities else { unreachable!("an object literal") };
    let session = WebDriver::builder(url.clone(), Capabilities::from(capabilities))
        .request_timeout(COMMAND_BOUND)
        .await
        .map_err(|error| ChromeError::Session { reason: error.to_string(), stderr: tail(profile.path(), 5) })?;
    // From here on the session must not end by its own blocking destructor: the group's end covers it.
    let session = Unended(Some(session));
    let driver_of = session.get()?;
    driver_of.set_implicit_wait_timeout(Duration::from_secs(5)).await?;
    let address = driver_of
        .capabilities()
        .get("goog:chromeOptions")
        .and_then(|options| options["debuggerAddress"].as_str())
        .ok_or_else(|| ChromeError::DevTools("ChromeDriver names no debugger address".into()))?
        .to_owned();
    let devtools = DevTools::connect(&address).await?;
    let base = driver_of.window().await?.to_string();
    if let Some(extension) = options.extension.as_ref().filter(|_| !by_switch) {
        let bidi = driver_of.capabilities().get("webSocketUrl").and_then(|url| url.as_str()).unwrap_or_default();
        let source = json!({ "extensionData": { "type": "path", "path": extension } });
        devtools::call(bidi, "webExtension.install", source).await?;
    }
    for page in &options.urls {
        devtools.open(page).await?;
    }
    let session = session.take()?;
    Ok(Launched {
        group,
        display: None,
        profile,
        devtools,
        driver: Some(Driver { session, url, base }),
        versions: Versions { chrome: chrome.version, driver: version },
    })
}

async fn wild(options: &ChromeOptions) -> Result<Launched, ChromeError> {
    let chrome = binary::chrome().await?;
    let by_switch = loads_by_switch(options, &chrome);
    let profile = fresh_profile()?;
    // A window has a display on macOS; elsewhere the user's own is left alone.
    let display = match options.profile == Profile::Headed && !options.headed && !cfg!(target_os = "macos") {
        true => Some(Display::start().await?),
        false => None,
    };
    let mut command = Command::new(&chrome.path);
    if let Some(display) = &display {
        command.env("DISPLAY", display.name()).env_remove("WAYLAND_DISPLAY").arg("--ozone-platform=x11");
    }
    command
        .args(switches(options, profile.path(), by_switch))
        // Only to open tabs by the browser: nothing attaches to a page.
        .arg("--remote-debugging-port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if options.urls.is_empty() {
        command.arg("about:blank");
    } else {
        command.args(&options.urls);
    }
    let mut group = spawn(&mut command, &chrome.path, profile.path())?;
    let stderr = group.leader().and_then(|leader| leader.stderr.take()).ok_or_else(|| io::Error::other("Chrome has no error output"))?;
    let stderr = tokio::process::ChildStderr::from_std(stderr)?;
    let keep = tokio::fs::File::create(stderr_path(profile.path())).await?;
    let address = await_line(stderr, Some(keep), "Chrome", profile.path(), |line| {
        let (_, address) = line.split_once("DevTools listening on ws://")?;
        address.split('/').next().map(str::to_owned)
    })
    .await?;
    let devtools = DevTools::connect(&address).await?;
    if let Some(extension) = options.extension.as_ref().filter(|_| !by_switch) {
        devtools.command("Extensions.loadUnpacked", json!({ "path": extension })).await?;
    }
    Ok(Launched { group, display, profile, devtools, driver: None, versions: Versions { chrome: chrome.version, driver: None } })
}

fn spawn(command: &mut Command, path: &Path, profile: &Path) -> Result<Group, ChromeError> {
    // Crash handlers leave the process group; this way at least they name our folder.
    // What Chrome puts into the folder for temporary files it leaves there when it is killed.
    command.env("BREAKPAD_DUMP_LOCATION", profile.join("crashes")).env("TMPDIR", profile);
    Group::spawn(command, profile).map_err(|source| ChromeError::Spawn { path: path.to_owned(), source })
}

/// Reads lines until one answers, then goes on reading in the background so that the process never blocks on a pipe.
pub(super) async fn await_line(
    output: impl AsyncRead + Unpin + Send + 'static,
    mut keep: Option<tokio::fs::File>,
    what: &'static str,
    profile: &Path,
    answer: impl Fn(&str) -> Option<String>,
) -> Result<String, ChromeError> {
    let mut lines = BufReader::new(output).lines();
    let found = tokio::time::timeout(READY_BOUND, async {
        while let Ok(Some(line)) = lines.next_line().await {
            write_line(&mut keep, &line).await;
            if let Some(found) = answer(&line) {
                return Some(found);
            }
        }
        None
    })
    .await;
    let found = match found {
        Ok(Some(found)) => found,
        Ok(None) => return Err(ChromeError::Ended { what, stderr: tail(profile, 5) }),
        Err(_) => return Err(ChromeError::NotReady { what, bound: READY_BOUND, stderr: tail(profile, 5) }),
    };
    tokio::spawn(async move {
        while let Ok(Some(line)) = lines.next_line().await {
            write_line(&mut keep, &line).await;
        }
    });
    Ok(found)
}

async fn write_line(keep: &mut Option<tokio::fs::File>, line: &str) {
    if let Some(file) = keep {
        // The log only serves error messages: losing a line must not hurt the run.
        let _ = file.write_all(format!("{line}\n").as_bytes()).await;
        let _ = file.flush().await;
    }
}

/// The last lines of Chrome's standard error that say something.
pub(super) fn tail(profile: &Path, lines: usize) -> String {
    let text = std::fs::read(stderr_path(profile)).unwrap_or_default();
    last_words(&String::from_utf8_lossy(&text), lines)
}

/// Without what every Chrome says on a machine that has no desktop.
fn last_words(stderr: &str, lines: usize) -> String {
    const CHATTER: [&str; 8] =
        ["dbus", "UPower", "idle_linux", "vaapi", "sandbox_linux", "DevTools listening", "gcm/engine", "Created TensorFlow Lite"];
    let all = stderr.lines().filter(|line| !CHATTER.iter().any(|word| line.contains(word)) && !line.trim().is_empty());
    let all = all.collect::<Vec<_>>();
    match all.len() {
        0 => String::from("nothing of note"),
        count => all[count.saturating_sub(lines)..].join("\n"),
    }
}

/// A session that is given up, not quit, when the launch fails half way.
struct Unended(Option<WebDriver>);

impl Unended {
    fn get(&self) -> Result<&WebDriver, ChromeError> {
        self.0.as_ref().ok_or(ChromeError::NoWebDriver)
    }

    fn take(mut self) -> Result<WebDriver, ChromeError> {
        self.0.take().ok_or(ChromeError::NoWebDriver)
    }
}

impl Drop for Unended {
    fn drop(&mut self) {
        if let Some(session) = self.0.take() {
            let _ = session.leak();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_are_those_that_say_something() {
        let bus = "[1:1:ERROR:dbus/bus.cc:406] Failed to connect to the bus: no such file";
        let power = "[1:1:ERROR:object_proxy.cc:590] Failed to call method: org.freedesktop.UPower.EnumerateDevices";
        let stderr = format!("first\nsecond\n{bus}\n\nthe disk is full\n{power}\n");
        assert_eq!(last_words(&stderr, 2), "second\nthe disk is full");
        assert_eq!(last_words(&format!("{bus}\n{power}\n"), 5), "nothing of note");
    }
}
