package plugfest.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.a2aproject.sdk.jsonrpc.common.wrappers.ListTasksResult;
import org.a2aproject.sdk.spec.Part;
import org.a2aproject.sdk.spec.StreamingEventKind;

/** Drive calls: one call as a client, on order. */
final class Drive {

    private static final long LIMIT_S = 30;

    /** One call to make, and what came back so far. */
    private record Ask(Caller caller, Fields call, List<Map<String, Object>> events) {
        void saw(Map<String, Object> event) {
            events.add(event);
        }

        String taskId() {
            return call.text("taskId");
        }
    }

    @FunctionalInterface
    private interface Operation {
        void make(Ask ask) throws Exception;
    }

    private static final Map<String, Operation> OPERATIONS = Map.ofEntries(
            Map.entry("SendMessage", ask -> ask.saw(Observed.event((StreamingEventKind)
                    ask.caller().send(Requests.send(ask.call()))))),
            Map.entry("SendStreamingMessage", ask -> {
                ask.caller().stream(Requests.send(ask.call()));
                read(ask);
            }),
            Map.entry("SubscribeToTask", ask -> {
                ask.caller().subscribe(ask.taskId());
                read(ask);
            }),
            Map.entry("GetTask", ask -> ask.saw(Observed.task(ask.caller()
                    .getTask(ask.taskId(), ask.call().optionalNumber("historyLength").orElse(null))))),
            Map.entry("CancelTask", ask -> ask.saw(Observed.task(ask.caller().cancelTask(ask.taskId())))),
            Map.entry("ListTasks", ask -> {
                ListTasksResult page = ask.caller().listTasks(Requests.list(ask.call()));
                page.tasks().forEach(task -> ask.saw(Observed.task(task)));
                ask.saw(Observed.page(page));
            }),
            Map.entry("CreateTaskPushNotificationConfig", ask -> ask.saw(Observed.pushConfig(ask.caller()
                    .createPushConfig(Requests.pushConfig(ask.call().object("push"), ask.taskId()))))),
            Map.entry("GetTaskPushNotificationConfig", ask -> ask.saw(Observed.pushConfig(ask.caller()
                    .getPushConfig(ask.taskId(), ask.call().text("configId"))))),
            Map.entry("ListTaskPushNotificationConfigs", ask -> ask.caller().listPushConfigs(ask.taskId())
                    .forEach(config -> ask.saw(Observed.pushConfig(config)))),
            Map.entry("DeleteTaskPushNotificationConfig", ask -> ask.caller()
                    .deletePushConfig(ask.taskId(), ask.call().text("configId"))),
            Map.entry("GetExtendedAgentCard", ask -> ask.saw(Observed.card(ask.caller().extendedCard()))));

    private Drive() {}

    /** The first drive object among the parts. */
    static Optional<Fields> find(List<Part<?>> parts) {
        return Parts.objects(parts).stream().filter(data -> "drive/1".equals(data.any("plugfest"))).findFirst();
    }

    /** Makes the call and completes the task with what came of it, a refusal included. */
    static void answer(Fields drive, Outlet outlet) {
        outlet.working();
        outlet.artifactData(make(drive), "drive-result");
        outlet.complete();
    }

    private static Map<String, Object> make(Fields drive) {
        List<Map<String, Object>> events = Collections.synchronizedList(new ArrayList<>());
        String op = drive.any("call") instanceof Map<?, ?> call ? String.valueOf(call.get("op")) : "";
        Map<String, Object> error = null;
        FutureTask<Void> task = new FutureTask<>(() -> {
            run(drive, events);
            return null;
        });
        Thread worker = new Thread(task, "drive " + op);
        worker.setDaemon(true);
        worker.start();
        try {
            task.get(LIMIT_S, TimeUnit.SECONDS);
        } catch (TimeoutException tooLong) {
            task.cancel(true);
            error = Refusal.of(new TimeoutException("no end after " + LIMIT_S + " s"), "");
        } catch (ExecutionException problem) {
            // Whatever went wrong is the answer.
            error = Refusal.of(problem.getCause(), String.valueOf(drive.any("binding")));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new Outlet.Closed();
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("plugfest", "drive-result/1");
        result.put("op", op);
        result.put("ok", error == null);
        if (error != null) {
            result.put("error", error);
        }
        synchronized (events) {
            result.put("events", List.copyOf(events));
        }
        return result;
    }

    private static void run(Fields drive, List<Map<String, Object>> events) throws Exception {
        Fields call = drive.object("call");
        String op = call.text("op");
        Operation operation = OPERATIONS.get(op);
        if (operation == null && !op.equals("GetAgentCard")) {
            throw new BadDriveCall("unknown op '" + op + "'");
        }
        CallAs as = new CallAs(
                drive.optionalText("as").map(name -> Main.flags.principals().tokenOf(name)
                        .orElseThrow(() -> new BadDriveCall("'as': LAB_AGENT_TOKENS names no '" + name + "'"))),
                drive.texts("extensions"));
        Peer peer = Peer.open(drive.text("card"));
        if (operation == null) {
            events.add(Observed.card(peer.view()));
            return;
        }
        try (Caller caller = peer.caller(drive.text("binding"), drive.text("version"), as)) {
            operation.make(new Ask(caller, call, events));
        }
    }

    private static void read(Ask ask) throws Exception {
        Stream stream = ask.caller().arrivals();
        int stopAfter = ask.call().optionalNumber("stopAfterEvents").orElse(Integer.MAX_VALUE);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        for (int seen = 1; ; seen++) {
            Optional<StreamingEventKind> event = stream.next(deadline);
            if (event.isEmpty()) {
                ask.saw(Observed.closed(stream.closedBy()));
                return;
            }
            ask.saw(Observed.event(event.get()));
            if (seen >= stopAfter) {
                stream.drop();
                ask.saw(Observed.closed("client"));
                return;
            }
        }
    }
}
