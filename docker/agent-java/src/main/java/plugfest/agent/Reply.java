package plugfest.agent;

import java.util.List;
import java.util.stream.Collectors;
import org.a2aproject.sdk.spec.Artifact;
import org.a2aproject.sdk.spec.Message;
import org.a2aproject.sdk.spec.StreamingEventKind;
import org.a2aproject.sdk.spec.Task;
import org.a2aproject.sdk.spec.TaskArtifactUpdateEvent;
import org.a2aproject.sdk.spec.TaskState;
import org.a2aproject.sdk.spec.TaskStatus;
import org.a2aproject.sdk.spec.TaskStatusUpdateEvent;

/** What a peer said: the text of its last status or message that had one, else its artifacts. */
final class Reply {

    private static final List<TaskState> UNHAPPY = List.of(
            TaskState.TASK_STATE_FAILED, TaskState.TASK_STATE_REJECTED, TaskState.TASK_STATE_CANCELED);

    private String said = "";
    private String artifacts = "";
    private String taskId = "";

    /** Takes one event in; throws when the peer's task ended badly. */
    void add(StreamingEventKind event) throws StepFailed {
        if (event instanceof Message message) {
            said = Parts.joinedText(message.parts());
        } else if (event instanceof TaskArtifactUpdateEvent update) {
            taskId = update.taskId();
            artifacts += Parts.joinedText(update.artifact().parts());
        } else if (event instanceof TaskStatusUpdateEvent update) {
            taskId = update.taskId();
            status(update.status());
        } else if (event instanceof Task task) {
            taskId = task.id();
            status(task.status());
            artifacts = (task.artifacts() == null ? List.<Artifact>of() : task.artifacts())
                    .stream().map(artifact -> Parts.joinedText(artifact.parts())).collect(Collectors.joining());
        }
    }

    private void status(TaskStatus status) throws StepFailed {
        String text = status.message() == null ? "" : Parts.joinedText(status.message().parts());
        if (UNHAPPY.contains(status.state())) {
            throw new StepFailed("the peer ended with " + status.state() + ": " + text);
        }
        if (!text.isEmpty()) {
            said = text;
        }
    }

    String text() {
        return said.isEmpty() ? artifacts : said;
    }

    String taskId() {
        return taskId;
    }
}
