//! Drive calls: one call as a client, on order.

use std::time::Duration;

use a2a::{
    A2AError, CancelTaskRequest, DeleteTaskPushNotificationConfigRequest, GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest, GetTaskRequest, ListTaskPushNotificationConfigsRequest, Part, StreamResponse,
    SubscribeToTaskRequest,
};
use futures::stream::{BoxStream, StreamExt};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::failure::Failure;
use crate::observed;
use crate::outlet::{Outlet, Said};
use crate::parts::data_values;
use crate::peer::{self, Client, Extras};
use crate::principals::{TOKENS_VARIABLE, Tokens};
use crate::request::{self, Members};

const LIMIT: Duration = Duration::from_secs(30);
const OPERATIONS: [&str; 11] = [
    "SendMessage",
    "SendStreamingMessage",
    "GetTask",
    "ListTasks",
    "CancelTask",
    "SubscribeToTask",
    "CreateTaskPushNotificationConfig",
    "GetTaskPushNotificationConfig",
    "ListTaskPushNotificationConfigs",
    "DeleteTaskPushNotificationConfig",
    "GetExtendedAgentCard",
];

/// The first drive object among the parts.
pub fn find(parts: &[Part]) -> Option<&Members> {
    data_values(parts).filter_map(Value::as_object).find(|members| members.get("plugfest") == Some(&json!("drive/1")))
}

/// Makes the call and completes the task with what came of it, a refusal included.
pub async fn answer(drive: &Members, tokens: &Tokens, out: &mut Outlet) -> Said {
    out.working().await?;
    let result = make_call(drive, tokens).await;
    out.artifact(Some("drive-result"), vec![Part::data(result)]).await?;
    out.complete().await
}

async fn make_call(drive: &Members, tokens: &Tokens) -> Value {
    let op = drive.get("call").and_then(|call| call.get("op")).and_then(Value::as_str).unwrap_or_default();
    let mut events = Vec::new();
    let outcome = match timeout(LIMIT, run(drive, tokens, &mut events)).await {
        Ok(outcome) => outcome,
        Err(_) => Err(Failure::new("TimeoutError", format!("no end after {} s", LIMIT.as_secs()))),
    };
    let mut result = json!({"plugfest": "drive-result/1", "op": op, "ok": outcome.is_ok(), "events": events});
    if let Err(failure) = outcome {
        result["error"] = failure.to_json();
    }
    result
}

async fn run(drive: &Members, tokens: &Tokens, events: &mut Vec<Value>) -> Result<(), Failure> {
    let card_url = request::text(drive, "card")?;
    let call = request::members(drive, "call")?.ok_or_else(|| Failure::bad_call("the drive has no call"))?;
    let op = request::text(call, "op")?;
    if op == "GetAgentCard" {
        events.push(observed::card(&peer::resolve(card_url).await?));
        return Ok(());
    }
    if !OPERATIONS.contains(&op) {
        return Err(Failure::bad_call(format!("{op} is not one of GetAgentCard, {}", OPERATIONS.join(", "))));
    }
    let binding = request::text(drive, "binding")?;
    match request::text(drive, "version")? {
        "1.0" => {}
        "0.3" => return Err(Failure::new("UnsupportedByClient", "the Rust SDK's client speaks A2A 1.0 alone")),
        other => return Err(Failure::bad_call(format!("version {other} is not 1.0 or 0.3"))),
    }
    let extras = extras(drive, tokens)?;
    let card = peer::resolve(card_url).await?;
    let client = peer::client(&card, binding, extras).await?;
    operate(&client, op, call, events).await
}

fn extras(drive: &Members, tokens: &Tokens) -> Result<Extras, Failure> {
    let token = match request::optional_text(drive, "as")? {
        Some(principal) => Some(
            tokens
                .token_of(principal)
                .ok_or_else(|| Failure::bad_call(format!("{TOKENS_VARIABLE} has no token of {principal}")))?
                .to_owned(),
        ),
        None => None,
    };
    Ok(Extras { token, extensions: request::texts(drive, "extensions")? })
}

async fn operate(client: &Client, op: &str, call: &Members, events: &mut Vec<Value>) -> Result<(), Failure> {
    let task_id = || request::text(call, "taskId").map(str::to_owned);
    let config_id = || request::text(call, "configId").map(str::to_owned);
    match op {
        "SendMessage" => events.push(observed::answer(&client.send_message(&request::send(call)?).await?)),
        "SendStreamingMessage" => {
            let stream = client.send_streaming_message(&request::send(call)?).await?;
            read(stream, call, events).await?;
        }
        "SubscribeToTask" => {
            let request = SubscribeToTaskRequest { id: task_id()?, tenant: None };
            read(client.subscribe_to_task(&request).await?, call, events).await?;
        }
        "GetTask" => {
            let history_length = request::optional_number(call, "historyLength")?;
            let request = GetTaskRequest { id: task_id()?, history_length, tenant: None };
            events.push(observed::task(&client.get_task(&request).await?));
        }
        "ListTasks" => {
            let page = client.list_tasks(&request::list_tasks(call)?).await?;
            events.extend(page.tasks.iter().map(observed::task));
            events.push(observed::page(&page.next_page_token, page.total_size));
        }
        "CancelTask" => {
            let request = CancelTaskRequest { id: task_id()?, metadata: None, tenant: None };
            events.push(observed::task(&client.cancel_task(&request).await?));
        }
        "CreateTaskPushNotificationConfig" => {
            let push = request::members(call, "push")?.ok_or_else(|| Failure::bad_call("the call has no push"))?;
            let config = request::push_config(push, &task_id()?)?;
            events.push(observed::push_config(&client.create_push_config(&config).await?));
        }
        "GetTaskPushNotificationConfig" => {
            let request = GetTaskPushNotificationConfigRequest { task_id: task_id()?, id: config_id()?, tenant: None };
            events.push(observed::push_config(&client.get_push_config(&request).await?));
        }
        "ListTaskPushNotificationConfigs" => {
            let request = ListTaskPushNotificationConfigsRequest {
                task_id: task_id()?,
                page_size: None,
                page_token: None,
                tenant: None,
            };
            let page = client.list_push_configs(&request).await?;
            events.extend(page.configs.iter().map(observed::push_config));
        }
        // A deletion has nothing to show.
        "DeleteTaskPushNotificationConfig" => {
            let request =
                DeleteTaskPushNotificationConfigRequest { task_id: task_id()?, id: config_id()?, tenant: None };
            client.delete_push_config(&request).await?;
        }
        "GetExtendedAgentCard" => {
            let request = GetExtendedAgentCardRequest { tenant: None };
            events.push(observed::card(&client.get_extended_agent_card(&request).await?));
        }
        _ => return Err(Failure::bad_call(format!("{op} has no implementation"))),
    }
    Ok(())
}

/// Reads a stream to its end, or drops it after `stopAfterEvents`.
async fn read(
    mut stream: BoxStream<'static, Result<StreamResponse, A2AError>>,
    call: &Members,
    events: &mut Vec<Value>,
) -> Result<(), Failure> {
    let limit = request::optional_number(call, "stopAfterEvents")?.and_then(|limit| usize::try_from(limit).ok());
    while let Some(event) = stream.next().await {
        events.push(observed::stream_event(&event?));
        if limit.is_some_and(|limit| events.len() >= limit) {
            events.push(observed::closed("client"));
            return Ok(());
        }
    }
    events.push(observed::closed("server"));
    Ok(())
}
