//! The agent behind the SDK's server: picks what to do for each message.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2a::{Message, StreamResponse, TaskId, TaskState, TaskStatus, TaskStatusUpdateEvent};
use a2a_server::{AgentExecutor, ExecutorContext};
use futures::stream::{self, BoxStream, StreamExt};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use crate::behaviours::{self, Behaviour, Turn};
use crate::outlet::{Event, Outlet, Said};
use crate::parts::first_text;
use crate::principals::{Owners, Tokens};
use crate::{drive, itk, itk_walk};

/// Applies the rules of docs/lab-agents.md, in their order.
#[derive(Clone)]
pub struct LabExecutor {
    tokens: Tokens,
    owners: Owners,
    tasks: Arc<Mutex<Tasks>>,
}

#[derive(Default)]
struct Tasks {
    /// Ends what a task is doing.
    running: HashMap<TaskId, CancellationToken>,
    /// What the next message to a waiting task does.
    waiting: HashMap<TaskId, Behaviour>,
}

impl LabExecutor {
    pub fn new(tokens: Tokens, owners: Owners) -> Self {
        Self { tokens, owners, tasks: Arc::default() }
    }

    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn act(&self, message: &Message, resumes: Option<Behaviour>, out: &mut Outlet) -> Said {
        if let Some(instruction) = itk::find(&message.parts) {
            return itk_walk::carry_out(instruction, out).await;
        }
        if let Some(call) = drive::find(&message.parts) {
            return drive::answer(call, &self.tokens, out).await;
        }
        let text = first_text(&message.parts);
        let (behaviour, rest) = match resumes {
            Some(behaviour) => (behaviour, text),
            None => behaviours::choose(&message.message_id, text),
        };
        if let Some(next) = behaviours::resumed_by(behaviour) {
            self.tasks().waiting.insert(out.task_id.clone(), next);
        }
        behaviours::play(behaviour, Turn { out, message, text, rest }).await
    }

    /// What a message to this task resumes, if the task waits.
    fn resumes(&self, context: &ExecutorContext) -> Option<Behaviour> {
        let planned = self.tasks().waiting.remove(&context.task_id);
        let state = &context.stored_task.as_ref()?.status.state;
        matches!(state, TaskState::InputRequired | TaskState::AuthRequired)
            .then(|| planned.unwrap_or(Behaviour::Resume))
    }
}

impl AgentExecutor for LabExecutor {
    fn execute(&self, context: ExecutorContext) -> BoxStream<'static, Event> {
        self.owners.claim(&context.task_id, &context.service_params);
        let resumes = self.resumes(&context);
        let stop = CancellationToken::new();
        self.tasks().running.insert(context.task_id.clone(), stop.clone());
        let (sender, receiver) = mpsc::channel(1);
        let mut out = Outlet::new(&context, sender);
        let executor = self.clone();
        tokio::spawn(async move {
            if let Some(message) = &context.message {
                tokio::select! {
                    () = stop.cancelled() => {}
                    // Closed: the SDK stopped listening, so there is nobody to tell.
                    _ = executor.act(message, resumes, &mut out) => {}
                }
            }
            // Before the outlet closes, because then the SDK lets the next turn begin.
            executor.tasks().running.remove(&out.task_id);
        });
        ReceiverStream::new(receiver).boxed()
    }

    fn cancel(&self, context: ExecutorContext) -> BoxStream<'static, Event> {
        let (task_id, context_id) = context.task_info();
        let mut tasks = self.tasks();
        tasks.waiting.remove(&task_id);
        if let Some(stop) = tasks.running.remove(&task_id) {
            stop.cancel();
        }
        let status = TaskStatus { state: TaskState::Canceled, message: None, timestamp: Some(chrono::Utc::now()) };
        let last = TaskStatusUpdateEvent { task_id, context_id, status, metadata: None };
        stream::iter([Ok(StreamResponse::StatusUpdate(last))]).boxed()
    }
}
