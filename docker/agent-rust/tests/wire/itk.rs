//! Instructions of the interop test kit, encoded here by their numbers on the wire.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use prost::encoding::{WireType, encode_key, encode_varint};
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::caller::{BINDINGS, Caller, message, state, status_text, text};
use crate::push::Webhook;

/// A field that holds bytes: a text, or another message.
fn field(number: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_key(number, WireType::LengthDelimited, &mut bytes);
    encode_varint(content.len() as u64, &mut bytes);
    bytes.extend(content);
    bytes
}

fn flag(number: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_key(number, WireType::Varint, &mut bytes);
    encode_varint(1, &mut bytes);
    bytes
}

fn returning(words: &str) -> Vec<u8> {
    field(2, &field(1, words.as_bytes()))
}

fn holding(words: &str) -> Vec<u8> {
    field(2, &[field(1, words.as_bytes()), flag(2)].concat())
}

fn steps(instructions: &[Vec<u8>]) -> Vec<u8> {
    field(3, &instructions.iter().flat_map(|instruction| field(1, instruction)).collect::<Vec<_>>())
}

fn calling(agent: &Agent, transport: &str, inner: &[u8], further: &[u8]) -> Vec<u8> {
    let call = [field(1, transport.as_bytes()), field(2, agent.url.as_bytes()), field(3, inner), further.to_vec()];
    field(1, &call.concat())
}

async fn walk(caller: &Caller, instruction: &[u8]) -> Value {
    let raw = BASE64.encode(instruction);
    let part = json!({"raw": raw, "mediaType": "application/x-protobuf", "filename": "instruction.bin"});
    caller.send(message(part)).await.expect("a task")
}

fn ended(task: &Value) -> (&str, String) {
    (state(task), status_text(task))
}

#[tokio::test]
async fn outputs_of_steps_are_joined() {
    let agent = Agent::start(&[]);
    for binding in BINDINGS {
        let task = walk(&Caller::new(&agent, binding), &steps(&[returning("a"), returning("b")])).await;
        assert_eq!(ended(&task), ("COMPLETED", "a\nb".to_owned()));
    }
}

#[tokio::test]
async fn base64_in_a_text_is_an_instruction_too() {
    let agent = Agent::start(&[]);
    let caller = Caller::new(&agent, "JSONRPC");
    let task = caller.send(text(&BASE64.encode(returning("a")))).await.expect("a task");
    assert_eq!(ended(&task), ("COMPLETED", "a".to_owned()));
}

#[tokio::test]
async fn a_walk_goes_over_each_transport() {
    let agent = Agent::start(&[]);
    let caller = Caller::new(&agent, "JSONRPC");
    for transport in ["jsonrpc", "http_json", "rest", "HTTP+JSON", "grpc"] {
        for streaming in [vec![], flag(4)] {
            let walked = steps(&[returning("out"), calling(&agent, transport, &returning("in"), &streaming)]);
            assert_eq!(ended(&walk(&caller, &walked).await), ("COMPLETED", "out\nin".to_owned()), "{transport}");
        }
    }
}

#[tokio::test]
async fn a_walk_resubscribes_and_cancels() {
    let agent = Agent::start(&[]);
    let caller = Caller::new(&agent, "JSONRPC");
    for transport in ["jsonrpc", "http_json", "grpc"] {
        let task = walk(&caller, &calling(&agent, transport, &holding("held"), &field(7, &[]))).await;
        assert_eq!(ended(&task), ("COMPLETED", "held".to_owned()), "{transport}");
    }
    let listed = caller.call("ListTasks", json!({"status": "TASK_STATE_CANCELED"})).await.expect("a list");
    assert_eq!(listed["tasks"].as_array().map(Vec::len), Some(3), "{listed}");
}

#[tokio::test]
async fn a_walk_registers_a_webhook() {
    let agent = Agent::start(&[]);
    let hook = Webhook::open().await;
    let behavior = field(6, &field(1, hook.origin.as_bytes()));
    let task = walk(&Caller::new(&agent, "JSONRPC"), &calling(&agent, "jsonrpc", &returning("x"), &behavior)).await;
    assert_eq!(ended(&task), ("COMPLETED", "x".to_owned()));
    let deliveries = hook.deliveries();
    assert!(!deliveries.is_empty());
    for delivery in deliveries {
        assert_eq!(delivery.path, "/notifications");
        assert!(delivery.headers.values().any(|value| value == "itk-token"), "{:?}", delivery.headers);
    }
}

#[tokio::test]
async fn what_cannot_be_walked_fails_the_task_with_the_cause() {
    let agent = Agent::start(&[]);
    let caller = Caller::new(&agent, "JSONRPC");
    let pigeon = walk(&caller, &calling(&agent, "pigeon", &returning("x"), &[])).await;
    assert_eq!(state(&pigeon), "FAILED");
    assert!(status_text(&pigeon).contains("pigeon"), "{pigeon}");
    let nonsense = walk(&caller, b"nonsense").await;
    assert_eq!(state(&nonsense), "FAILED");
    assert!(status_text(&nonsense).contains("itk.Instruction"), "{nonsense}");
}
