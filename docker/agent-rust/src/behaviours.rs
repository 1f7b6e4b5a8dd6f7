//! What a prefix makes the agent do: the table of docs/lab-agents.md.
//!
//! To add a behaviour, give it a variant, its prefixes in a table, and its arm in `play`.

use std::time::Duration;

use a2a::{Message, Part, PartContent, TaskState};
use serde_json::json;
use tokio::time::sleep;

use crate::outlet::{Outlet, Said};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Behaviour {
    EchoAnything,
    Resume,
    CompleteTask,
    DelayedComplete,
    MessageResponse,
    InputRequired,
    AuthRequired,
    MultiTurn,
    NextTurn,
    RejectTask,
    TaskFailure,
    LongRunning,
    Resubscribe,
    CompletedOnly,
    ArtifactText,
    ArtifactData,
    ArtifactFile,
    ArtifactFileUrl,
    StreamFile,
    StreamChunks,
    StreamText(&'static str),
    Echo,
    Slow,
    Parts,
    Modes,
    Ask,
    Answered,
}

use Behaviour::*;

/// Prefixes of the text and of the message id alike, as the TCK and ACTS have them.
const BY_TEXT_OR_ID: &[(&str, Behaviour)] = &[
    ("tck-complete-task", CompleteTask),
    ("tck-delayed-complete", DelayedComplete),
    ("tck-message-response", MessageResponse),
    ("tck-input-required", InputRequired),
    ("tck-auth-required", AuthRequired),
    ("tck-multi-turn", MultiTurn),
    ("tck-reject-task", RejectTask),
    ("tck-task-failure", TaskFailure),
    ("tck-long-running", LongRunning),
    ("tck-cancel", LongRunning),
    ("test-resubscribe-message-id", Resubscribe),
    ("tck-artifact-text", ArtifactText),
    ("tck-artifact-data", ArtifactData),
    ("tck-artifact-file", ArtifactFile),
    ("tck-artifact-file-url", ArtifactFileUrl),
    ("tck-stream-001", StreamText("Stream hello from TCK")),
    ("tck-stream-002", CompletedOnly),
    ("tck-stream-003", StreamText("Stream task lifecycle")),
    ("tck-stream-basic", StreamText("Stream hello from TCK")),
    ("tck-stream-ordering-001", StreamText("Ordered output")),
    ("tck-stream-artifact-text", StreamText("Streamed text content")),
    ("tck-stream-artifact-file", StreamFile),
    ("tck-stream-artifact-chunked", StreamChunks),
    ("tck-stream-chunked", StreamChunks),
];

/// Prefixes of the text alone.
const BY_TEXT: &[(&str, Behaviour)] = &[
    ("plugfest-echo", Echo),
    ("plugfest-slow", Slow),
    ("plugfest-parts", Parts),
    ("plugfest-modes", Modes),
    ("plugfest-ask", Ask),
];

/// The behaviour for a message, and what follows the prefix in the text, trimmed. The message id is looked at
/// before the text, and the longest prefix wins.
pub fn choose<'a>(message_id: &str, text: &'a str) -> (Behaviour, &'a str) {
    if let Some((_, behaviour)) = longest(BY_TEXT_OR_ID.iter(), message_id) {
        return (behaviour, "");
    }
    match longest(BY_TEXT_OR_ID.iter().chain(BY_TEXT), text) {
        Some((prefix, behaviour)) => (behaviour, text[prefix.len()..].trim()),
        None => (EchoAnything, text),
    }
}

fn longest<'a>(
    table: impl Iterator<Item = &'a (&'static str, Behaviour)>,
    subject: &str,
) -> Option<(&'static str, Behaviour)> {
    table.filter(|(prefix, _)| subject.starts_with(prefix)).max_by_key(|(prefix, _)| prefix.len()).copied()
}

/// One message to the agent.
pub struct Turn<'a> {
    pub out: &'a mut Outlet,
    pub message: &'a Message,
    /// The text of the first text part.
    pub text: &'a str,
    /// What follows the prefix.
    pub rest: &'a str,
}

/// What the next message to a task does that now waits.
pub fn resumed_by(behaviour: Behaviour) -> Option<Behaviour> {
    match behaviour {
        InputRequired | AuthRequired => Some(Resume),
        MultiTurn | NextTurn => Some(NextTurn),
        Ask => Some(Answered),
        _ => None,
    }
}

pub async fn play(behaviour: Behaviour, turn: Turn<'_>) -> Said {
    let Turn { out, message, text, rest } = turn;
    match behaviour {
        EchoAnything => {
            out.working().await?;
            out.artifact(None, vec![Part::text(format!("echo: {text}"))]).await?;
            out.complete().await
        }
        Resume => {
            out.working().await?;
            out.complete_with(&format!("resumed: {text}")).await
        }
        CompleteTask => out.complete_with("Hello from TCK").await,
        DelayedComplete => {
            out.working().await?;
            sleep(Duration::from_secs(1)).await;
            out.complete_with("Done after delay").await
        }
        MessageResponse => out.reply("Direct message response").await,
        InputRequired => out.status(TaskState::InputRequired, Some("What is your name?")).await,
        AuthRequired => out.status(TaskState::AuthRequired, Some("Authorization needed")).await,
        NextTurn if text.starts_with("done") => out.complete_with(text).await,
        MultiTurn | NextTurn => out.status(TaskState::InputRequired, Some("Anything else? Say done to finish.")).await,
        RejectTask => out.status(TaskState::Rejected, Some("rejected")).await,
        TaskFailure => {
            out.working().await?;
            out.status(TaskState::Failed, Some("failed on request")).await
        }
        LongRunning => long_running(out).await,
        Resubscribe => {
            out.working().await?;
            sleep(Duration::from_secs(4)).await;
            out.complete().await
        }
        CompletedOnly => out.complete().await,
        ArtifactText => artifact(out, Part::text("Generated text content")).await,
        ArtifactData => artifact(out, Part::data(json!({"key": "value", "count": 42}))).await,
        ArtifactFile => artifact(out, file(Part::raw(b"tck".to_vec()))).await,
        ArtifactFileUrl => artifact(out, file(Part::url("https://example.com/output.txt"))).await,
        StreamFile => {
            out.working().await?;
            artifact(out, file(Part::raw(b"tck".to_vec()))).await
        }
        StreamChunks => {
            out.working().await?;
            out.artifact_chunks(None, &["chunk-1 ", "chunk-2"]).await?;
            out.complete().await
        }
        StreamText(content) => {
            out.working().await?;
            artifact(out, Part::text(content)).await
        }
        Echo => {
            out.working().await?;
            let (first, second) = halves(rest);
            out.artifact_chunks(Some("echo"), &[first, second]).await?;
            out.complete_with(rest).await
        }
        Slow => slow(out, rest).await,
        Parts => {
            let others = message.parts.iter().filter(|part| !matches!(part.content, PartContent::Text(_)));
            out.working().await?;
            out.artifact(Some("parts"), others.cloned().collect()).await?;
            out.complete_with(rest).await
        }
        // The SDK hands no executor the request's configuration, so acceptedOutputModes is as good as absent.
        Modes => {
            out.working().await?;
            out.artifact(Some("modes"), vec![Part::text(rest)]).await?;
            out.complete().await
        }
        Ask => out.status(TaskState::InputRequired, Some(&format!("ask {rest}"))).await,
        Answered => {
            let answer = format!("resumed: {text}");
            out.working().await?;
            out.artifact(Some("echo"), vec![Part::text(answer.as_str())]).await?;
            out.complete_with(&answer).await
        }
    }
}

async fn artifact(out: &mut Outlet, part: Part) -> Said {
    out.artifact(None, vec![part]).await?;
    out.complete().await
}

fn file(part: Part) -> Part {
    part.with_media_type("text/plain").with_filename("output.txt")
}

async fn long_running(out: &mut Outlet) -> Said {
    for tick in 1..=40 {
        out.status(TaskState::Working, Some(&format!("progress {tick}"))).await?;
        sleep(Duration::from_millis(500)).await;
    }
    out.complete_with("finished by itself").await
}

async fn slow(out: &mut Outlet, rest: &str) -> Said {
    let (number, nonce) = rest.split_once(' ').unwrap_or((rest, ""));
    let nonce = nonce.trim();
    let Ok(mut left_ms) = number.parse::<u64>() else {
        let refusal = format!("plugfest-slow wants milliseconds before the nonce, not \"{number}\"");
        return out.status(TaskState::Failed, Some(&refusal)).await;
    };
    let mut tick = 0;
    while left_ms > 0 {
        tick += 1;
        out.status(TaskState::Working, Some(&format!("tick {tick} {nonce}"))).await?;
        let pause_ms = left_ms.min(100);
        sleep(Duration::from_millis(pause_ms)).await;
        left_ms -= pause_ms;
    }
    out.artifact(Some("echo"), vec![Part::text(nonce)]).await?;
    out.complete_with(nonce).await
}

/// Cuts a text in the middle, between characters; the first half is the longer one.
fn halves(text: &str) -> (&str, &str) {
    let count = text.chars().count();
    let middle = text.char_indices().nth(count.div_ceil(2)).map_or(text.len(), |(index, _)| index);
    text.split_at(middle)
}
