//! `lab capture`: a live page becomes a fixture.

use std::path::Path;

use crate::capture::{Captured, Options, Scrub, capture, shape, texts};
use crate::cli::{CaptureArgs, ScrubChoice};
use crate::driver::{Chrome, ChromeError, ChromeOptions, Still, Wanted, still_at};
use crate::fixture::{FixtureServer, GROUPS};
use crate::report::note;

use super::{CommandError, Exit, print, write};

pub(super) async fn run(root: &Path, args: CaptureArgs) -> Result<Exit, CommandError> {
    check(&args).map_err(CommandError::Usage)?;
    let page = root.join("fixtures").join(format!("{}.html", args.name));
    let yaml = page.with_extension("yaml");
    if !args.force && (page.exists() || yaml.exists()) {
        return Err(CommandError::Usage(format!("the fixture `{}` is there already: choose another --as, or give --force", args.name)));
    }
    let options = Options {
        scrub: match args.scrub {
            ScrubChoice::Secrets => Scrub::Secrets,
            ScrubChoice::Text => Scrub::Text,
        },
        keep_scripts: args.keep_scripts,
        images: args.images,
    };
    let wanted = Wanted { images: args.images, scripts: args.keep_scripts };
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(|error| CommandError::Lab(format!("there is no chance to be had: {error}")))?;
    if let Some(address) = &args.devtools {
        let still = still_at(address, args.url.as_deref(), wanted).await?;
        let captured = capture(&still, options, &salt)?;
        keep(&captured, &page, &yaml)?;
        tell(&captured, &page, args.images, None)?;
        return Ok(Exit::Ok);
    }
    let chrome = Chrome::launch(ChromeOptions { headed: args.headed, ..ChromeOptions::default() }).await?;
    let done = tokio::select! {
        done = ours(&chrome, root, &args, (options, wanted), &salt) => Some(done),
        () = super::interrupted() => None,
    };
    let closed = chrome.close().await;
    let Some(done) = done else { return Ok(Exit::Interrupted) };
    let (captured, differs) = done?;
    closed?;
    tell(&captured, &page, args.images, Some(differs.as_deref()))?;
    Ok(if differs.is_some() { Exit::Failed } else { Exit::Ok })
}

/// Loads the page in a Chrome of our own, writes it, and looks at what was written; how that differs.
async fn ours(
    chrome: &Chrome,
    root: &Path,
    args: &CaptureArgs,
    (options, wanted): (Options, Wanted),
    salt: &[u8],
) -> Result<(Captured, Option<String>), CommandError> {
    let url = args.url.as_deref().unwrap_or_default();
    let tab = chrome.open(url).await?;
    let still = chrome.still(&tab, wanted).await?;
    // A page that did not load is an error page of the browser.
    if !still.documents.get(&still.top).is_some_and(|document| document.address.starts_with("http")) {
        return Err(ChromeError::NoTab { url: url.to_owned(), open: String::from("the browser's own error page") }.into());
    }
    let captured = capture(&still, options, salt)?;
    let page = root.join("fixtures").join(format!("{}.html", args.name));
    keep(&captured, &page, &page.with_extension("yaml"))?;
    // Whoever keeps scripts lets them write again: then there is nothing to compare.
    let differs = match args.keep_scripts {
        true => None,
        false => look(chrome, root, &args.name, &still).await?,
    };
    Ok((captured, differs))
}

/// Opens the fixture and compares the shapes of its texts with those of the page.
async fn look(chrome: &Chrome, root: &Path, name: &str, original: &Still) -> Result<Option<String>, CommandError> {
    let server = FixtureServer::start(&root.join("fixtures")).await.map_err(crate::runner::RunError::from)?;
    let tab = chrome.open(&format!("{}/f/{name}.html", server.origin_a())).await?;
    let copy = chrome.still(&tab, Wanted::default()).await?;
    let shapes = |still: &Still| texts(still).iter().map(|text| shape(text)).collect::<Vec<_>>();
    let (before, after) = (shapes(original), shapes(&copy));
    if before == after {
        return Ok(None);
    }
    let place = before.iter().zip(&after).position(|(one, other)| one != other).unwrap_or(before.len().min(after.len()));
    let at = |shapes: &[String]| shapes.get(place).map_or("nothing", String::as_str).chars().take(60).collect::<String>();
    Ok(Some(format!("{} texts in place of {}, first other one: {:?} in place of {:?}", after.len(), before.len(), at(&after), at(&before))))
}

/// What cannot be, told before anything is started.
fn check(args: &CaptureArgs) -> Result<(), String> {
    if let Some(url) = &args.url {
        let scheme = reqwest::Url::parse(url).map_err(|error| format!("`{url}` is no address: {error}"))?.scheme().to_owned();
        if scheme != "http" && scheme != "https" {
            return Err(format!("`{scheme}:` is no page of the web: give an address that begins with http:// or https://"));
        }
    }
    if let Some(address) = &args.devtools {
        let host = address.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map(|(host, _)| host);
        if !matches!(host, Some("127.0.0.1" | "localhost")) {
            return Err(format!("`--devtools {address}`: write 127.0.0.1:PORT, only this machine is asked"));
        }
    }
    let part = |text: &str| !text.is_empty() && text.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-');
    match args.name.split_once('/') {
        Some((group, name)) if GROUPS.contains(&group) && part(name) => Ok(()),
        _ => Err(format!("`--as {}`: write GROUP/NAME in small letters; the groups are {}", args.name, GROUPS.join(", "))),
    }
}

fn keep(captured: &Captured, page: &Path, yaml: &Path) -> Result<(), CommandError> {
    write(page, &captured.html)?;
    write(yaml, &captured.yaml)
}

fn tell(captured: &Captured, page: &Path, images: bool, looked: Option<Option<&str>>) -> Result<(), CommandError> {
    let tally = &captured.tally;
    print(&format!("{}\n{}", page.display(), page.with_extension("yaml").display()))?;
    print(&format!(
        "{} bytes: {} elements, {} frames, {} shadow roots, {} style sheets; {} words replaced",
        captured.html.len(),
        tally.elements,
        tally.frames,
        tally.shadow_roots,
        tally.styles,
        captured.replaced
    ))?;
    if tally.drawings > 0 {
        let what = if images { "as it stood" } else { "in grey (--images keeps it)" };
        print(&format!("{} canvas: nothing draws on it any more, a picture stands behind it, {what}", tally.drawings))?;
    }
    for left in &tally.left_out {
        print(&format!("left out: {left}"))?;
    }
    match looked {
        Some(None) => print("opened again, it shows texts of the same shape")?,
        Some(Some(differs)) => note(&format!("opened again, it does not show the same: {differs}")),
        None => {}
    }
    Ok(())
}
