//! Every door attacked over a real socket.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::extension::{FakeExtension, knock, origin};
use super::instance::{Instance, soon};

/// Status of a plain HTTP request with exactly these headers, and its body.
async fn raw(port: u16, method: &str, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let mut request = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("content-length: 0\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    soon("an answer", stream.read_to_string(&mut answer)).await.unwrap();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, answer)
}

#[tokio::test]
async fn agents_need_todays_token_and_no_origin() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let bearer = format!("Bearer {}", daemon.token);
    for path in ["/relay", "/control"] {
        assert_eq!(knock(daemon.port, path, &[]).await.err(), Some(401));
        assert_eq!(knock(daemon.port, path, &[("authorization", "Bearer wrong")]).await.err(), Some(401));
        let shorter = &bearer[..bearer.len() - 1];
        assert_eq!(knock(daemon.port, path, &[("authorization", shorter)]).await.err(), Some(401));
        for from in ["https://evil.example", "null", "http://localhost", origin().as_str()] {
            assert_eq!(knock(daemon.port, path, &[("authorization", &bearer), ("origin", from)]).await.err(), Some(403));
        }
        assert!(knock(daemon.port, path, &[("authorization", &bearer)]).await.is_ok());
    }
    let host = format!("127.0.0.1:{}", daemon.port);
    assert_eq!(raw(daemon.port, "POST", "/mcp", &[("host", &host)]).await.0, 401);
    assert_eq!(
        raw(daemon.port, "POST", "/mcp", &[("host", &host), ("authorization", &bearer), ("origin", "https://evil.example")]).await.0,
        403
    );
    // After a restart the old token opens nothing.
    assert_eq!(instance.run(&["stop"]).await.0, 0);
    let next = instance.find().await;
    assert_ne!(next.token, daemon.token);
    assert_eq!(knock(next.port, "/relay", &[("authorization", &bearer)]).await.err(), Some(401));
    let audit = instance.read("audit.jsonl");
    assert!(audit.contains(r#""event":"refused","door":"relay""#) && !audit.contains(&daemon.token) && !audit.contains("wrong"), "{audit}");
}

#[tokio::test]
async fn only_the_pinned_extension_may_knock_at_its_door() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let bearer = format!("Bearer {}", daemon.token);
    let other = format!("chrome-extension://{}", "a".repeat(32));
    for from in [other.as_str(), "https://evil.example", "null"] {
        assert_eq!(knock(daemon.port, "/extension", &[("origin", from), ("authorization", &bearer)]).await.err(), Some(403));
    }
    assert_eq!(knock(daemon.port, "/extension", &[("authorization", &bearer)]).await.err(), Some(403));
    assert!(knock(daemon.port, "/extension", &[("origin", &origin())]).await.is_ok());
}

#[tokio::test]
async fn every_route_refuses_another_host_and_health_tells_nothing() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let bearer = format!("Bearer {}", daemon.token);
    let (port, own) = (daemon.port, origin());
    for path in ["/extension", "/relay", "/control", "/mcp", "/health", "/", "/unknown"] {
        for host in ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "[::1]:80"] {
            let (status, _) = raw(port, "GET", path, &[("host", host), ("authorization", &bearer), ("origin", &own)]).await;
            assert_eq!(status, 403, "{path} {host}");
        }
    }
    let host = format!("localhost:{port}");
    let (status, answer) = raw(port, "GET", "/health", &[("host", &host)]).await;
    assert_eq!(status, 200);
    assert!(answer.ends_with("\r\n\r\nok"), "{answer}");
    assert_eq!(raw(port, "GET", "/health", &[("host", &host), ("origin", "https://evil.example")]).await.0, 403);
    assert_eq!(raw(port, "GET", "/unknown", &[("host", &host)]).await.0, 404);
}

#[tokio::test]
async fn a_squatter_on_the_old_port_is_not_spoken_to() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    super::instance::kill(daemon.pid, nix::sys::signal::Signal::SIGKILL);
    super::instance::until("the daemon is gone", || instance.state.holder().unwrap().is_none().then_some(())).await;
    assert!(instance.state.file("daemon.json").exists(), "a killed daemon leaves its file behind");
    let squatter = super::instance::until("the port is free", || std::net::TcpListener::bind(("127.0.0.1", daemon.port)).ok()).await;
    squatter.set_nonblocking(true).unwrap();
    let next = instance.find().await;
    assert_ne!(next.port, daemon.port);
    FakeExtension::pair(&instance, &next).await;
    assert!(squatter.accept().is_err(), "nobody knocked there");
}
