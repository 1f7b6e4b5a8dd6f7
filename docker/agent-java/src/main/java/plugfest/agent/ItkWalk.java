package plugfest.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.a2aproject.sdk.spec.MessageSendConfiguration;
import org.a2aproject.sdk.spec.MessageSendParams;
import org.a2aproject.sdk.spec.StreamingEventKind;
import org.a2aproject.sdk.spec.TaskPushNotificationConfig;
import plugfest.itk.CallAgent;
import plugfest.itk.Instruction;

/** Carrying out an ITK instruction: answering, and calling other agents on the way. */
final class ItkWalk {

    private static final String FINISHED = "task-finished";
    private static final long CALL_LIMIT_S = 60;
    private static final int HOLD_TICKS = 5;
    private static final long HOLD_TICK_MS = 2000;

    private ItkWalk() {}

    static void carryOut(Instruction instruction, Outlet outlet) {
        outlet.working();
        String text;
        try {
            text = String.join("\n", walk(instruction));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new Outlet.Closed();
        } catch (Exception | Error problem) { // the 0.3 client throws its errors as Error
            String said = problem.getMessage();
            outlet.fail(said == null || said.isEmpty() ? problem.getClass().getSimpleName() : said);
            return;
        }
        if (!holds(instruction)) {
            outlet.complete(text);
            return;
        }
        outlet.working(text + "\n" + FINISHED);
        for (int tick = 1; tick <= HOLD_TICKS; tick++) {
            outlet.pause(HOLD_TICK_MS);
            outlet.working("tick " + tick);
        }
        outlet.complete(text);
    }

    private static boolean holds(Instruction instruction) {
        return switch (instruction.getStepCase()) {
            case RETURN_RESPONSE -> instruction.getReturnResponse().getHoldTask();
            case STEPS -> instruction.getSteps().getInstructionsList().stream().anyMatch(ItkWalk::holds);
            default -> false;
        };
    }

    private static List<String> walk(Instruction instruction) throws Exception {
        List<String> outputs = new ArrayList<>();
        switch (instruction.getStepCase()) {
            case RETURN_RESPONSE -> outputs.add(instruction.getReturnResponse().getResponse());
            case CALL_AGENT -> outputs.add(call(instruction.getCallAgent()));
            case STEPS -> {
                for (Instruction step : instruction.getSteps().getInstructionsList()) {
                    outputs.addAll(walk(step));
                }
            }
            default -> throw new StepFailed("the instruction has no step that this agent knows");
        }
        return outputs;
    }

    private static String call(CallAgent call) throws Exception {
        String binding = binding(call.getTransport());
        Peer peer = Peer.open(call.getAgentCardUri());
        MessageSendParams.Builder request = MessageSendParams.builder()
                .message(Requests.userMessage(List.of(Itk.part(call.getInstruction()))));
        if (call.hasPushNotification()) {
            request.configuration(MessageSendConfiguration.builder()
                    .taskPushNotificationConfig(TaskPushNotificationConfig.builder()
                            .id("")
                            .url(call.getPushNotification().getUrl() + "/notifications")
                            .token("itk-token")
                            .build())
                    .build());
        }
        if (call.hasResubscribe()) {
            return resubscribe(peer, binding, request.build());
        }
        try (Caller caller = peer.newestCaller(binding)) {
            Reply reply = new Reply();
            if (call.getStreaming()) {
                caller.stream(request.build());
                read(caller.arrivals(), reply, null);
            } else {
                reply.add((StreamingEventKind) caller.send(request.build()));
            }
            return reply.text();
        }
    }

    private static String binding(String transport) throws StepFailed {
        return switch (transport.toLowerCase(java.util.Locale.ROOT)) {
            case "jsonrpc" -> Flags.JSONRPC;
            case "http_json", "rest", "http+json" -> Flags.HTTP_JSON;
            case "grpc" -> Flags.GRPC;
            default -> throw new StepFailed("this agent's client speaks jsonrpc, http_json and grpc, not '" + transport + "'");
        };
    }

    private static String resubscribe(Peer peer, String binding, MessageSendParams request) throws Exception {
        String taskId;
        try (Caller first = peer.newestCaller(binding)) {
            first.stream(request);
            Optional<StreamingEventKind> event = first.arrivals().next(deadline());
            Reply begun = new Reply();
            begun.add(event.orElseThrow(() -> new StepFailed("the stream had no event")));
            taskId = begun.taskId();
        }
        if (taskId.isEmpty()) {
            throw new StepFailed("the first event names no task to subscribe to");
        }
        try (Caller second = peer.newestCaller(binding)) {
            second.subscribe(taskId);
            Reply reply = new Reply();
            read(second.arrivals(), reply, FINISHED);
            second.cancelTask(taskId);
            String text = reply.text();
            return text.endsWith(FINISHED) ? text.substring(0, text.length() - FINISHED.length()).stripTrailing() : text;
        }
    }

    /** Reads to the end of the stream, or until the reply holds the text. */
    private static void read(Stream stream, Reply reply, String until) throws Exception {
        long deadline = deadline();
        while (true) {
            Optional<StreamingEventKind> event = stream.next(deadline);
            if (event.isEmpty()) {
                if (until != null) {
                    throw new StepFailed("the stream ended without '" + until + "'");
                }
                return;
            }
            reply.add(event.get());
            if (until != null && reply.text().contains(until)) {
                return;
            }
        }
    }

    private static long deadline() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(CALL_LIMIT_S);
    }
}
