//! `tegata extension`: where the built extension is, and the address that pairs it.
#![expect(clippy::print_stdout, reason = "this is what a command line is for")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bridge::daemon::{Answer, Build, Question, StateDir};
use bridge::relay::{ask, find_or_start, program};
use protocol::EXTENSION_ID;
use serde_json::{Value, json};

use super::{CANNOT_BEGIN, failure};

/// Names the folder of the built extension.
const FOLDER_VARIABLE: &str = "TEGATA_EXTENSION_DIR";

/// What is wrong with the folder.
#[derive(Debug, thiserror::Error)]
#[error("the extension is not built: {} has no manifest.json. Run `cargo xtask extension`, or set {FOLDER_VARIABLE} to its folder.", .0.display())]
pub(super) struct NotBuilt(PathBuf);

/// The folder to load in Chrome.
pub(super) fn folder() -> Result<PathBuf, NotBuilt> {
    let named = std::env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let candidates = named.map_or_else(usual_places, |folder| vec![folder]);
    let built = candidates.iter().find(|folder| folder.join("manifest.json").is_file() && folder.join("build.json").is_file());
    match built {
        Some(folder) => Ok(folder.canonicalize().unwrap_or_else(|_| folder.clone())),
        None => Err(NotBuilt(candidates.into_iter().next().unwrap_or_default())),
    }
}

/// The checkout this program was built from, wherever its target folder lies; else the one the program lies in
/// (a build for another target lies one folder deeper).
fn usual_places() -> Vec<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(2).take(1).map(Path::to_owned);
    let program = std::env::current_exe().unwrap_or_default();
    let beside = program.ancestors().skip(3).take(2).map(Path::to_owned);
    source.chain(beside).map(|place| place.join("extension").join("dist")).collect()
}

/// Hash of the sources that the folder was built from.
pub(super) fn source_hash(folder: &Path) -> Option<String> {
    let text = std::fs::read(folder.join("build.json")).ok()?;
    let build: Value = serde_json::from_slice(&text).ok()?;
    build.get("source_hash").and_then(Value::as_str).map(ToOwned::to_owned)
}

pub(super) async fn extension(state: &StateDir, json: bool, pair: bool) -> ExitCode {
    let folder = match folder() {
        Ok(folder) => folder,
        Err(error) => return failure(&error.to_string(), 1),
    };
    let connect = if pair {
        match connect_url(state).await {
            Ok(url) => Some(url),
            Err(sentence) => return failure(&sentence, CANNOT_BEGIN),
        }
    } else {
        None
    };
    if json {
        let mut line = json!({"folder": folder, "id": EXTENSION_ID});
        if let Some(url) = connect {
            line["connect_url"] = url.into();
        }
        println!("{line}");
        return ExitCode::SUCCESS;
    }
    println!("folder  {}", folder.display());
    println!("id      {EXTENSION_ID}");
    println!("load    chrome://extensions → Developer mode → Load unpacked → this folder");
    match connect {
        Some(url) => println!("pair    open {url}\n        in that Chrome within 10 minutes; the address works once"),
        None => println!("pair    run `tegata extension --pair` and open the address it prints"),
    }
    ExitCode::SUCCESS
}

async fn connect_url(state: &StateDir) -> Result<String, String> {
    let program = program().map_err(|error| error.to_string())?;
    let file = find_or_start(state, &program, Build::of(&program)).await.map_err(|error| error.to_string())?;
    match ask(&file, Question::Pair).await {
        Ok(Answer::Pair(code)) => Ok(format!("chrome-extension://{EXTENSION_ID}/connect.html#{}-{code}", file.port)),
        Ok(Answer::Failed(sentence)) => Err(sentence),
        Ok(_) => Err("the daemon answered another question. Run `tegata stop` and try again.".to_owned()),
        Err(error) => Err(format!("{error}. Run `tegata stop` and try again.")),
    }
}
