//! Requests for the SDK's client, from the members of a drive call.

use a2a::{
    AuthenticationInfo, ListTasksRequest, Message, Part, Role, SendMessageConfiguration, SendMessageRequest,
    TaskPushNotificationConfig, TaskState,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value};

use crate::failure::Failure;

pub type Members = Map<String, Value>;

/// A new message from this agent to a peer.
pub fn user_message(parts: Vec<Part>) -> SendMessageRequest {
    let message = Message::new(Role::User, parts);
    SendMessageRequest { message, configuration: None, metadata: None, tenant: None }
}

/// A request from the members `message` and `configuration`.
pub fn send(call: &Members) -> Result<SendMessageRequest, Failure> {
    let given = members(call, "message")?.ok_or_else(|| Failure::bad_call("the call has no message"))?;
    let mut parts = Vec::new();
    if let Some(text) = optional_text(given, "text")? {
        parts.push(Part::text(text));
    }
    if let Some(data) = given.get("data") {
        parts.push(Part::data(data.clone()));
    }
    for further in list(given, "parts")? {
        parts.push(part(further)?);
    }
    let mut request = user_message(parts);
    let message = &mut request.message;
    message.message_id = text(given, "messageId")?.to_owned();
    message.task_id = optional_text(given, "taskId")?.map(str::to_owned);
    message.context_id = optional_text(given, "contextId")?.map(str::to_owned);
    let references = texts(given, "referenceTaskIds")?;
    message.reference_task_ids = (!references.is_empty()).then_some(references);
    request.configuration = members(call, "configuration")?.map(configuration).transpose()?;
    Ok(request)
}

/// A push configuration from the member `push`.
pub fn push_config(given: &Members, task_id: &str) -> Result<TaskPushNotificationConfig, Failure> {
    let authentication = match members(given, "authentication")? {
        Some(authentication) => Some(AuthenticationInfo {
            scheme: text(authentication, "scheme")?.to_owned(),
            credentials: optional_text(authentication, "credentials")?.map(str::to_owned),
        }),
        None => None,
    };
    Ok(TaskPushNotificationConfig {
        url: text(given, "url")?.to_owned(),
        id: optional_text(given, "id")?.map(str::to_owned),
        task_id: task_id.to_owned(),
        token: optional_text(given, "token")?.map(str::to_owned),
        authentication,
        tenant: None,
    })
}

pub fn list_tasks(call: &Members) -> Result<ListTasksRequest, Failure> {
    let status = match call.get("status") {
        Some(name) => Some(
            serde_json::from_value::<TaskState>(name.clone())
                .map_err(|error| Failure::bad_call(format!("\"status\": {error}")))?,
        ),
        None => None,
    };
    Ok(ListTasksRequest {
        context_id: optional_text(call, "contextId")?.map(str::to_owned),
        status,
        page_size: optional_number(call, "pageSize")?,
        page_token: optional_text(call, "pageToken")?.map(str::to_owned),
        history_length: optional_number(call, "historyLength")?,
        status_timestamp_after: None,
        include_artifacts: optional_flag(call, "includeArtifacts")?,
        tenant: None,
    })
}

fn configuration(given: &Members) -> Result<SendMessageConfiguration, Failure> {
    let modes = texts(given, "acceptedOutputModes")?;
    Ok(SendMessageConfiguration {
        accepted_output_modes: (!modes.is_empty()).then_some(modes),
        task_push_notification_config: members(given, "push")?.map(|push| push_config(push, "")).transpose()?,
        history_length: optional_number(given, "historyLength")?,
        return_immediately: optional_flag(given, "returnImmediately")?,
    })
}

fn part(given: &Value) -> Result<Part, Failure> {
    let Value::Object(given) = given else { return Err(Failure::bad_call("a part must be an object")) };
    let mut part = if let Some(text) = optional_text(given, "text")? {
        Part::text(text)
    } else if let Some(encoded) = optional_text(given, "raw")? {
        let bytes = BASE64.decode(encoded).map_err(|error| Failure::bad_call(format!("\"raw\": {error}")))?;
        Part::raw(bytes)
    } else if let Some(url) = optional_text(given, "url")? {
        Part::url(url)
    } else if let Some(data) = given.get("data") {
        Part::data(data.clone())
    } else {
        return Err(Failure::bad_call("a part must have text, raw, url or data"));
    };
    part.media_type = optional_text(given, "mediaType")?.map(str::to_owned);
    part.filename = optional_text(given, "filename")?.map(str::to_owned);
    Ok(part)
}

pub fn members<'a>(holder: &'a Members, key: &str) -> Result<Option<&'a Members>, Failure> {
    optional(holder, key, "an object", Value::as_object)
}

pub fn text<'a>(holder: &'a Members, key: &str) -> Result<&'a str, Failure> {
    optional_text(holder, key)?.ok_or_else(|| Failure::bad_call(format!("\"{key}\" is missing")))
}

pub fn optional_text<'a>(holder: &'a Members, key: &str) -> Result<Option<&'a str>, Failure> {
    optional(holder, key, "a string", Value::as_str)
}

/// Numbers arrive as floating point where they went through protobuf.
pub fn optional_number(holder: &Members, key: &str) -> Result<Option<i32>, Failure> {
    let whole = |value: &Value| value.as_f64().filter(|number| number.fract() == 0.0).map(|number| number as i32);
    optional(holder, key, "a whole number", whole)
}

pub fn texts(holder: &Members, key: &str) -> Result<Vec<String>, Failure> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let texts: Option<Vec<_>> = list(holder, key)?.iter().map(text).collect();
    texts.ok_or_else(|| Failure::bad_call(format!("\"{key}\" must hold strings")))
}

fn optional_flag(holder: &Members, key: &str) -> Result<Option<bool>, Failure> {
    optional(holder, key, "true or false", Value::as_bool)
}

fn list<'a>(holder: &'a Members, key: &str) -> Result<&'a [Value], Failure> {
    Ok(optional(holder, key, "a list", Value::as_array)?.map(Vec::as_slice).unwrap_or_default())
}

fn optional<'a, T>(
    holder: &'a Members,
    key: &str,
    what: &str,
    read: impl FnOnce(&'a Value) -> Option<T>,
) -> Result<Option<T>, Failure> {
    match holder.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match read(value) {
            Some(value) => Ok(Some(value)),
            None => Err(Failure::bad_call(format!("\"{key}\" must be {what}"))),
        },
    }
}
