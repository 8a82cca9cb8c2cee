//! MCP over HTTP: the lifecycle with sessions, and the newest revision without.

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

use super::extension::FakeExtension;
use super::instance::{Instance, soon};

/// One request of the newest revision: everything it needs is in it.
async fn alone(port: u16, token: &str, client: &str, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let mut request = reqwest::Client::new()
        .post(format!("http://127.0.0.1:{port}/mcp"))
        .bearer_auth(token)
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method)
        .json(&body);
    if let Some(name) = params["name"].as_str() {
        request = request.header("mcp-name", name);
    }
    let answer = soon("an answer", request.send()).await.unwrap();
    assert!(answer.headers().get("mcp-session-id").is_none());
    let text = answer.text().await.unwrap();
    let json = text.lines().find_map(|line| line.strip_prefix("data: ").filter(|data| data.starts_with('{'))).unwrap_or(&text);
    serde_json::from_str(json).unwrap_or_else(|_| panic!("{text}"))
}

#[tokio::test]
async fn the_newest_revision_needs_no_initialize_and_keeps_a_clients_tabs_by_its_name() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let _extension = FakeExtension::pair(&instance, &daemon).await;
    let tools = alone(daemon.port, &daemon.token, "one", "tools/list", json!({})).await;
    assert!(tools["result"]["tools"].as_array().is_some_and(|tools| !tools.is_empty()), "{tools}");
    let call = |client, arguments| {
        let params = json!({"name": "tabs", "arguments": arguments});
        let daemon = &daemon;
        async move {
            alone(daemon.port, &daemon.token, client, "tools/call", params).await["result"]["content"][0]["text"]
                .as_str()
                .unwrap()
                .to_owned()
        }
    };
    let text = call("one", json!({"action": "new"})).await;
    assert!(text.contains("tab 10"), "{text}");
    let text = call("two", json!({"action": "list"})).await;
    assert!(text.contains("held by one"), "{text}");
    let text = call("one", json!({"action": "close"})).await;
    assert_eq!(text, "closed tab 10");
}

#[tokio::test]
async fn a_client_that_initializes_has_a_session_of_its_own() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let _extension = FakeExtension::pair(&instance, &daemon).await;
    let connect = || async {
        let config = StreamableHttpClientTransportConfig::with_uri(format!("http://127.0.0.1:{}/mcp", daemon.port))
            .auth_header(daemon.token.clone());
        ().serve(StreamableHttpClientTransport::from_config(config)).await.unwrap()
    };
    let (one, two) = (connect().await, connect().await);
    assert!(one.peer_info().unwrap().instructions.as_ref().unwrap().contains("outcome"));
    assert!(!one.list_all_tools().await.unwrap().is_empty());
    let call = |arguments: Value| CallToolRequestParams::new("tabs").with_arguments(arguments.as_object().unwrap().clone());
    let text =
        |result: rmcp::model::CallToolResult| serde_json::to_value(result).unwrap()["content"][0]["text"].as_str().unwrap().to_owned();
    let opened = text(one.call_tool(call(json!({"action": "new"}))).await.unwrap());
    assert!(opened.contains("tab 10"), "{opened}");
    let listed = text(two.call_tool(call(json!({"action": "list"}))).await.unwrap());
    assert!(listed.contains("held by"), "{listed}");
    let refused = text(two.call_tool(call(json!({"action": "close", "tab": 10}))).await.unwrap());
    assert!(refused.starts_with("tab_owned: "), "{refused}");
    one.cancel().await.unwrap();
    two.cancel().await.unwrap();
}

#[tokio::test]
async fn twenty_requests_at_once_get_their_own_answers() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let _extension = FakeExtension::pair(&instance, &daemon).await;
    let calls = (0..20).map(|number| {
        let (port, token) = (daemon.port, daemon.token.clone());
        tokio::spawn(async move {
            let url = format!("http://127.0.0.1/{number}/");
            let params = json!({"name": "tabs", "arguments": {"action": "new", "url": url}});
            let answer = alone(port, &token, &format!("client {number}"), "tools/call", params).await;
            assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains(&url), "{answer}");
        })
    });
    for call in calls.collect::<Vec<_>>() {
        soon("an answer", call).await.unwrap();
    }
}

#[tokio::test]
async fn what_no_parser_could_answer_is_answered() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let send = |body: String| {
        let request = reqwest::Client::new().post(format!("http://127.0.0.1:{}/mcp", daemon.port)).bearer_auth(&daemon.token);
        let request = request.header("accept", "application/json, text/event-stream").header("content-type", "application/json");
        async move { soon("an answer", request.body(body).send()).await.unwrap() }
    };
    let odd = send(r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#.to_owned()).await;
    assert_eq!(odd.status(), 400);
    assert!(odd.text().await.unwrap().contains("-32600"));
    let client = r#"{"name":"\ud800","version":"1"}"#;
    let params = format!(r#"{{"protocolVersion":"2025-06-18","capabilities":{{}},"clientInfo":{client}}}"#);
    let half = send(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{params}}}"#)).await;
    assert_eq!(half.status(), 200);
    assert!(half.text().await.unwrap().contains("tegata"));
}
