//! Whether a page is a fixture, and addresses without hosts, ports and tokens of a run.

use std::collections::BTreeMap;

use reqwest::Url;

/// Switches in a fixture's address that belong to the lab.
const OF_THE_LAB: [&str; 2] = ["run", "session"];

/// The fixture a recording was made on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// `<group>/<name>`.
    pub fixture: String,
    /// Its variant.
    pub query: BTreeMap<String, String>,
    /// The page's path and host, for addresses.
    path: String,
    host: String,
    port: Option<u16>,
    run: Option<String>,
    /// It stands for a page of somewhere else: of that one the path is enough to know it by.
    rebuilt: bool,
}

impl Page {
    /// The fixture at an address, where one of these is there.
    #[must_use]
    pub fn at(url: &str, is_fixture: impl Fn(&str) -> bool) -> Option<Self> {
        let url = Url::parse(url).ok().filter(is_loopback)?;
        let fixture = url.path().strip_prefix("/f/")?.strip_suffix(".html")?.to_owned();
        is_fixture(&fixture).then(|| Self::named(fixture, &url))
    }

    /// A page that was rebuilt as this fixture.
    #[must_use]
    pub fn rebuilt(url: &str, fixture: &str) -> Option<Self> {
        let url = Url::parse(url).ok()?;
        Some(Self { query: BTreeMap::new(), rebuilt: true, ..Self::named(fixture.to_owned(), &url) })
    }

    fn named(fixture: String, url: &Url) -> Self {
        let mut query = BTreeMap::new();
        let mut run = None;
        for (key, value) in url.query_pairs() {
            match key.as_ref() {
                "run" => run = Some(value.into_owned()),
                key if OF_THE_LAB.contains(&key) => {}
                _ => {
                    query.insert(key.into_owned(), value.into_owned());
                }
            }
        }
        Self {
            fixture,
            query,
            path: url.path().to_owned(),
            host: url.host_str().unwrap_or_default().to_owned(),
            port: url.port_or_known_default(),
            run,
            rebuilt: false,
        }
    }

    /// Whether an address is this page itself, in its variant.
    #[must_use]
    pub fn is(&self, url: &str) -> bool {
        let Ok(url) = Url::parse(url) else { return false };
        let other = Self::named(self.fixture.clone(), &url);
        // A page that is to be rebuilt is told without its port.
        let is_port = self.rebuilt || other.port == self.port;
        let is_place = other.path == self.path && other.host == self.host && is_port;
        is_place && (self.rebuilt || (url.fragment().is_none() && self.query == other.query))
    }

    /// An address with the lab's variables; what cannot be lifted is told.
    ///
    /// # Errors
    /// Why it stays as it is.
    pub fn lifted(&self, address: &str) -> Result<String, String> {
        if self.is(address) {
            return Ok("{{fixture}}".into());
        }
        let Ok(url) = Url::parse(address) else { return Ok(address.to_owned()) };
        if !is_loopback(&url) {
            let why = format!("{} is outside of this machine, where the lab lets nothing go", bare(address));
            return if url.has_host() { Err(why) } else { Ok(address.to_owned()) };
        }
        let host = url.host_str().unwrap_or_default();
        let own = host == self.host && url.port_or_known_default() == self.port;
        // The lab serves the same pages on two hosts.
        if !own && !url.path().starts_with("/f/") {
            return Err(format!("{} is an address of this machine that the lab does not serve", bare(address)));
        }
        let origin = if host == "localhost" { "{{origin_b}}" } else { "{{origin_a}}" };
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let fragment = url.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default();
        let rest = format!("{}{query}{fragment}", url.path());
        let rest = match &self.run {
            Some(run) => rest.replace(run.as_str(), "{{run}}"),
            None => rest,
        };
        Ok(format!("{origin}{rest}"))
    }

    /// A text without the token of the run and without hosts and ports, and whether anything was taken out.
    #[must_use]
    pub fn stripped(&self, text: &str) -> (String, bool) {
        let mut out = text.to_owned();
        if let Some(port) = self.port {
            for host in ["127.0.0.1", "localhost"] {
                out = out.replace(&format!("http://{host}:{port}"), "").replace(&format!("{host}:{port}"), "");
            }
        }
        if let Some(run) = &self.run {
            out = out.replace(run.as_str(), "");
        }
        let changed = out != text;
        (out, changed)
    }
}

/// Whether an address is on this machine.
#[must_use]
pub(crate) fn is_loopback(url: &Url) -> bool {
    matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]")) && url.scheme() == "http"
}

/// An address without its variant, user and fragment: enough to know the page by.
pub(super) fn bare(address: &str) -> String {
    match Url::parse(address) {
        Ok(url) => format!("{}://{}{}", url.scheme(), url.host_str().unwrap_or_default(), url.path()),
        Err(_) => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: &str = "http://127.0.0.1:40123/f/pointer/late.html?run=abc&delay=900";

    #[test]
    fn hosts_ports_and_runs_become_variables() {
        let page = Page::at(AT, |id| id == "pointer/late").unwrap();
        assert_eq!((page.fixture.as_str(), page.query.get("delay").map(String::as_str)), ("pointer/late", Some("900")));
        for (address, lifted) in [
            (AT, "{{fixture}}"),
            ("http://127.0.0.1:40123/f/pointer/late.html?delay=900&run=abc", "{{fixture}}"),
            ("http://127.0.0.1:40123/f/pointer/late.html?run=abc&delay=900#x", "{{origin_a}}/f/pointer/late.html?run={{run}}&delay=900#x"),
            ("http://127.0.0.1:40123/redirect?to=x", "{{origin_a}}/redirect?to=x"),
            ("http://localhost:40999/f/tabs/_a.html?run=abc", "{{origin_b}}/f/tabs/_a.html?run={{run}}"),
            ("about:blank", "about:blank"),
            ("not an address", "not an address"),
        ] {
            assert_eq!(page.lifted(address).as_deref(), Ok(lifted), "{address}");
        }
        assert!(page.lifted("http://127.0.0.1:3000/x").unwrap_err().contains("does not serve"));
        assert!(page.lifted("https://a.example/x?y").unwrap_err().starts_with("https://a.example/x is outside"));
        assert_eq!(page.stripped("at http://127.0.0.1:40123/f/x?run=abc"), ("at /f/x?run=".into(), true));
    }

    #[test]
    fn only_loopback_pages_of_the_project_are_fixtures() {
        assert!(Page::at("http://a.example/f/pointer/late.html", |_| true).is_none());
        assert!(Page::at("http://127.0.0.1:1/f/pointer/gone.html", |id| id == "pointer/late").is_none());
        let rebuilt = Page::rebuilt("https://a.example/cart?token=x", "form/cart").unwrap();
        assert!(rebuilt.is("https://a.example/cart?token=y") && !rebuilt.is("https://a.example/else"));
        assert_eq!(bare("https://me:pw@a.example/cart?token=x#y"), "https://a.example/cart");
    }
}
