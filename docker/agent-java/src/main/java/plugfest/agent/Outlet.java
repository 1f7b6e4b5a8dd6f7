package plugfest.agent;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.a2aproject.sdk.server.agentexecution.RequestContext;
import org.a2aproject.sdk.server.tasks.AgentEmitter;
import org.a2aproject.sdk.spec.DataPart;
import org.a2aproject.sdk.spec.Message;
import org.a2aproject.sdk.spec.Part;
import org.a2aproject.sdk.spec.TaskState;
import org.a2aproject.sdk.spec.TextPart;

/** What is said about one task, in order, and nothing after it was cancelled. */
final class Outlet {

    /** The task was cancelled; whatever a behaviour still wants to say is dropped. */
    static final class Closed extends RuntimeException {
        Closed() {
            super("the task was cancelled", null, false, false);
        }
    }

    private final AgentEmitter emitter;
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean opened;

    Outlet(RequestContext context, AgentEmitter emitter) {
        this.emitter = emitter;
        this.opened = context.getTask() != null;
    }

    /** Waits; cancelling the task ends the wait with {@link Closed}. */
    void pause(long milliseconds) {
        try {
            if (closed.await(milliseconds, TimeUnit.MILLISECONDS)) {
                throw new Closed();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new Closed();
        }
    }

    synchronized void status(TaskState state, String text) {
        open();
        emitter.updateStatus(state, text == null ? null : message(text));
    }

    void working() {
        status(TaskState.TASK_STATE_WORKING, null);
    }

    void working(String text) {
        status(TaskState.TASK_STATE_WORKING, text);
    }

    void complete() {
        status(TaskState.TASK_STATE_COMPLETED, null);
    }

    void complete(String text) {
        status(TaskState.TASK_STATE_COMPLETED, text);
    }

    void fail(String text) {
        status(TaskState.TASK_STATE_FAILED, text);
    }

    /** A whole artifact. */
    synchronized void artifact(List<Part<?>> parts, String name) {
        open();
        emitter.addArtifact(parts, UUID.randomUUID().toString(), name, null, false, true);
    }

    void artifactText(String text, String name) {
        artifact(List.of(new TextPart(text)), name);
    }

    void artifactData(Object data, String name) {
        artifact(List.of(new DataPart(data)), name);
    }

    /** One artifact in as many chunks as there are texts. */
    void artifactChunks(String name, String... texts) {
        String id = UUID.randomUUID().toString();
        for (int i = 0; i < texts.length; i++) {
            chunk(id, name, texts[i], i > 0, i == texts.length - 1);
        }
    }

    private synchronized void chunk(String id, String name, String text, boolean append, boolean last) {
        open();
        emitter.addArtifact(List.of(new TextPart(text)), id, name, null, append, last);
    }

    /** A message instead of a task. */
    void reply(String text) {
        emitter.sendMessage(text);
    }

    /** Nothing that a behaviour says from here on reaches the task. */
    synchronized void close() {
        closed.countDown();
    }

    private void open() {
        if (closed.getCount() == 0) {
            throw new Closed();
        }
        if (!opened) {
            opened = true;
            // As the SDK's own documentation starts a new task.
            emitter.submit();
        }
    }

    private Message message(String text) {
        return emitter.newAgentMessage(List.of(new TextPart(text)), null);
    }
}
