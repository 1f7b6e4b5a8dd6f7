//! What went wrong in a call, in the words of a drive result.

use a2a::{A2AError, error_code};
use serde_json::{Value, json};

const MESSAGE_LIMIT_CHARS: usize = 1000;

#[derive(Debug)]
pub struct Failure {
    pub name: &'static str,
    pub code: Option<i32>,
    pub message: String,
}

impl Failure {
    pub fn new(name: &'static str, message: impl Into<String>) -> Self {
        Self { name, code: None, message: message.into() }
    }

    /// The order itself does not follow the contract.
    pub fn bad_call(message: impl Into<String>) -> Self {
        Self::new("BadDriveCall", message)
    }

    pub fn to_json(&self) -> Value {
        let message: String = self.message.chars().take(MESSAGE_LIMIT_CHARS).collect();
        match self.code {
            Some(code) => json!({"name": self.name, "code": code, "message": message}),
            None => json!({"name": self.name, "message": message}),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.name, self.message)
    }
}

/// The SDK's client has one error type, with the JSON-RPC code in every binding.
impl From<A2AError> for Failure {
    fn from(error: A2AError) -> Self {
        Self { name: name_of(error.code), code: Some(error.code), message: error.message }
    }
}

fn name_of(code: i32) -> &'static str {
    match code {
        error_code::TASK_NOT_FOUND => "TaskNotFoundError",
        error_code::TASK_NOT_CANCELABLE => "TaskNotCancelableError",
        error_code::PUSH_NOTIFICATION_NOT_SUPPORTED => "PushNotificationNotSupportedError",
        error_code::UNSUPPORTED_OPERATION => "UnsupportedOperationError",
        error_code::CONTENT_TYPE_NOT_SUPPORTED => "ContentTypeNotSupportedError",
        error_code::INVALID_AGENT_RESPONSE => "InvalidAgentResponseError",
        error_code::EXTENDED_CARD_NOT_CONFIGURED => "ExtendedAgentCardNotConfiguredError",
        error_code::EXTENSION_SUPPORT_REQUIRED => "ExtensionSupportRequiredError",
        error_code::VERSION_NOT_SUPPORTED => "VersionNotSupportedError",
        error_code::PARSE_ERROR => "JSONParseError",
        error_code::INVALID_REQUEST => "InvalidRequestError",
        error_code::METHOD_NOT_FOUND => "MethodNotFoundError",
        error_code::INVALID_PARAMS => "InvalidParamsError",
        error_code::INTERNAL_ERROR => "InternalError",
        _ => "A2AError",
    }
}
