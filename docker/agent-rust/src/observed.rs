//! What the agent's client saw, as the `events` of a drive result.

use a2a::{
    AgentCard, Artifact, Message, Part, PartContent, SendMessageResponse, StreamResponse, Task,
    TaskPushNotificationConfig, TaskStatus,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};

use crate::parts::joined_text;

pub fn answer(response: &SendMessageResponse) -> Value {
    match response {
        SendMessageResponse::Task(seen) => task(seen),
        SendMessageResponse::Message(seen) => message(seen),
    }
}

pub fn stream_event(event: &StreamResponse) -> Value {
    match event {
        StreamResponse::Task(seen) => task(seen),
        StreamResponse::Message(seen) => message(seen),
        StreamResponse::StatusUpdate(update) => {
            let (state, text) = status(&update.status);
            json!({
                "kind": "status", "taskId": update.task_id, "contextId": update.context_id,
                "state": state, "text": text,
            })
        }
        StreamResponse::ArtifactUpdate(update) => json!({
            "kind": "artifact", "taskId": update.task_id, "contextId": update.context_id,
            "artifact": artifact(&update.artifact),
            "append": update.append.unwrap_or(false), "lastChunk": update.last_chunk.unwrap_or(false),
        }),
    }
}

pub fn task(task: &Task) -> Value {
    let (state, text) = status(&task.status);
    let artifacts: Vec<_> = task.artifacts.iter().flatten().map(artifact).collect();
    let mut seen = json!({
        "kind": "task", "taskId": task.id, "contextId": task.context_id, "state": state, "text": text,
        "artifacts": artifacts,
    });
    if let Some(history) = &task.history {
        seen["history"] = json!(history.len());
    }
    seen
}

pub fn card(card: &AgentCard) -> Value {
    let interfaces = &card.supported_interfaces;
    let versions = distinct(interfaces.iter().map(|interface| interface.protocol_version.as_str()));
    let bindings = distinct(interfaces.iter().map(|interface| interface.protocol_binding.as_str()));
    let skills: Vec<_> = card.skills.iter().map(|skill| skill.id.as_str()).collect();
    json!({"kind": "card", "name": card.name, "versions": versions, "bindings": bindings, "skills": skills})
}

pub fn push_config(config: &TaskPushNotificationConfig) -> Value {
    json!({
        "kind": "pushConfig", "taskId": config.task_id, "id": config.id.as_deref().unwrap_or_default(),
        "url": config.url,
    })
}

pub fn page(next_page_token: &str, total_size: i32) -> Value {
    json!({"kind": "page", "nextPageToken": next_page_token, "totalSize": total_size})
}

pub fn closed(by: &str) -> Value {
    json!({"kind": "closed", "by": by})
}

fn message(message: &Message) -> Value {
    let mut seen = Map::from_iter([("kind".to_owned(), json!("message"))]);
    seen.insert("messageId".to_owned(), json!(message.message_id));
    for (member, value) in [("taskId", &message.task_id), ("contextId", &message.context_id)] {
        if let Some(value) = value {
            seen.insert(member.to_owned(), json!(value));
        }
    }
    seen.insert("role".to_owned(), json!(message.role));
    seen.insert("text".to_owned(), json!(joined_text(&message.parts)));
    Value::Object(seen)
}

/// The state by its 1.0 name, as the SDK writes it, and the status message's text.
fn status(status: &TaskStatus) -> (Value, String) {
    (json!(status.state), status.message.as_ref().map(|message| joined_text(&message.parts)).unwrap_or_default())
}

fn artifact(artifact: &Artifact) -> Value {
    let contents: Vec<_> = artifact.parts.iter().map(content).collect();
    let mut seen = json!({
        "artifactId": artifact.artifact_id, "text": joined_text(&artifact.parts), "contents": contents,
    });
    if let Some(name) = &artifact.name {
        seen["name"] = json!(name);
    }
    seen
}

fn content(part: &Part) -> Value {
    let (kind, content) = match &part.content {
        PartContent::Text(text) => ("text", json!(text)),
        PartContent::Raw(bytes) => ("raw", json!(BASE64.encode(bytes))),
        PartContent::Url(url) => ("url", json!(url)),
        PartContent::Data(data) => ("data", data.clone()),
    };
    let mut seen = json!({"kind": kind, "content": content});
    for (member, value) in [("mediaType", &part.media_type), ("filename", &part.filename)] {
        if let Some(value) = value {
            seen[member] = json!(value);
        }
    }
    seen
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}
