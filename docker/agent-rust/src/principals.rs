//! Who may call, and whose tasks are whose.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use a2a::{A2AError, TaskId};
use a2a_server::{RequestAuthorizer, ServiceParams};

pub const TOKENS_VARIABLE: &str = "LAB_AGENT_TOKENS";

/// The principals of `LAB_AGENT_TOKENS` with their bearer tokens.
#[derive(Clone, Default)]
pub struct Tokens(Arc<HashMap<String, String>>);

impl Tokens {
    /// Reads `alice=TOKEN,bob=TOKEN`. The error never shows a token.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut tokens = HashMap::new();
        for (index, pair) in text.split(',').map(str::trim).enumerate() {
            if pair.is_empty() {
                continue;
            }
            let Some((name, token)) =
                pair.split_once('=').filter(|(name, token)| !name.is_empty() && !token.is_empty())
            else {
                return Err(format!("{TOKENS_VARIABLE}: entry {} is not NAME=TOKEN", index + 1));
            };
            tokens.insert(name.to_owned(), token.to_owned());
        }
        Ok(Self(Arc::new(tokens)))
    }

    pub fn token_of(&self, principal: &str) -> Option<&str> {
        self.0.get(principal).map(String::as_str)
    }

    /// Whom an `Authorization` value names; nobody where it is no known bearer token.
    pub fn principal_of(&self, authorization: &str) -> Option<&str> {
        let (scheme, token) = authorization.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let token = token.trim();
        self.0.iter().find(|(_, known)| known.as_str() == token).map(|(name, _)| name.as_str())
    }

    /// Whom the SDK's service parameters (headers or gRPC metadata) name.
    pub fn caller(&self, params: &ServiceParams) -> Option<&str> {
        params.get("authorization").and_then(|values| values.first()).and_then(|value| self.principal_of(value))
    }
}

/// Who made which task. The SDK asks before each operation that names one task; what it lists it asks nobody
/// about, and this agent adds nothing.
#[derive(Clone, Default)]
pub struct Owners {
    tokens: Tokens,
    by_task: Arc<Mutex<HashMap<TaskId, String>>>,
}

impl Owners {
    pub fn new(tokens: Tokens) -> Self {
        Self { tokens, by_task: Arc::default() }
    }

    /// The first caller to have a task worked on is its owner.
    pub fn claim(&self, task_id: &str, params: &ServiceParams) {
        let Some(principal) = self.tokens.caller(params) else { return };
        let mut by_task = self.by_task.lock().unwrap_or_else(PoisonError::into_inner);
        by_task.entry(task_id.to_owned()).or_insert_with(|| principal.to_owned());
    }
}

impl RequestAuthorizer for Owners {
    fn authorize(&self, params: &ServiceParams, task_id: Option<&str>) -> Result<(), A2AError> {
        let Some(task_id) = task_id else { return Ok(()) };
        let by_task = self.by_task.lock().unwrap_or_else(PoisonError::into_inner);
        match by_task.get(task_id) {
            // Another one's task looks like no task: its existence is nobody's business (section 3.3.2).
            Some(owner) if Some(owner.as_str()) != self.tokens.caller(params) => Err(A2AError::task_not_found(task_id)),
            _ => Ok(()),
        }
    }
}
