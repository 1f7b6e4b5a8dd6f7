package plugfest.agent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.a2aproject.sdk.jsonrpc.common.wrappers.ListTasksResult;
import org.a2aproject.sdk.spec.Artifact;
import org.a2aproject.sdk.spec.DataPart;
import org.a2aproject.sdk.spec.FilePart;
import org.a2aproject.sdk.spec.FileWithBytes;
import org.a2aproject.sdk.spec.FileWithUri;
import org.a2aproject.sdk.spec.Message;
import org.a2aproject.sdk.spec.Part;
import org.a2aproject.sdk.spec.StreamingEventKind;
import org.a2aproject.sdk.spec.Task;
import org.a2aproject.sdk.spec.TaskArtifactUpdateEvent;
import org.a2aproject.sdk.spec.TaskPushNotificationConfig;
import org.a2aproject.sdk.spec.TaskStatus;
import org.a2aproject.sdk.spec.TaskStatusUpdateEvent;
import org.a2aproject.sdk.spec.TextPart;

/** What the agent's client saw, as the {@code events} of a drive result. */
final class Observed {

    private Observed() {}

    /** One event of a stream, or the answer to a unary send. */
    static Map<String, Object> event(StreamingEventKind event) {
        if (event instanceof Task task) {
            return task(task);
        }
        if (event instanceof Message message) {
            return message(message);
        }
        if (event instanceof TaskStatusUpdateEvent update) {
            Map<String, Object> seen = of("status", update.taskId(), update.contextId());
            status(seen, update.status());
            return seen;
        }
        if (event instanceof TaskArtifactUpdateEvent update) {
            Map<String, Object> seen = of("artifact", update.taskId(), update.contextId());
            seen.put("artifact", artifact(update.artifact()));
            seen.put("append", Boolean.TRUE.equals(update.append()));
            seen.put("lastChunk", Boolean.TRUE.equals(update.lastChunk()));
            return seen;
        }
        return new LinkedHashMap<>(Map.of("kind", "unknown"));
    }

    static Map<String, Object> task(Task task) {
        Map<String, Object> seen = of("task", task.id(), task.contextId());
        status(seen, task.status());
        seen.put("artifacts", (task.artifacts() == null ? List.<Artifact>of() : task.artifacts())
                .stream().map(Observed::artifact).toList());
        seen.put("history", task.history() == null ? 0 : task.history().size());
        return seen;
    }

    /** What a list says besides its tasks. */
    static Map<String, Object> page(ListTasksResult page) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("kind", "page");
        seen.put("nextPageToken", page.nextPageToken() == null ? "" : page.nextPageToken());
        seen.put("totalSize", page.totalSize());
        return seen;
    }

    static Map<String, Object> card(CardView card) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("kind", "card");
        seen.put("name", card.name());
        seen.put("versions", card.versions());
        seen.put("bindings", card.bindings());
        seen.put("skills", card.skills());
        return seen;
    }

    static Map<String, Object> pushConfig(TaskPushNotificationConfig config) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("kind", "pushConfig");
        seen.put("taskId", config.taskId() == null ? "" : config.taskId());
        seen.put("id", config.id());
        seen.put("url", config.url());
        return seen;
    }

    static Map<String, Object> closed(String by) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("kind", "closed");
        seen.put("by", by);
        return seen;
    }

    private static Map<String, Object> of(String kind, String taskId, String contextId) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("kind", kind);
        seen.put("taskId", taskId == null ? "" : taskId);
        seen.put("contextId", contextId == null ? "" : contextId);
        return seen;
    }

    private static void status(Map<String, Object> seen, TaskStatus status) {
        seen.put("state", status.state().name());
        seen.put("text", status.message() == null ? "" : Parts.joinedText(status.message().parts()));
    }

    private static Map<String, Object> message(Message message) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("kind", "message");
        seen.put("messageId", message.messageId());
        if (message.taskId() != null && !message.taskId().isEmpty()) {
            seen.put("taskId", message.taskId());
        }
        if (message.contextId() != null && !message.contextId().isEmpty()) {
            seen.put("contextId", message.contextId());
        }
        seen.put("role", message.role().name());
        seen.put("text", Parts.joinedText(message.parts()));
        return seen;
    }

    private static Map<String, Object> artifact(Artifact artifact) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("artifactId", artifact.artifactId());
        if (artifact.name() != null && !artifact.name().isEmpty()) {
            seen.put("name", artifact.name());
        }
        seen.put("text", Parts.joinedText(artifact.parts()));
        seen.put("contents", artifact.parts().stream().map(Observed::content).toList());
        return seen;
    }

    private static Map<String, Object> content(Part<?> part) {
        Map<String, Object> seen = new LinkedHashMap<>();
        if (part instanceof TextPart text) {
            seen.put("kind", "text");
            seen.put("content", text.text());
        } else if (part instanceof DataPart data) {
            seen.put("kind", "data");
            seen.put("content", data.data());
        } else if (part instanceof FilePart file) {
            boolean raw = file.file() instanceof FileWithBytes;
            seen.put("kind", raw ? "raw" : "url");
            if (file.file().mimeType() != null && !file.file().mimeType().isEmpty()) {
                seen.put("mediaType", file.file().mimeType());
            }
            if (file.file().name() != null && !file.file().name().isEmpty()) {
                seen.put("filename", file.file().name());
            }
            seen.put("content", raw ? ((FileWithBytes) file.file()).bytes() : ((FileWithUri) file.file()).uri());
        } else {
            seen.put("kind", "unknown");
        }
        return seen;
    }
}
