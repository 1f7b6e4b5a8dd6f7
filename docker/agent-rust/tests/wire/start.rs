//! Starting, offering and ending.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};
use serde_json::{Value, json};

use crate::agent::{Agent, run};
use crate::caller::{BINDINGS, Caller, text};

async fn card(agent: &Agent) -> Value {
    let answer = reqwest::get(agent.ready["card"].as_str().expect("a card")).await.expect("an answer");
    answer.json().await.expect("a card is JSON")
}

#[tokio::test]
async fn stdout_holds_the_ready_line_alone() {
    let mut agent = Agent::start_with(&["--name", "rowan"], &[("LAB_AGENT_LOG", "info")]);
    assert_eq!((&agent.ready["ready"], &agent.ready["name"]), (&json!(true), &json!("rowan")));
    assert_eq!(card(&agent).await["name"], "rowan");
    Caller::new(&agent, "JSONRPC").send(text("hello")).await.expect("a task");
    agent.terminate();
    assert_eq!(agent.ended().0, Some(0));
    assert_eq!(agent.further_stdout(), "");
}

#[tokio::test]
async fn a_card_lists_the_bindings_asked_for() {
    for asked in ["JSONRPC,HTTP+JSON,GRPC", "JSONRPC", "HTTP+JSON,GRPC", "GRPC"] {
        let agent = Agent::start(&["--protocol", "1.0", "--bindings", asked]);
        let card = card(&agent).await;
        let listed: Vec<_> = card["supportedInterfaces"].as_array().into_iter().flatten().cloned().collect();
        let bindings: Vec<_> = listed.iter().filter_map(|listed| listed["protocolBinding"].as_str()).collect();
        assert_eq!(bindings.join(","), asked);
        assert!(listed.iter().all(|listed| listed["protocolVersion"] == "1.0"), "{listed:?}");
        assert_eq!(agent.ready.get("origins").is_some(), bindings.contains(&"GRPC"));
    }
}

#[tokio::test]
async fn a_binding_not_asked_for_is_not_served() {
    let agent = Agent::start(&["--bindings", "JSONRPC"]);
    let answer = Caller::new(&agent, "JSONRPC").post("/rest/message:send", json!({})).send().await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 404);
}

#[test]
fn a_bad_flag_is_one_line_and_exit_code_2() {
    for flags in [
        &["--httpPort", "70000"][..],
        &["--httpPort"],
        &["--protocol", "0.2"],
        &["--protocol", "0.3"],
        &["--protocol", "both"],
        &["--bindings", "SMTP"],
        &["--auth", "basic"],
        &["--extendedCard"],
        &["--signCard=yes"],
        &["--fault", "any"],
        &["--nonsense"],
    ] {
        let output = run(flags, &[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len(), stderr.lines().count()), (Some(2), 0, 1), "{stderr}");
    }
}

#[test]
fn tokens_that_cannot_be_read_are_refused_and_not_shown() {
    let output = run(&["--auth", "bearer"], &[("LAB_AGENT_TOKENS", "alice=secret,secret-too")]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
    assert!(!stderr.contains("secret"), "{stderr}");
}

#[test]
fn a_port_that_is_taken_is_one_line_and_exit_code_1() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = run(&["--httpPort", &port], &[]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), stderr.lines().count()), (Some(1), 1), "{stderr}");
}

#[tokio::test]
async fn sigterm_ends_it_in_time_with_streams_open() {
    for binding in BINDINGS {
        let mut agent = Agent::start(&[]);
        let caller = Caller::new(&agent, binding);
        let stream = tokio::spawn(async move { caller.stream(text("tck-long-running")).await });
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!stream.is_finished(), "{binding}");
        agent.terminate();
        let (code, took) = agent.ended();
        assert_eq!(code, Some(0));
        assert!(took < Duration::from_secs(2), "{took:?}");
        stream.abort();
    }
}

#[tokio::test]
async fn it_ends_with_its_parent_when_asked_to() {
    let mut agent = Agent::start_with(&[], &[("PLUGFEST_PARENT", "stdin")]);
    drop(agent.stdin.take());
    assert_eq!(agent.ended().0, Some(0));
}

#[tokio::test]
async fn a_signed_card_verifies_by_the_key_at_its_jku_and_no_longer_once_it_was_changed() {
    let agent = Agent::start(&["--signCard"]);
    let mut card = card(&agent).await;
    let signature = card["signatures"][0].clone();
    card.as_object_mut().expect("a card is an object").remove("signatures");
    let header: Value = serde_json::from_slice(&bytes(&signature["protected"])).expect("the header is JSON");
    assert_eq!(header["jku"], format!("{}/.well-known/jwks.json", agent.url));
    let keys: Value =
        reqwest::get(header["jku"].as_str().expect("a jku")).await.expect("keys").json().await.expect("JSON");
    let public = &keys["keys"][0];
    assert_eq!((&public["kid"], public.get("d")), (&header["kid"], None));
    let point = [&[4][..], &bytes(&public["x"]), &bytes(&public["y"])].concat();
    let key = VerifyingKey::from_sec1_bytes(&point).expect("a point of the curve");
    let verifies = |card: &Value| {
        let payload = BASE64URL.encode(serde_json_canonicalizer::to_vec(card).expect("JSON"));
        let signed = format!("{}.{payload}", signature["protected"].as_str().expect("a header"));
        let given = Signature::from_slice(&bytes(&signature["signature"])).expect("64 bytes");
        key.verify(signed.as_bytes(), &given).is_ok()
    };
    assert!(verifies(&card));
    card["description"] = json!("another");
    assert!(!verifies(&card));
}

#[tokio::test]
async fn without_the_flag_there_is_neither_signature_nor_key() {
    let agent = Agent::start(&[]);
    assert_eq!(card(&agent).await.get("signatures"), None);
    let answer = reqwest::get(format!("{}/.well-known/jwks.json", agent.url)).await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 404);
}

fn bytes(text: &Value) -> Vec<u8> {
    BASE64URL.decode(text.as_str().expect("a text")).expect("base64url")
}
