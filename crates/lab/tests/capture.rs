//! `lab capture` on a live page with shadow roots, frames of two sites and styles of all kinds: what comes out looks alike, says nothing
//! personal, and asks nothing of anybody.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lab::capture::{shape, texts};
use lab::driver::{Chrome, ChromeOptions, Still, Wanted};
use lab::fixture::{FixtureServer, lint, load_all};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("is there")
}

const SOURCE: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <script src="/journal.js"></script>
  <title>Orders of anna.muster@example.org</title>
  <link rel="stylesheet" href="/f/capture/_sheet.css">
  <style>#inline { background-image: url(/f/capture/_dot.png) }</style>
</head>
<body>
  <h1>Orders</h1>
  <p id="linked">Signed in as Anna Muster</p>
  <p id="inline">Card 4111 1111 1111 1111</p>
  <form action="/200"><label>Name <input id="name"></label> <label>Password <input type="password" id="pw" value="no"></label>
    <label>Note <textarea id="note">empty</textarea></label> <label><input type="checkbox" id="tick"> Remember</label>
    <select aria-label="Pace"><option>Slow</option><option>Fast</option></select></form>
  <div contenteditable="true" id="edit">draft</div>
  <div id="open"></div><div id="closed"></div>
  <img src="/f/capture/_dot.png" alt="A dot" width="30">
  <a href="/200?token=abc123def456ghi789jkl0">More</a>
  <iframe title="Same" src="/f/capture/_inner.html?run={{run}}"></iframe>
  <iframe title="Other" src="{{origin_b}}/f/capture/_inner.html?run={{run}}"></iframe>
  <script>
    const put = (id, mode, text) => {
      const root = document.getElementById(id).attachShadow({ mode });
      root.innerHTML = `<button>${text}</button><slot></slot>`;
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('button { color: rgb(1, 2, 3) }');
      root.adoptedStyleSheets = [sheet];
      return root;
    };
    put('open', 'open', 'In the open');
    put('closed', 'closed', 'Behind the door');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('h1 { color: rgb(4, 5, 6) }');
    document.adoptedStyleSheets = [sheet];
    document.getElementById('name').value = 'Anna Muster';
    document.getElementById('pw').value = 'Geheim-2024';
    document.getElementById('note').value = 'Please call';
    document.getElementById('tick').checked = true;
    document.getElementById('edit').textContent = 'Dear Berta';
    document.querySelector('select').selectedIndex = 1;
  </script>
</body>
</html>
"#;
const INNER: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Inner</title></head><body><p>Framed words</p><div id=\"deep\"></div><script>document.getElementById('deep').attachShadow({mode: 'closed'}).innerHTML = '<p>Deep in ' + location.hostname.replace(/[0-9.]+/, 'here') + '</p>';</script></body></html>";

/// Words that nobody else may read.
const SECRETS: [&str; 8] =
    ["anna.muster@example.org", "Anna Muster", "4111 1111", "Geheim-2024", "Please call", "Dear Berta", "abc123def456", "token="];

/// A project whose fixtures are the page alone.
fn project() -> tempfile::TempDir {
    let project = tempfile::tempdir().expect("a folder");
    let folder = project.path().join("fixtures/capture");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::create_dir_all(project.path().join("scenarios")).expect("a folder");
    symlink(root().join("fixtures/journal.js"), project.path().join("fixtures/journal.js")).expect("links");
    std::fs::write(folder.join("_source.html"), SOURCE).expect("writes");
    std::fs::write(folder.join("_inner.html"), INNER).expect("writes");
    std::fs::write(folder.join("_sheet.css"), "#linked { color: rgb(7, 8, 9) }").expect("writes");
    image::RgbImage::new(12, 8).save(folder.join("_dot.png")).expect("writes");
    project
}

fn lab(project: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("--root").arg(project).arg("capture").args(args).env("NO_COLOR", "1").stdin(Stdio::null());
    let output = command.output().expect("starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("has a code"), text(&output.stdout), text(&output.stderr))
}

fn shapes(still: &Still) -> Vec<String> {
    texts(still).iter().map(|text| shape(text)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_live_page_becomes_a_fixture_that_stands_for_itself() {
    let project = project();
    let fixtures = project.path().join("fixtures");
    let server = FixtureServer::start(&fixtures).await.expect("starts");
    let url = format!("{}/f/capture/_source.html?run=x", server.origin_a());
    let (code, said, told) = lab(project.path(), &[&url, "--as", "capture/orders"]);
    assert_eq!(code, 0, "{said}{told}");
    assert!(said.contains("2 frames, 4 shadow roots") && said.contains("texts of the same shape"), "{said}");
    assert!(!said.contains("left out"), "{said}");

    let html = std::fs::read_to_string(fixtures.join("capture/orders.html")).expect("is written");
    let yaml = std::fs::read_to_string(fixtures.join("capture/orders.yaml")).expect("is written");
    assert_eq!(lint::problems(&html, false), [], "{html}");
    assert_eq!(load_all(&fixtures).expect("it is a fixture").len(), 1);
    for secret in SECRETS {
        assert!(!html.contains(secret) && !yaml.contains(secret), "{secret} in {html}{yaml}");
    }
    assert!(html.contains("Behind the door") && html.contains("Framed words"), "words that are nobody's stay");

    let chrome = Chrome::launch(ChromeOptions::default()).await.expect("starts");
    let look = async {
        let original = chrome.open(&url).await?;
        let copy = chrome.open(&format!("{}/f/capture/orders.html?run=y", server.origin_a())).await?;
        let (before, after) = (chrome.still(&original, Wanted::default()).await?, chrome.still(&copy, Wanted::default()).await?);
        assert_eq!(shapes(&before), shapes(&after));
        assert!(shapes(&after).iter().any(|text| text == &shape("Deep in localhost")), "the frame of the other site, and its closed root");
        // What applies, what stands in the fields, and what was asked for.
        let facts = "(() => {
            const colour = (element) => getComputedStyle(element).color;
            const at = (id) => document.getElementById(id);
            const inner = document.querySelector('iframe').contentDocument;
            return {
                colours: [colour(document.querySelector('h1')), colour(at('linked')), colour(at('open').shadowRoot.querySelector('button'))],
                ticked: at('tick').checked, pace: document.querySelector('select').value, lengths: [at('name').value.length, at('pw').value.length],
                door: at('closed').shadowRoot === null, deep: inner.getElementById('deep').shadowRoot === null,
                picture: [document.images[0].naturalWidth, document.images[0].naturalHeight],
                asked: performance.getEntriesByType('resource').map((one) => one.name).filter((name) => !name.startsWith('data:')),
            };
        })()";
        let seen: Value = chrome.evaluate(&copy, facts).await?;
        Ok::<_, lab::driver::ChromeError>(seen)
    };
    let seen = look.await;
    chrome.close().await.expect("ends");
    let seen = seen.expect("both are read");
    assert_eq!(seen["colours"], json!(["rgb(4, 5, 6)", "rgb(7, 8, 9)", "rgb(1, 2, 3)"]));
    assert_eq!(seen["ticked"], true);
    assert_eq!((&seen["pace"], &seen["lengths"]), (&json!("Fast"), &json!([11, 11])));
    assert_eq!((&seen["door"], &seen["deep"], &seen["picture"]), (&json!(true), &json!(true), &json!([12, 8])));
    let asked = seen["asked"].as_array().expect("is a list").iter().filter_map(Value::as_str).collect::<Vec<_>>();
    assert_eq!(asked, [format!("{}/journal.js", server.origin_a())]);
}

const DRAWN: &str = r#"<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Drawn</title></head><body>
<img src="/f/capture/_dot.png" alt="A dot"><canvas id="board" width="20" height="10"></canvas>
<object data="/f/capture/_dot.png" type="image/png" aria-label="A thing"></object>
<script>const pen = document.getElementById('board').getContext('2d'); pen.fillStyle = 'rgb(9, 90, 200)'; pen.fillRect(0, 0, 20, 10);</script>
</body></html>"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_are_kept_where_asked_for_and_grey_of_the_same_size_else() {
    let project = project();
    let fixtures = project.path().join("fixtures");
    std::fs::write(fixtures.join("capture/_drawn.html"), DRAWN).expect("writes");
    let server = FixtureServer::start(&fixtures).await.expect("starts");
    let url = format!("{}/f/capture/_drawn.html", server.origin_a());
    for (name, more, said_of_it) in
        [("capture/grey", None, "in grey (--images keeps it)"), ("capture/kept", Some("--images"), "as it stood")]
    {
        let args: Vec<&str> = [url.as_str(), "--as", name].into_iter().chain(more).collect();
        let (code, said, told) = lab(project.path(), &args);
        assert_eq!(code, 0, "{said}{told}");
        assert!(said.contains("1 canvas: nothing draws on it any more") && said.contains(said_of_it), "{said}");
        assert!(said.contains("left out: <object>"), "{said}");
    }
    let chrome = Chrome::launch(ChromeOptions::default()).await.expect("starts");
    // The colour of the middle of the picture, and of what stands behind the canvas.
    let colours = "(async () => {
        const board = document.getElementById('board');
        const behind = getComputedStyle(board).backgroundImage.slice(5, -2);
        const colour = async (address) => {
            const image = new Image();
            image.src = address;
            await image.decode();
            const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
            const pen = canvas.getContext('2d');
            pen.drawImage(image, 0, 0);
            return [canvas.width, canvas.height, ...pen.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data.slice(0, 3)];
        };
        return [await colour(document.images[0].src), await colour(behind), board.getBoundingClientRect().width];
    })()";
    let look = async {
        let mut seen = Vec::new();
        for name in ["grey", "kept"] {
            let tab = chrome.open(&format!("{}/f/capture/{name}.html?run=y", server.origin_a())).await?;
            chrome.still(&tab, Wanted::default()).await?;
            seen.push(chrome.evaluate(&tab, colours).await?);
        }
        Ok::<_, lab::driver::ChromeError>(seen)
    };
    let seen = look.await;
    chrome.close().await.expect("ends");
    let grey = json!([[12, 8, 153, 153, 153], [20, 10, 153, 153, 153], 20]);
    let kept = json!([[12, 8, 0, 0, 0], [20, 10, 9, 90, 200], 20]);
    assert_eq!(seen.expect("both are read"), [grey, kept]);
}

#[test]
fn what_cannot_be_captured_is_told_before_anything_is_started() {
    let project = project();
    std::fs::write(project.path().join("fixtures/capture/there.html"), "").expect("writes");
    for (args, sentence) in [
        (&[][..], "required"),
        (&["file:///etc/passwd"], "`file:` is no page of the web"),
        (&["chrome://version"], "`chrome:` is no page of the web"),
        (&["example"], "`example` is no address"),
        (&["http://127.0.0.1:1/", "--as", "mouse/x"], "the groups are"),
        (&["http://127.0.0.1:1/", "--as", "capture/../x"], "write GROUP/NAME"),
        (&["http://127.0.0.1:1/", "--as", "capture/there"], "is there already"),
        (&["--devtools", "192.0.2.1:9222"], "only this machine is asked"),
    ] {
        let (code, said, told) = lab(project.path(), args);
        let told = told.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!((code, told.contains(sentence)), (2, true), "{sentence}: {code} {said}{told}");
    }
}
