//! The main content of a page's HTML as Markdown or text. Pure. The HTML comes from a page: it is parsed as a browser would, and nothing
//! of it is kept but text, structure and addresses.

use dom_smoothie::{CandidateSelectMode, Config, Readability, TextMode};

/// How the content is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Markdown.
    Markdown,
    /// Plain text.
    Text,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// It.
    pub text: String,
    /// Who wrote it.
    pub byline: Option<String>,
    /// Main content was told from the rest of the page.
    pub main: bool,
    /// All of the HTML was asked for.
    pub asked: bool,
}

/// Less text than this is no main content.
const LEAST: usize = 140;
/// Main content that leaves out more of a page than this part of its text is doubted: then the whole page is given.
const LEAST_PART: usize = 8;

/// Reads HTML as rendered; `whole` keeps all of it.
#[must_use]
pub fn read(html: &str, url: &str, form: Form, whole: bool) -> Article {
    let everything = |asked| Article { text: written(html, form), byline: None, main: false, asked };
    if whole {
        return everything(true);
    }
    let mode = if form == Form::Text { TextMode::Formatted } else { TextMode::Raw };
    let config = Config { text_mode: mode, candidate_select_mode: CandidateSelectMode::Readability, ..Config::default() };
    let base = if url.starts_with("http") { Some(url) } else { None };
    let Ok(article) = Readability::new(html, base, Some(config)).and_then(|mut readability| readability.parse()) else {
        return everything(false);
    };
    let found = article.text_content.trim().chars().count();
    let all = written(html, Form::Text).chars().count();
    if found < LEAST || found * LEAST_PART < all {
        return everything(false);
    }
    let text = match form {
        Form::Markdown => {
            let body = written(&article.content, form);
            let title = article.title.trim();
            let titled = title.is_empty() || body.starts_with("# ") || body.contains(&format!("# {title}"));
            if titled { body } else { format!("# {title}\n\n{body}") }
        }
        Form::Text => article.text_content.trim().to_owned(),
    };
    let byline = article.byline.map(|byline| byline.trim().to_owned()).filter(|byline| !byline.is_empty());
    Article { text, byline, main: true, asked: false }
}

fn written(html: &str, form: Form) -> String {
    match form {
        Form::Markdown => {
            let converter = htmd::HtmlToMarkdown::builder().skip_tags(vec!["script", "style", "head", "template", "noscript"]).build();
            squeezed(&converter.convert(html).unwrap_or_default())
        }
        Form::Text => plain_text(html),
    }
}

/// Text of HTML with the breaks of its blocks.
fn plain_text(html: &str) -> String {
    squeezed(&dom_query::Document::from(html).formatted_text())
}

/// No more than one blank line, no blanks at the ends of lines.
fn squeezed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = 0;
    for line in text.lines() {
        let line = line.trim_end();
        blank = if line.is_empty() { blank + 1 } else { 0 };
        if blank < 2 {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><head></head><body><nav><ul><li><a href=\"http://x/\">Home</a></li><li>Prices</li></ul></nav>\
        <article><h1>Stamps</h1><p>A hand was pressed on paper, in ink, and everybody knew that the traveller, and nobody else, had passed the barrier.</p>\
        <p>The <b>guard</b> kept the other half, and <a href=\"http://x/more\">compared</a> them when the traveller came back from the mountains, late in autumn.</p>\
        <p>Nobody was believed without it, however long he talked about the road, the weather, the rivers he had crossed and the people he had met.</p></article>\
        <footer>Imprint, contact and forty other words</footer></body></html>";

    #[test]
    fn an_article_is_told_from_what_stands_around_it() {
        let read = read(PAGE, "http://x/", Form::Markdown, false);
        assert!(read.main, "{read:?}");
        assert!(read.text.contains("The **guard** kept") && read.text.contains("[compared](http://x/more)"), "{}", read.text);
        assert!(!read.text.contains("Prices") && !read.text.contains("Imprint"), "{}", read.text);
    }

    #[test]
    fn a_page_without_an_article_is_given_whole() {
        let read = read("<body><p>One</p><p>Two</p></body>", "http://x/", Form::Text, false);
        assert!(!read.main && read.text.contains("One") && read.text.contains("Two"), "{read:?}");
        let asked = super::read(PAGE, "http://x/", Form::Markdown, true);
        assert!(asked.text.contains("Prices") && asked.text.contains("Imprint"), "{}", asked.text);
    }
}
