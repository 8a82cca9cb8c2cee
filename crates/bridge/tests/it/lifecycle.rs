//! Beginnings and ends of the daemon: races, ports, directories, builds.

use std::time::{Duration, SystemTime};

use serde_json::json;

use super::instance::{Agent, Instance, soon, until};

#[tokio::test]
async fn five_relays_at_once_get_one_daemon() {
    let instance = Instance::new();
    let mut relays = Vec::new();
    for number in 0..5 {
        let command = instance.command();
        relays.push(tokio::spawn(async move { Agent::greeted(command, &format!("agent {number}")).await }));
    }
    let mut agents = Vec::new();
    for relay in relays {
        agents.push(soon("a relay is served", relay).await.unwrap());
    }
    for agent in &mut agents {
        assert!(agent.request("tools/list", json!({})).await["result"]["tools"].is_array());
    }
    assert_eq!(instance.read("daemon.log").matches("the daemon listens").count(), 1);
}

#[tokio::test]
async fn a_second_daemon_a_taken_port_and_a_bad_directory_are_said_in_one_sentence() {
    let instance = Instance::new();
    instance.daemon().await;
    let (code, out, error) = instance.run(&["daemon"]).await;
    assert_eq!((code, out.as_str()), (3, ""));
    assert!(error.contains("already runs") && error.contains("tegata stop"), "{error}");

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (code, _, error) = Instance::new().run(&["daemon", "--port", &port]).await;
    assert_eq!(code, 3);
    assert!(error.contains(&format!("port {port} of 127.0.0.1 is taken")) && error.contains("TEGATA_STATE_DIR"), "{error}");

    let file = instance.place.path().join("file");
    std::fs::write(&file, "").unwrap();
    for verb in [["mcp"].as_slice(), &["daemon"], &["extension", "--pair"]] {
        let mut command = instance.command();
        let output = soon("the program ends", command.args(verb).env("TEGATA_STATE_DIR", file.join("state")).output()).await.unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert!(output.stdout.is_empty() && error.contains("cannot be written") && error.trim().lines().count() == 1, "{error}");
    }
}

#[tokio::test]
async fn a_newer_build_replaces_an_older_daemon_and_never_the_reverse() {
    let instance = Instance::new();
    let copy = |name: &str, age: i64| {
        let path = instance.place.path().join(name);
        std::fs::copy(instance.program(), &path).unwrap();
        let hours = Duration::from_secs(3600 * age.unsigned_abs());
        let time = if age < 0 { SystemTime::now() - hours } else { SystemTime::now() + hours };
        std::fs::File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
        path
    };
    let (older, newer) = (copy("older", -5), copy("newer", 5));
    let mut first = Agent::greeted(instance.command_of(&older), "first").await;
    let old = instance.state.living().unwrap().unwrap();
    let mut second = Agent::greeted(instance.command_of(&newer), "second").await;
    let new = instance.state.living().unwrap().unwrap();
    assert!(new.build > old.build && new.pid != old.pid);
    // The older relay goes on with the newer daemon, and starts none of its own.
    let note = soon("word of the new tools", first.unasked.recv()).await.unwrap();
    assert_eq!(note["method"], "notifications/tools/list_changed");
    for agent in [&mut first, &mut second] {
        assert!(agent.request("tools/list", json!({})).await["result"]["tools"].is_array());
    }
    let third = Agent::greeted(instance.command_of(&older), "third").await;
    assert_eq!(instance.state.living().unwrap().unwrap(), new);
    assert_eq!(third.leave().await, 0);
    assert_eq!(instance.read("daemon.log").matches("the daemon listens").count(), 2);
}

#[tokio::test]
async fn stop_ends_it_and_stopping_nothing_is_no_error() {
    let instance = Instance::new();
    assert_eq!(instance.run(&["stop"]).await.1, "no daemon runs\n");
    instance.daemon().await;
    assert_eq!(instance.run(&["stop"]).await.1, "the daemon has ended\n");
    until("the lock is free", || instance.state.holder().unwrap().is_none().then_some(())).await;
}

#[tokio::test]
async fn a_daemon_whose_directory_is_removed_ends_and_leaves_its_successor_alone() {
    let instance = Instance::new();
    let first = instance.daemon().await;
    std::fs::remove_dir_all(instance.state.path()).unwrap();
    let second = instance.daemon().await;
    assert_ne!(first.pid, second.pid);
    until("the first one's port is free", || std::net::TcpStream::connect(("127.0.0.1", first.port)).is_err().then_some(())).await;
    assert_eq!(instance.state.living().unwrap().unwrap().pid, second.pid);
}
