//! Drive calls, over each binding of the SDK's client.

use serde_json::{Value, json};

use crate::agent::Agent;
use crate::caller::{BINDINGS, Caller, message, state};

/// Has an agent make a call to itself; returns the drive result.
async fn drive(agent: &Agent, order: Value) -> Value {
    let mut members = json!({"plugfest": "drive/1", "card": agent.url, "version": "1.0"});
    members.as_object_mut().expect("an object").extend(order.as_object().expect("an object").clone());
    let task = Caller::new(agent, "JSONRPC").send(message(json!({"data": members}))).await.expect("a task");
    assert_eq!((state(&task), task["artifacts"][0]["name"].as_str()), ("COMPLETED", Some("drive-result")));
    let result = task["artifacts"][0]["parts"][0]["data"].clone();
    assert_eq!(result["plugfest"], "drive-result/1");
    result
}

async fn call(agent: &Agent, binding: &str, call: Value) -> Value {
    drive(agent, json!({"binding": binding, "call": call})).await
}

fn send(text: &str) -> Value {
    json!({"op": "SendMessage", "message": {"messageId": a2a::new_message_id(), "text": text}})
}

fn kinds(result: &Value) -> Vec<String> {
    let events = result["events"].as_array().expect("events are a list").iter();
    events.map(|event| event["kind"].as_str().unwrap_or_default().to_owned()).collect()
}

fn refusal(result: &Value) -> (bool, &str) {
    (result["ok"] == json!(true), result["error"]["name"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn each_operation_shows_what_the_client_saw() {
    let agent = Agent::start(&[]);
    for binding in BINDINGS {
        println!("{binding}");
        let asked = call(&agent, binding, send("plugfest-ask n1")).await;
        let seen = &asked["events"][0];
        assert_eq!(seen["state"], "TASK_STATE_INPUT_REQUIRED", "{asked}");
        assert_eq!((seen["text"].as_str(), seen["history"].as_f64()), (Some("ask n1"), Some(1.0)));
        let (task, context) = (&seen["taskId"], &seen["contextId"]);

        let got = call(&agent, binding, json!({"op": "GetTask", "taskId": task})).await;
        assert_eq!(got["events"][0]["taskId"], *task, "{got}");

        let listed = call(&agent, binding, json!({"op": "ListTasks", "contextId": context})).await;
        assert_eq!(kinds(&listed), ["task", "page"], "{listed}");
        assert_eq!(listed["events"][1]["totalSize"].as_f64(), Some(1.0));

        let push = json!({"url": "http://127.0.0.1:9/hook", "id": "p1", "token": "t"});
        let created =
            call(&agent, binding, json!({"op": "CreateTaskPushNotificationConfig", "taskId": task, "push": push}))
                .await;
        assert_eq!(created["events"][0]["id"], "p1", "{created}");
        let key = |op| json!({"op": op, "taskId": task, "configId": "p1"});
        let got = call(&agent, binding, key("GetTaskPushNotificationConfig")).await;
        assert_eq!(got["events"][0]["url"], push["url"], "{got}");
        let listed = call(&agent, binding, json!({"op": "ListTaskPushNotificationConfigs", "taskId": task})).await;
        assert_eq!(kinds(&listed), ["pushConfig"], "{listed}");
        let deleted = call(&agent, binding, key("DeleteTaskPushNotificationConfig")).await;
        assert_eq!((deleted["ok"].as_bool(), kinds(&deleted)), (Some(true), vec![]), "{deleted}");

        let canceled = call(&agent, binding, json!({"op": "CancelTask", "taskId": task})).await;
        assert_eq!(canceled["events"][0]["state"], "TASK_STATE_CANCELED", "{canceled}");
    }
}

#[tokio::test]
async fn a_stream_is_read_to_its_end_or_dropped() {
    let agent = Agent::start(&[]);
    for binding in BINDINGS {
        let stream = |text: &str| {
            let mut order = send(text);
            order["op"] = json!("SendStreamingMessage");
            order
        };
        let whole = call(&agent, binding, stream("plugfest-echo abcd")).await;
        assert_eq!(kinds(&whole), ["task", "status", "artifact", "artifact", "status", "closed"], "{whole}");
        assert_eq!(whole["events"][5]["by"], "server");
        assert_eq!(whole["events"][2]["artifact"]["contents"], json!([{"kind": "text", "content": "ab"}]));
        assert_eq!((&whole["events"][3]["append"], &whole["events"][3]["lastChunk"]), (&json!(true), &json!(true)));

        let mut dropped = stream("plugfest-slow 3000 n2");
        dropped["stopAfterEvents"] = json!(2);
        let dropped = call(&agent, binding, dropped).await;
        assert_eq!(kinds(&dropped), ["task", "status", "closed"], "{dropped}");
        assert_eq!(dropped["events"][2]["by"], "client");

        let task = &dropped["events"][0]["taskId"];
        let order = json!({"op": "SubscribeToTask", "taskId": task, "stopAfterEvents": 2});
        let subscribed = call(&agent, binding, order).await;
        assert_eq!(kinds(&subscribed), ["task", "status", "closed"], "{subscribed}");
    }
}

#[tokio::test]
async fn parts_go_out_and_come_back() {
    let agent = Agent::start(&[]);
    for binding in BINDINGS {
        let mut order = send("plugfest-parts n3");
        order["message"]["parts"] = json!([
            {"raw": "AAEC", "mediaType": "image/png", "filename": "a.png"},
            {"url": "https://example.com/b"},
            {"data": {"b": [true, null, "x"]}},
        ]);
        let result = call(&agent, binding, order).await;
        let expected = json!([
            {"kind": "raw", "content": "AAEC", "mediaType": "image/png", "filename": "a.png"},
            {"kind": "url", "content": "https://example.com/b"},
            {"kind": "data", "content": {"b": [true, null, "x"]}},
        ]);
        assert_eq!(result["events"][0]["artifacts"][0]["contents"], expected, "{result}");
    }
}

#[tokio::test]
async fn a_refusal_is_a_result() {
    let agent = Agent::start(&[]);
    for binding in BINDINGS {
        let unknown = call(&agent, binding, json!({"op": "GetTask", "taskId": "no-such-task"})).await;
        assert_eq!(refusal(&unknown), (false, "TaskNotFoundError"), "{unknown}");
        assert_eq!(unknown["error"]["code"].as_f64(), Some(-32001.0));
    }
}

#[tokio::test]
async fn a_card_is_shown_with_its_skills() {
    let agent = Agent::start(&["--name", "rowan"]);
    let result = call(&agent, "JSONRPC", json!({"op": "GetAgentCard"})).await;
    let expected =
        json!({"kind": "card", "name": "rowan", "versions": ["1.0"], "bindings": BINDINGS, "skills": ["lab"]});
    assert_eq!(result["events"], json!([expected]));
}

#[tokio::test]
async fn what_cannot_be_done_is_said() {
    let agent = Agent::start(&["--bindings", "JSONRPC"]);
    let missing = call(&agent, "GRPC", send("hello")).await;
    assert_eq!(refusal(&missing), (false, "NoMatchingInterface"), "{missing}");
    let old = drive(&agent, json!({"binding": "JSONRPC", "version": "0.3", "call": send("hello")})).await;
    assert_eq!(refusal(&old), (false, "UnsupportedByClient"), "{old}");
    let stranger = drive(&agent, json!({"binding": "JSONRPC", "as": "mallory", "call": send("hello")})).await;
    assert_eq!(refusal(&stranger), (false, "BadDriveCall"), "{stranger}");
    let nonsense = call(&agent, "JSONRPC", json!({"op": "Dance"})).await;
    assert_eq!(refusal(&nonsense), (false, "BadDriveCall"), "{nonsense}");
    let nowhere =
        drive(&agent, json!({"card": "http://127.0.0.1:9", "binding": "JSONRPC", "call": send("hello")})).await;
    assert_eq!(refusal(&nowhere), (false, "InternalError"), "{nowhere}");
}
