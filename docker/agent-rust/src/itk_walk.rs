//! Carrying out an ITK instruction: answering, and calling other agents on the way.

use std::time::Duration;

use a2a::{
    CancelTaskRequest, Message, SendMessageConfiguration, SendMessageRequest, SendMessageResponse, StreamResponse,
    SubscribeToTaskRequest, Task, TaskPushNotificationConfig, TaskState, TaskStatus,
};
use a2a::{TRANSPORT_PROTOCOL_GRPC, TRANSPORT_PROTOCOL_HTTP_JSON, TRANSPORT_PROTOCOL_JSONRPC};
use futures::future::{BoxFuture, FutureExt};
use futures::stream::StreamExt;
use tokio::time::{sleep, timeout};

use crate::failure::Failure;
use crate::itk::{Behavior, CallAgent, Instruction, Step, instruction_part};
use crate::outlet::{Outlet, Said};
use crate::parts::joined_text;
use crate::peer::{self, Client, Extras};
use crate::request;

const FINISHED: &str = "task-finished";
const CALL_LIMIT: Duration = Duration::from_secs(60);
const STEP_FAILED: &str = "StepFailed";

/// What the steps said, and whether the task is to be held open afterwards.
#[derive(Default)]
struct Outcome {
    outputs: Vec<String>,
    hold: bool,
}

/// Plays the instruction and ends the task: COMPLETED with the outputs, or FAILED with the cause.
pub async fn carry_out(instruction: Result<Instruction, String>, out: &mut Outlet) -> Said {
    out.open().await?;
    let outcome = match &instruction {
        Ok(instruction) => step(instruction).await,
        Err(problem) => Err(Failure::new("BadInstruction", problem.as_str())),
    };
    match outcome {
        Err(failure) => out.status(TaskState::Failed, Some(&failure.to_string())).await,
        Ok(Outcome { outputs, hold }) => {
            let text = outputs.join("\n");
            if hold {
                out.status(TaskState::Working, Some(&format!("{text}\n{FINISHED}"))).await?;
                for tick in 1..=5 {
                    sleep(Duration::from_secs(2)).await;
                    out.status(TaskState::Working, Some(&format!("tick {tick}"))).await?;
                }
            }
            out.complete_with(&text).await
        }
    }
}

fn step(instruction: &Instruction) -> BoxFuture<'_, Result<Outcome, Failure>> {
    async move {
        match &instruction.step {
            Some(Step::ReturnResponse(answer)) => {
                Ok(Outcome { outputs: vec![answer.response.clone()], hold: answer.hold_task })
            }
            Some(Step::Steps(series)) => {
                let mut all = Outcome::default();
                for instruction in &series.instructions {
                    let outcome = step(instruction).await?;
                    all.outputs.extend(outcome.outputs);
                    all.hold |= outcome.hold;
                }
                Ok(all)
            }
            Some(Step::CallAgent(order)) => match timeout(CALL_LIMIT, call(order)).await {
                Ok(output) => Ok(Outcome { outputs: vec![output?], hold: false }),
                Err(_) => {
                    let limit = CALL_LIMIT.as_secs();
                    Err(Failure::new("TimeoutError", format!("a peer did not answer within {limit} s")))
                }
            },
            None => Err(Failure::new(STEP_FAILED, "an instruction without a step")),
        }
    }
    .boxed()
}

async fn call(order: &CallAgent) -> Result<String, Failure> {
    let binding = binding_of(&order.transport)?;
    let inner = order
        .instruction
        .as_deref()
        .ok_or_else(|| Failure::new(STEP_FAILED, "a call without an instruction for the other agent"))?;
    let mut request = request::user_message(vec![instruction_part(inner)]);
    let card = peer::resolve(&order.agent_card_uri).await?;
    let client = peer::client(&card, binding, Extras::default()).await?;
    match &order.behavior {
        Some(Behavior::Resubscribe(_)) => return resubscribe(&client, &request).await,
        Some(Behavior::PushNotification(push)) => request.configuration = Some(pushing(&push.url)),
        Some(Behavior::SendMessage(_)) | None => {}
    }
    let mut reply = Reply::default();
    if order.streaming {
        let mut stream = client.send_streaming_message(&request).await?;
        while let Some(event) = stream.next().await {
            reply.hear(&event?)?;
        }
    } else {
        match client.send_message(&request).await? {
            SendMessageResponse::Task(task) => reply.hear_task(&task)?,
            SendMessageResponse::Message(message) => reply.hear_message(&message),
        }
    }
    Ok(reply.text().to_owned())
}

fn binding_of(transport: &str) -> Result<&'static str, Failure> {
    match transport.to_ascii_lowercase().as_str() {
        "jsonrpc" => Ok(TRANSPORT_PROTOCOL_JSONRPC),
        "http_json" | "rest" | "http+json" => Ok(TRANSPORT_PROTOCOL_HTTP_JSON),
        "grpc" => Ok(TRANSPORT_PROTOCOL_GRPC),
        _ => {
            Err(Failure::new(STEP_FAILED, format!("this client speaks jsonrpc, http_json and grpc, not {transport:?}")))
        }
    }
}

fn pushing(url: &str) -> SendMessageConfiguration {
    SendMessageConfiguration {
        accepted_output_modes: None,
        task_push_notification_config: Some(TaskPushNotificationConfig {
            url: format!("{url}/notifications"),
            id: None,
            task_id: String::new(),
            token: Some("itk-token".to_owned()),
            authentication: None,
            tenant: None,
        }),
        history_length: None,
        return_immediately: None,
    }
}

/// Streams, drops the stream after the first event, subscribes again, reads until it has finished, and cancels.
async fn resubscribe(client: &Client, request: &SendMessageRequest) -> Result<String, Failure> {
    let task_id = start_and_drop(client, request).await?;
    let mut stream = client.subscribe_to_task(&SubscribeToTaskRequest { id: task_id.clone(), tenant: None }).await?;
    let mut reply = Reply::default();
    while !reply.text().contains(FINISHED) {
        let Some(event) = stream.next().await else {
            return Err(Failure::new(STEP_FAILED, format!("the stream ended without {FINISHED:?}")));
        };
        reply.hear(&event?)?;
    }
    drop(stream);
    client.cancel_task(&CancelTaskRequest { id: task_id, metadata: None, tenant: None }).await?;
    Ok(reply.text().trim_end_matches(FINISHED).trim_end_matches('\n').to_owned())
}

async fn start_and_drop(client: &Client, request: &SendMessageRequest) -> Result<String, Failure> {
    let mut stream = client.send_streaming_message(request).await?;
    match stream.next().await {
        Some(Ok(StreamResponse::Task(task))) => Ok(task.id),
        Some(Ok(StreamResponse::StatusUpdate(update))) => Ok(update.task_id),
        Some(Ok(StreamResponse::ArtifactUpdate(update))) => Ok(update.task_id),
        Some(Ok(StreamResponse::Message(_))) => {
            Err(Failure::new(STEP_FAILED, "the first event names no task to subscribe to"))
        }
        Some(Err(error)) => Err(error.into()),
        None => Err(Failure::new(STEP_FAILED, "the stream had no event")),
    }
}

/// Gathers what a peer said: the text of its last status or message that had one, else its artifacts.
#[derive(Default)]
struct Reply {
    said: String,
    artifacts: String,
}

impl Reply {
    fn hear(&mut self, event: &StreamResponse) -> Result<(), Failure> {
        match event {
            StreamResponse::Task(task) => self.hear_task(task)?,
            StreamResponse::Message(message) => self.hear_message(message),
            StreamResponse::StatusUpdate(update) => self.hear_status(&update.status)?,
            StreamResponse::ArtifactUpdate(update) => self.artifacts += &joined_text(&update.artifact.parts),
        }
        Ok(())
    }

    fn hear_task(&mut self, task: &Task) -> Result<(), Failure> {
        self.artifacts = task.artifacts.iter().flatten().map(|artifact| joined_text(&artifact.parts)).collect();
        self.hear_status(&task.status)
    }

    fn hear_message(&mut self, message: &Message) {
        self.said = joined_text(&message.parts);
    }

    fn hear_status(&mut self, status: &TaskStatus) -> Result<(), Failure> {
        let text = status.message.as_ref().map(|message| joined_text(&message.parts)).unwrap_or_default();
        if matches!(status.state, TaskState::Failed | TaskState::Rejected | TaskState::Canceled) {
            return Err(Failure::new(STEP_FAILED, format!("the peer ended {:?}: {text}", status.state)));
        }
        if !text.is_empty() {
            self.said = text;
        }
        Ok(())
    }

    fn text(&self) -> &str {
        if self.said.is_empty() { &self.artifacts } else { &self.said }
    }
}
