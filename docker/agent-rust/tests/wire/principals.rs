//! Bearer tokens, and whose tasks are whose.

use serde_json::{Value, json};

use crate::agent::Agent;
use crate::caller::{BINDINGS, Caller, message, state, text};

const TOKENS: (&str, &str) = ("LAB_AGENT_TOKENS", "alice=token-of-alice,bob=token-of-bob");

fn guarded(flags: &[&str]) -> Agent {
    Agent::start_with(&[&["--auth", "bearer"], flags].concat(), &[TOKENS])
}

#[tokio::test]
async fn the_card_is_public_and_says_what_it_requires() {
    let agent = guarded(&[]);
    let card = reqwest::get(agent.ready["card"].as_str().expect("a card")).await.expect("an answer");
    let card: Value = card.json().await.expect("a card is JSON");
    assert_eq!(card["securitySchemes"]["bearer"]["httpAuthSecurityScheme"]["scheme"], "bearer");
    assert!(card["securityRequirements"][0]["schemes"].get("bearer").is_some(), "{card}");
    assert_eq!(card["capabilities"].get("extendedAgentCard"), None);
}

#[tokio::test]
async fn a_call_without_a_known_token_is_refused() {
    let agent = guarded(&[]);
    for binding in BINDINGS {
        for caller in [Caller::new(&agent, binding), Caller::new(&agent, binding).with_token("token-of-mallory")] {
            let refusal = caller.send(text("hello")).await.expect_err("a refusal");
            let expected = if binding == "GRPC" { "Unauthenticated" } else { "401" };
            assert!(refusal.starts_with(expected), "{binding}: {refusal}");
        }
        let known = Caller::new(&agent, binding).with_token("token-of-alice");
        assert_eq!(state(&known.send(text("hello")).await.expect("a task")), "COMPLETED");
    }
    let refusal = Caller::new(&agent, "JSONRPC").post("/jsonrpc", json!({})).send().await.expect("an answer");
    let challenge = refusal.headers().get("www-authenticate").and_then(|value| value.to_str().ok());
    assert_eq!(challenge, Some("Bearer realm=\"plugfest\""));
}

#[tokio::test]
async fn a_task_is_its_owners_alone() {
    let agent = guarded(&[]);
    for binding in BINDINGS {
        let alice = Caller::new(&agent, binding).with_token("token-of-alice");
        let bob = Caller::new(&agent, binding).with_token("token-of-bob");
        let task = alice.send(text("plugfest-ask n1")).await.expect("a task");
        for operation in ["GetTask", "CancelTask"] {
            let unknown = json!({"id": "no-such-task"});
            let stranger = bob.call(operation, json!({"id": task["id"]})).await.expect_err("a refusal");
            let nowhere = bob.call(operation, unknown).await.expect_err("a refusal");
            let id = task["id"].as_str().expect("an id");
            // Word for word, but for the time.
            let plain = |refusal: &str, id: &str| refusal.replace(id, "").chars().take(40).collect::<String>();
            assert_eq!(plain(&stranger, id), plain(&nowhere, "no-such-task"), "{binding} {operation}");
        }
        let mut follow_up = text("mine");
        follow_up["taskId"] = task["id"].clone();
        bob.send(follow_up).await.expect_err("a refusal");
        let canceled = alice.call("CancelTask", json!({"id": task["id"]})).await.expect("a task");
        assert_eq!(state(&canceled), "CANCELED");
    }
}

#[tokio::test]
async fn the_extended_card_names_the_principal() {
    let agent = guarded(&["--extendedCard"]);
    for binding in BINDINGS {
        let bob = Caller::new(&agent, binding).with_token("token-of-bob");
        let card = bob.call("GetExtendedAgentCard", json!({})).await.expect("a card");
        let skills = card["skills"].as_array().expect("skills are a list");
        assert_eq!(skills.len(), 2, "{card}");
        assert_eq!((&skills[1]["id"], &skills[1]["description"]), (&json!("lab-extended"), &json!("Seen by bob.")));
    }
}

#[tokio::test]
async fn the_agents_own_client_calls_as_a_principal() {
    let agent = guarded(&["--extendedCard"]);
    let alice = Caller::new(&agent, "JSONRPC").with_token("token-of-alice");
    for binding in BINDINGS {
        let order = |principal: Option<&str>| {
            let mut order = json!({
                "plugfest": "drive/1", "card": agent.url, "binding": binding, "version": "1.0",
                "call": {"op": "GetExtendedAgentCard"},
            });
            if let Some(principal) = principal {
                order["as"] = json!(principal);
            }
            message(json!({"data": order}))
        };
        let task = alice.send(order(Some("bob"))).await.expect("a task");
        let result = &task["artifacts"][0]["parts"][0]["data"];
        assert_eq!(result["events"][0]["skills"], json!(["lab", "lab-extended"]), "{binding}: {result}");
        let task = alice.send(order(None)).await.expect("a task");
        assert_eq!(task["artifacts"][0]["parts"][0]["data"]["ok"], json!(false), "{binding}");
    }
}
