//! What an agent says about one task, in order.

use a2a::{
    A2AError, Artifact, Message, Part, Role, StreamResponse, Task, TaskArtifactUpdateEvent, TaskState, TaskStatus,
    TaskStatusUpdateEvent, new_artifact_id,
};
use a2a_server::ExecutorContext;
use tokio::sync::mpsc::Sender;

/// The SDK listens no more: the task is over.
#[derive(Debug)]
pub struct Closed;

pub type Said = Result<(), Closed>;
pub type Event = Result<StreamResponse, A2AError>;

/// Publishes one task's events. The first update of each turn is preceded by the task itself: a stream begins with
/// it (section 3.1.2), and the SDK publishes nothing but what an executor says.
pub struct Outlet {
    sender: Sender<Event>,
    opening: Option<Task>,
    pub task_id: String,
    context_id: String,
}

impl Outlet {
    pub fn new(context: &ExecutorContext, sender: Sender<Event>) -> Self {
        let (task_id, context_id) = context.task_info();
        Self { sender, opening: Some(opening(context)), task_id, context_id }
    }

    /// Publishes the task, unless that was done.
    pub async fn open(&mut self) -> Said {
        match self.opening.take() {
            Some(task) => self.publish(StreamResponse::Task(task)).await,
            None => Ok(()),
        }
    }

    /// Moves the task to a state, with a status message where there is a text.
    pub async fn status(&mut self, state: TaskState, text: Option<&str>) -> Said {
        self.open().await?;
        let message = text.map(|text| {
            let mut message = self.message(text);
            message.task_id = Some(self.task_id.clone());
            message
        });
        self.publish(StreamResponse::StatusUpdate(TaskStatusUpdateEvent {
            task_id: self.task_id.clone(),
            context_id: self.context_id.clone(),
            status: TaskStatus { state, message, timestamp: Some(chrono::Utc::now()) },
            metadata: None,
        }))
        .await
    }

    pub async fn working(&mut self) -> Said {
        self.status(TaskState::Working, None).await
    }

    pub async fn complete(&mut self) -> Said {
        self.status(TaskState::Completed, None).await
    }

    pub async fn complete_with(&mut self, text: &str) -> Said {
        self.status(TaskState::Completed, Some(text)).await
    }

    /// Publishes a whole artifact.
    pub async fn artifact(&mut self, name: Option<&str>, parts: Vec<Part>) -> Said {
        self.chunk(new_artifact_id(), name, parts, false, true).await
    }

    /// Publishes one artifact in as many chunks as there are texts.
    pub async fn artifact_chunks(&mut self, name: Option<&str>, texts: &[&str]) -> Said {
        let artifact_id = new_artifact_id();
        for (index, text) in texts.iter().enumerate() {
            let last = index + 1 == texts.len();
            self.chunk(artifact_id.clone(), name, vec![Part::text(*text)], index > 0, last).await?;
        }
        Ok(())
    }

    /// Answers with a message instead of a task.
    pub async fn reply(&mut self, text: &str) -> Said {
        self.opening = None;
        self.publish(StreamResponse::Message(self.message(text))).await
    }

    async fn chunk(
        &mut self,
        artifact_id: String,
        name: Option<&str>,
        parts: Vec<Part>,
        append: bool,
        last_chunk: bool,
    ) -> Said {
        self.open().await?;
        self.publish(StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent {
            task_id: self.task_id.clone(),
            context_id: self.context_id.clone(),
            artifact: Artifact {
                artifact_id,
                name: name.map(str::to_owned),
                description: None,
                parts,
                metadata: None,
                extensions: None,
            },
            append: Some(append),
            last_chunk: Some(last_chunk),
            metadata: None,
        }))
        .await
    }

    fn message(&self, text: &str) -> Message {
        let mut message = Message::new(Role::Agent, vec![Part::text(text)]);
        message.context_id = Some(self.context_id.clone());
        message
    }

    async fn publish(&self, event: StreamResponse) -> Said {
        self.sender.send(Ok(event)).await.map_err(|_| Closed)
    }
}

/// The task as it is when a turn begins: submitted when new, working again on a follow-up.
fn opening(context: &ExecutorContext) -> Task {
    let (task_id, context_id) = context.task_info();
    let mut task = context.stored_task.clone().unwrap_or(Task {
        id: task_id,
        context_id,
        status: TaskStatus { state: TaskState::Submitted, message: None, timestamp: None },
        artifacts: None,
        history: None,
        metadata: None,
    });
    let state = match task.status.state {
        TaskState::Submitted => TaskState::Submitted,
        _ => TaskState::Working,
    };
    task.status = TaskStatus { state, message: None, timestamp: Some(chrono::Utc::now()) };
    // The SDK hands out the task with the message that began this turn for unary sends, and without it for streams.
    if let Some(message) = &context.message {
        let history = task.history.get_or_insert_default();
        if history.iter().all(|known| known.message_id != message.message_id) {
            history.push(message.clone());
        }
    }
    task
}
