//! Who may knock: host, origin and token of every request, checked in one place before any route or upgrade is reached.
//!
//! Exact host against DNS rebinding; exact origin because any extension and any web page can reach a loopback port.

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, Uri};
use subtle::ConstantTimeEq;

/// Something that can be knocked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Door {
    /// The extension's socket.
    Extension,
    /// Relays' sockets.
    Relay,
    /// MCP over HTTP.
    Mcp,
    /// Questions of the command line.
    Control,
    /// Says that something listens, nothing more.
    Health,
}

/// Why a request was turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Closed {
    /// Not a name of this machine's loopback, or another port.
    #[error("the Host header must be 127.0.0.1 or localhost with this port")]
    Host,
    /// An origin that has no business here.
    #[error("this origin is not allowed here")]
    Origin,
    /// No token, or not today's.
    #[error("the token is missing or old; read it from daemon.json, it is new at every start")]
    Token,
    /// No such door.
    #[error("there is nothing here")]
    Unknown,
}

/// What the checks compare with.
#[derive(Debug, Clone)]
pub(super) struct Doors {
    /// Port listened on.
    pub port: u16,
    /// Token of the agents.
    pub token: String,
}

impl Door {
    /// The door behind a path.
    #[must_use]
    pub(super) fn at(path: &str) -> Option<Self> {
        match path {
            "/extension" => Some(Self::Extension),
            "/relay" => Some(Self::Relay),
            "/mcp" => Some(Self::Mcp),
            "/control" => Some(Self::Control),
            "/health" => Some(Self::Health),
            _ => None,
        }
    }

    /// Its name in the audit.
    #[must_use]
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Extension => "extension",
            Self::Relay => "relay",
            Self::Mcp => "mcp",
            Self::Control => "control",
            Self::Health => "health",
        }
    }
}

impl Closed {
    /// Status of the answer.
    #[must_use]
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::Host | Self::Origin => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::Unknown => StatusCode::NOT_FOUND,
        }
    }
}

impl Doors {
    /// Whether a request may pass.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<Door, Closed> {
        let host = single(headers, HOST.as_str()).ok_or(Closed::Host)?;
        if host != format!("127.0.0.1:{}", self.port) && host != format!("localhost:{}", self.port) {
            return Err(Closed::Host);
        }
        // A request line may name a host of its own (absolute form); it has to be the same one.
        if uri.authority().is_some_and(|named| named.as_str() != host) {
            return Err(Closed::Host);
        }
        let door = Door::at(uri.path()).ok_or(Closed::Unknown)?;
        let origin_fits = match door {
            Door::Extension => single(headers, ORIGIN.as_str()) == Some(&format!("chrome-extension://{}", protocol::EXTENSION_ID)),
            _ => !headers.contains_key(ORIGIN),
        };
        if !origin_fits {
            return Err(Closed::Origin);
        }
        match door {
            // The extension proves itself in its handshake; health has nothing to protect.
            Door::Extension | Door::Health => Ok(door),
            Door::Relay | Door::Mcp | Door::Control => {
                let given = single(headers, AUTHORIZATION.as_str()).and_then(|value| value.strip_prefix("Bearer "));
                let fits = given.is_some_and(|given| bool::from(given.as_bytes().ct_eq(self.token.as_bytes())));
                if fits { Ok(door) } else { Err(Closed::Token) }
            }
        }
    }
}

/// The value of a header that stands exactly once.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, lines: &[(&'static str, &str)]) -> Result<Door, Closed> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().unwrap());
        }
        Doors { port: 8787, token: "abc".into() }.check(&path.parse().unwrap(), &headers)
    }

    #[test]
    fn every_door_wants_its_own_host_origin_and_token() {
        let host = ("host", "127.0.0.1:8787");
        let own = format!("chrome-extension://{}", protocol::EXTENSION_ID);
        assert_eq!(check("/extension", &[host, ("origin", &own)]), Ok(Door::Extension));
        assert_eq!(check("/relay", &[("host", "localhost:8787"), ("authorization", "Bearer abc")]), Ok(Door::Relay));
        for path in ["/extension", "/relay", "/mcp", "/control", "/health", "/"] {
            for wrong in ["evil.example", "127.0.0.1", "127.0.0.1:8788", "[::1]:8787"] {
                assert_eq!(check(path, &[("host", wrong), ("authorization", "Bearer abc"), ("origin", &own)]), Err(Closed::Host));
            }
            assert_eq!(check(path, &[host, host]), Err(Closed::Host));
            if path != "/" {
                assert_eq!(check(path, &[host, ("authorization", "Bearer abc"), ("origin", "https://evil.example")]), Err(Closed::Origin));
            }
        }
        for wrong in ["http://evil.example/health", "http://localhost:8787/health", "http://a@127.0.0.1:8787/health"] {
            assert_eq!(check(wrong, &[host]), Err(Closed::Host));
        }
        assert_eq!(check("http://127.0.0.1:8787/health", &[host]), Ok(Door::Health));
        assert_eq!(check("/extension", &[host]), Err(Closed::Origin));
        assert_eq!(check("/extension", &[host, ("origin", "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")]), Err(Closed::Origin));
        assert_eq!(check("/mcp", &[host, ("authorization", "Bearer abd")]), Err(Closed::Token));
        assert_eq!(check("/mcp", &[host]), Err(Closed::Token));
        assert_eq!(check("/mcp", &[host, ("origin", &own), ("authorization", "Bearer abc")]), Err(Closed::Origin));
    }
}
