package plugfest.agent;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.a2aproject.sdk.spec.ContentTypeNotSupportedError;
import org.a2aproject.sdk.spec.FilePart;
import org.a2aproject.sdk.spec.FileWithBytes;
import org.a2aproject.sdk.spec.FileWithUri;
import org.a2aproject.sdk.spec.Part;
import org.a2aproject.sdk.spec.TaskState;
import org.a2aproject.sdk.spec.TextPart;

/** The prefix table of docs/lab-agents.md. To add a behaviour, write it and give it its prefixes below. */
final class Behaviours {

    /** A behaviour and what follows its prefix in the text. */
    record Choice(Behaviour behaviour, String rest) {}

    private static final Map<String, Behaviour> BY_ID_OR_TEXT = new TreeMap<>();
    private static final Map<String, Behaviour> BY_TEXT = new TreeMap<>();

    static {
        idOrText(turn -> turn.out().complete("Hello from TCK"), "tck-complete-task");
        idOrText(Behaviours::delayedComplete, "tck-delayed-complete");
        idOrText(artifact(new TextPart("Generated text content")), "tck-artifact-text");
        idOrText(artifact(file()), "tck-artifact-file");
        idOrText(
                artifact(new FilePart(new FileWithUri("text/plain", "output.txt", "https://example.com/output.txt"))),
                "tck-artifact-file-url");
        idOrText(Behaviours::artifactData, "tck-artifact-data");
        idOrText(turn -> turn.out().reply("Direct message response"), "tck-message-response");
        idOrText(ask(TaskState.TASK_STATE_INPUT_REQUIRED, "What is your name?"), "tck-input-required");
        idOrText(Behaviours::multiTurn, "tck-multi-turn");
        idOrText(ask(TaskState.TASK_STATE_AUTH_REQUIRED, "Authorization needed"), "tck-auth-required");
        idOrText(turn -> turn.out().status(TaskState.TASK_STATE_REJECTED, "rejected"), "tck-reject-task");
        idOrText(Behaviours::taskFailure, "tck-task-failure");
        idOrText(Behaviours::longRunning, "tck-long-running", "tck-cancel");
        idOrText(stream(new TextPart("Stream hello from TCK")), "tck-stream-001", "tck-stream-basic");
        idOrText(turn -> turn.out().complete(), "tck-stream-002");
        idOrText(stream(new TextPart("Stream task lifecycle")), "tck-stream-003");
        idOrText(stream(new TextPart("Ordered output")), "tck-stream-ordering-001");
        idOrText(stream(new TextPart("Streamed text content")), "tck-stream-artifact-text");
        idOrText(stream(file()), "tck-stream-artifact-file");
        idOrText(Behaviours::streamChunks, "tck-stream-artifact-chunked", "tck-stream-chunked");
        idOrText(Behaviours::resubscribe, "test-resubscribe-message-id");
        BY_TEXT.put("plugfest-echo", Behaviours::echo);
        BY_TEXT.put("plugfest-slow", Behaviours::slow);
        BY_TEXT.put("plugfest-parts", Behaviours::parts);
        BY_TEXT.put("plugfest-modes", Behaviours::modes);
        BY_TEXT.put("plugfest-ask", Behaviours::askNonce);
    }

    private Behaviours() {}

    /** The message id is looked at before the text, and the longest prefix wins. */
    static Choice choose(String messageId, String text) {
        String prefix = longest(BY_ID_OR_TEXT, messageId);
        if (prefix != null) {
            return new Choice(BY_ID_OR_TEXT.get(prefix), "");
        }
        prefix = longest(BY_TEXT, text);
        if (prefix != null) {
            return new Choice(BY_TEXT.get(prefix), text.substring(prefix.length()).strip());
        }
        return new Choice(Behaviours::echoAnything, text);
    }

    /** A follow-up to a task that waits. */
    static void resume(Turn turn) {
        turn.out().working();
        turn.out().complete("resumed: " + turn.text());
    }

    private static void idOrText(Behaviour behaviour, String... prefixes) {
        for (String prefix : prefixes) {
            BY_ID_OR_TEXT.put(prefix, behaviour);
            BY_TEXT.put(prefix, behaviour);
        }
    }

    private static String longest(Map<String, Behaviour> table, String subject) {
        String found = null;
        for (String prefix : table.keySet()) {
            if (subject.startsWith(prefix) && (found == null || prefix.length() > found.length())) {
                found = prefix;
            }
        }
        return found;
    }

    private static FilePart file() {
        return new FilePart(new FileWithBytes("text/plain", "output.txt", "tck".getBytes(StandardCharsets.UTF_8)));
    }

    private static void echoAnything(Turn turn) {
        turn.out().working();
        turn.out().artifactText("echo: " + turn.text(), null);
        turn.out().complete();
    }

    // TCK and ACTS

    private static Behaviour artifact(Part<?> part) {
        return turn -> {
            turn.out().artifact(List.of(part), null);
            turn.out().complete();
        };
    }

    private static Behaviour stream(Part<?> part) {
        return turn -> {
            turn.out().working();
            turn.out().artifact(List.of(part), null);
            turn.out().complete();
        };
    }

    private static Behaviour ask(TaskState state, String question) {
        return turn -> {
            turn.resumeWith().accept(Behaviours::resume);
            turn.out().status(state, question);
        };
    }

    private static void artifactData(Turn turn) {
        turn.out().artifactData(Map.of("key", "value", "count", 42), null);
        turn.out().complete();
    }

    private static void delayedComplete(Turn turn) {
        turn.out().working();
        turn.out().pause(1000);
        turn.out().complete("Done after delay");
    }

    private static void multiTurn(Turn turn) {
        turn.resumeWith().accept(Behaviours::nextTurn);
        turn.out().status(TaskState.TASK_STATE_INPUT_REQUIRED, "Anything else? Say done to finish.");
    }

    private static void nextTurn(Turn turn) {
        if (turn.text().startsWith("done")) {
            turn.out().complete(turn.text());
        } else {
            multiTurn(turn);
        }
    }

    private static void taskFailure(Turn turn) {
        turn.out().working();
        turn.out().fail("failed on request");
    }

    private static void longRunning(Turn turn) {
        for (int tick = 1; tick <= 40; tick++) {
            turn.out().working("progress " + tick);
            turn.out().pause(500);
        }
        turn.out().complete("finished by itself");
    }

    private static void streamChunks(Turn turn) {
        turn.out().working();
        turn.out().artifactChunks(null, "chunk-1 ", "chunk-2");
        turn.out().complete();
    }

    private static void resubscribe(Turn turn) {
        turn.out().working();
        turn.out().pause(4000);
        turn.out().complete();
    }

    // Plugfest

    private static void echo(Turn turn) {
        String nonce = turn.rest();
        int half = nonce.offsetByCodePoints(0, (nonce.codePointCount(0, nonce.length()) + 1) / 2);
        turn.out().working();
        turn.out().artifactChunks("echo", nonce.substring(0, half), nonce.substring(half));
        turn.out().complete(nonce);
    }

    private static void slow(Turn turn) {
        String[] words = turn.rest().split("\\s+", 2);
        if (!words[0].matches("\\d{1,9}")) {
            turn.out().fail("plugfest-slow wants milliseconds before the nonce, not '" + words[0] + "'");
            return;
        }
        String nonce = words.length > 1 ? words[1].strip() : "";
        long left = Long.parseLong(words[0]);
        for (int tick = 1; left > 0; tick++) {
            turn.out().working("tick " + tick + " " + nonce);
            turn.out().pause(Math.min(left, 100));
            left -= 100;
        }
        turn.out().artifactText(nonce, "echo");
        turn.out().complete(nonce);
    }

    private static void parts(Turn turn) {
        turn.out().working();
        turn.out().artifact(turn.parts().stream().filter(part -> !(part instanceof TextPart)).toList(), "parts");
        turn.out().complete(turn.rest());
    }

    private static void modes(Turn turn) {
        List<String> modes = turn.outputModes();
        String chosen = modes.isEmpty()
                ? "text/plain"
                : modes.stream().filter(List.of("text/plain", "application/json")::contains).findFirst()
                        .orElseThrow(() -> new ContentTypeNotSupportedError(
                                null, "this agent has text/plain and application/json, not " + modes, null));
        if (chosen.equals("text/plain")) {
            turn.out().artifactText(turn.rest(), "modes");
        } else {
            turn.out().artifactData(Map.of("nonce", turn.rest()), "modes");
        }
        turn.out().complete();
    }

    private static void askNonce(Turn turn) {
        turn.resumeWith().accept(Behaviours::answerNonce);
        turn.out().status(TaskState.TASK_STATE_INPUT_REQUIRED, "ask " + turn.rest());
    }

    private static void answerNonce(Turn turn) {
        turn.out().working();
        turn.out().artifactText("resumed: " + turn.text(), "echo");
        turn.out().complete("resumed: " + turn.text());
    }
}
