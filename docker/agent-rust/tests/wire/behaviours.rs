//! Each prefix, in each binding.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::agent::Agent;
use crate::caller::{BINDINGS, Caller, message, said, state, status_text, text, text_of};

/// Text, what a stream says after SUBMITTED, and the last status text.
const STREAMS: &[(&str, &[&str], &str)] = &[
    ("anything else", &["WORKING", "'echo: anything else'", "COMPLETED"], ""),
    ("tck-complete-task", &["COMPLETED"], "Hello from TCK"),
    ("tck-delayed-complete", &["WORKING", "COMPLETED"], "Done after delay"),
    ("tck-artifact-text", &["'Generated text content'", "COMPLETED"], ""),
    ("tck-artifact-file", &["''", "COMPLETED"], ""),
    ("tck-artifact-file-url", &["''", "COMPLETED"], ""),
    ("tck-artifact-data", &["''", "COMPLETED"], ""),
    ("tck-input-required", &["INPUT_REQUIRED"], "What is your name?"),
    ("tck-auth-required", &["AUTH_REQUIRED"], "Authorization needed"),
    ("tck-multi-turn", &["INPUT_REQUIRED"], "Anything else? Say done to finish."),
    ("tck-reject-task", &["REJECTED"], "rejected"),
    ("tck-task-failure", &["WORKING", "FAILED"], "failed on request"),
    ("tck-stream-001", &["WORKING", "'Stream hello from TCK'", "COMPLETED"], ""),
    ("tck-stream-002", &["COMPLETED"], ""),
    ("tck-stream-003", &["WORKING", "'Stream task lifecycle'", "COMPLETED"], ""),
    ("tck-stream-ordering-001", &["WORKING", "'Ordered output'", "COMPLETED"], ""),
    ("tck-stream-basic", &["WORKING", "'Stream hello from TCK'", "COMPLETED"], ""),
    ("tck-stream-artifact-text", &["WORKING", "'Streamed text content'", "COMPLETED"], ""),
    ("tck-stream-artifact-file", &["WORKING", "''", "COMPLETED"], ""),
    ("tck-stream-artifact-chunked", &["WORKING", "'chunk-1 '", "'chunk-2'", "COMPLETED"], ""),
    ("tck-stream-chunked", &["WORKING", "'chunk-1 '", "'chunk-2'", "COMPLETED"], ""),
    ("test-resubscribe-message-id", &["WORKING", "COMPLETED"], ""),
    ("plugfest-echo abcde", &["WORKING", "'abc'", "'de'", "COMPLETED"], "abcde"),
    ("plugfest-echo äöü", &["WORKING", "'äö'", "'ü'", "COMPLETED"], "äöü"),
    ("plugfest-slow 150 n1", &["WORKING", "WORKING", "'n1'", "COMPLETED"], "n1"),
    ("plugfest-slow soon n1", &["FAILED"], "plugfest-slow wants milliseconds before the nonce, not \"soon\""),
    ("plugfest-parts n3", &["WORKING", "''", "COMPLETED"], "n3"),
    ("plugfest-modes n4", &["WORKING", "'n4'", "COMPLETED"], ""),
    ("plugfest-ask n2", &["INPUT_REQUIRED"], "ask n2"),
];

async fn in_each_binding(test: impl AsyncFn(&Caller)) {
    let agent = Agent::start(&[]);
    for binding in BINDINGS {
        println!("{binding}");
        test(&Caller::new(&agent, binding)).await;
    }
}

#[tokio::test]
async fn a_prefix_of_the_text_selects_the_stream() {
    in_each_binding(async |caller| {
        for (prefix, expected, last_text) in STREAMS {
            let events = caller.stream(text(prefix)).await;
            assert_eq!(said(&events), [&["SUBMITTED"], *expected].concat(), "{prefix}");
            let last = events.last().map(|event| status_text(&event["statusUpdate"]));
            assert_eq!(last.as_deref(), Some(*last_text), "{prefix}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_unary_send_answers_with_the_same_end() {
    in_each_binding(async |caller| {
        for (prefix, expected, last_text) in STREAMS {
            let task = caller.send(text(prefix)).await.expect(prefix);
            assert_eq!((Some(&state(&task)), status_text(&task).as_str()), (expected.last(), *last_text), "{prefix}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_message_id_selects_before_the_text_and_the_longest_prefix_wins() {
    in_each_binding(async |caller| {
        let mut order = text("tck-reject-task");
        order["messageId"] = json!("tck-artifact-file-url-7a-jsonrpc");
        let task = caller.send(order).await.expect("a task");
        assert_eq!(state(&task), "COMPLETED");
        assert_eq!(task["artifacts"][0]["parts"][0]["url"], "https://example.com/output.txt");
    })
    .await;
}

#[tokio::test]
async fn our_own_prefixes_are_no_message_ids() {
    in_each_binding(async |caller| {
        let mut order = text("hello");
        order["messageId"] = json!("plugfest-ask x");
        let task = caller.send(order).await.expect("a task");
        assert_eq!(text_of(&task["artifacts"][0]), "echo: hello");
    })
    .await;
}

#[tokio::test]
async fn files_and_data_arrive_whole() {
    in_each_binding(async |caller| {
        let file = caller.send(text("tck-artifact-file")).await.expect("a task");
        let expected = json!({"raw": "dGNr", "filename": "output.txt", "mediaType": "text/plain"});
        assert_eq!(file["artifacts"][0]["parts"], json!([expected]));
        let data = caller.send(text("tck-artifact-data")).await.expect("a task");
        let data = &data["artifacts"][0]["parts"][0]["data"];
        assert_eq!((data["key"].as_str(), data["count"].as_f64()), (Some("value"), Some(42.0)));
    })
    .await;
}

#[tokio::test]
async fn further_parts_come_back_unchanged() {
    in_each_binding(async |caller| {
        let parts = [
            json!({"raw": "AAEC", "mediaType": "image/png", "filename": "a.png"}),
            json!({"url": "https://example.com/b", "mediaType": "text/html"}),
            json!({"data": {"b": [true, null, "x"]}}),
        ];
        let mut order = text("plugfest-parts n5");
        order["parts"].as_array_mut().expect("parts are a list").extend(parts.iter().cloned());
        let task = caller.send(order).await.expect("a task");
        assert_eq!(task["artifacts"][0]["name"], "parts");
        assert_eq!(task["artifacts"][0]["parts"], json!(parts));
    })
    .await;
}

#[tokio::test]
async fn a_message_answers_without_a_task() {
    in_each_binding(async |caller| {
        let answer = caller.send(text("tck-message-response")).await.expect("a message");
        assert_eq!(text_of(&answer), "Direct message response");
        assert_eq!(answer.get("taskId"), None);
        assert_eq!(said(&caller.stream(text("tck-message-response")).await), ["message"]);
    })
    .await;
}

async fn follow_up(caller: &Caller, task: &Value, words: &str) -> Vec<Value> {
    let mut order = text(words);
    order["taskId"] = task["id"].clone();
    caller.stream(order).await
}

#[tokio::test]
async fn a_follow_up_resumes_the_task_that_waits() {
    in_each_binding(async |caller| {
        let task = caller.send(text("plugfest-ask n6")).await.expect("a task");
        let events = follow_up(caller, &task, "blue").await;
        assert_eq!(said(&events), ["WORKING", "WORKING", "'resumed: blue'", "COMPLETED"]);
        assert_eq!(events[0]["task"]["id"], task["id"]);
        assert_eq!(events[0]["task"]["history"].as_array().map(Vec::len), Some(2));

        for waiting in ["tck-input-required", "tck-auth-required"] {
            let task = caller.send(text(waiting)).await.expect("a task");
            let events = follow_up(caller, &task, "Ada").await;
            assert_eq!(said(&events), ["WORKING", "WORKING", "COMPLETED"]);
            assert_eq!(status_text(&events[2]["statusUpdate"]), "resumed: Ada");
        }
    })
    .await;
}

#[tokio::test]
async fn a_conversation_goes_on_until_done() {
    in_each_binding(async |caller| {
        let task = caller.send(text("tck-multi-turn")).await.expect("a task");
        assert_eq!(said(&follow_up(caller, &task, "more").await).last().map(String::as_str), Some("INPUT_REQUIRED"));
        assert_eq!(said(&follow_up(caller, &task, "done now").await).last().map(String::as_str), Some("COMPLETED"));
    })
    .await;
}

#[tokio::test]
async fn cancelling_ends_a_task_that_works_and_one_that_waits() {
    in_each_binding(async |caller| {
        for prefix in ["tck-long-running", "tck-cancel", "plugfest-slow 20000 n7", "plugfest-ask n8"] {
            let task = caller.send_configured(text(prefix), json!({"returnImmediately": true})).await.expect(prefix);
            sleep(Duration::from_millis(50)).await;
            let canceled = caller.call("CancelTask", json!({"id": task["id"]})).await.expect(prefix);
            assert_eq!(state(&canceled), "CANCELED", "{prefix}");
            sleep(Duration::from_millis(600)).await;
            let later = caller.call("GetTask", json!({"id": task["id"]})).await.expect(prefix);
            assert_eq!(state(&later), "CANCELED", "{prefix}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_part_that_is_a_drive_order_or_an_instruction_comes_before_prefixes() {
    in_each_binding(async |caller| {
        let mut order = message(json!({"data": {"plugfest": "drive/1"}}));
        order["messageId"] = json!("tck-reject-task-1");
        let task = caller.send(order).await.expect("a task");
        assert_eq!(task["artifacts"][0]["name"], "drive-result");
    })
    .await;
}
