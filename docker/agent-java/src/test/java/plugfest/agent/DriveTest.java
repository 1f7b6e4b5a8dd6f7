package plugfest.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static plugfest.agent.Running.json;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import plugfest.itk.CallAgent;
import plugfest.itk.Instruction;
import plugfest.itk.ReturnResponse;
import plugfest.itk.SeriesOfSteps;

/** The agent's own client, told what to call: itself, in each binding and version. */
class DriveTest {

    static Running agent;

    @BeforeAll
    static void start() throws Exception {
        agent = new Running("--protocol", "both");
    }

    @AfterAll
    static void end() {
        agent.close();
    }

    private static JsonObject ok(String binding, String version, String call) throws Exception {
        JsonObject result = agent.drive(agent.url, binding, version, json(call));
        assertTrue(result.get("ok").getAsBoolean(), result.toString());
        return result;
    }

    private static JsonObject event(JsonObject result, int index) {
        return result.getAsJsonArray("events").get(index).getAsJsonObject();
    }

    @ParameterizedTest
    @CsvSource({"JSONRPC,1.0", "HTTP+JSON,1.0", "GRPC,1.0", "JSONRPC,0.3", "HTTP+JSON,0.3", "GRPC,0.3"})
    void sendsGetsAndCancels(String binding, String version) throws Exception {
        JsonObject sent = event(
                ok(binding, version, "{'op':'SendMessage','message':{'messageId':'m1','text':'plugfest-slow 9000 n'},"
                        + "'configuration':{'returnImmediately':true}}"),
                0);
        assertEquals("task", sent.get("kind").getAsString());
        String taskId = sent.get("taskId").getAsString();
        JsonObject got = event(ok(binding, version, "{'op':'GetTask','taskId':'" + taskId + "'}"), 0);
        assertEquals(taskId, got.get("taskId").getAsString());
        JsonObject cancelled = event(ok(binding, version, "{'op':'CancelTask','taskId':'" + taskId + "'}"), 0);
        assertEquals("TASK_STATE_CANCELED", cancelled.get("state").getAsString());
    }

    @ParameterizedTest
    @CsvSource({"JSONRPC,1.0", "HTTP+JSON,1.0", "GRPC,1.0", "JSONRPC,0.3", "HTTP+JSON,0.3", "GRPC,0.3"})
    void streamsToTheEndAndDropsOnOrder(String binding, String version) throws Exception {
        JsonArray whole = ok(binding, version, "{'op':'SendStreamingMessage','message':{'messageId':'m2','text':'plugfest-echo abcd'}}")
                .getAsJsonArray("events");
        JsonObject last = whole.get(whole.size() - 1).getAsJsonObject();
        assertEquals("closed", last.get("kind").getAsString());
        assertEquals("TASK_STATE_COMPLETED", whole.get(whole.size() - 2).getAsJsonObject().get("state").getAsString());

        JsonArray dropped = ok(binding, version, "{'op':'SendStreamingMessage','stopAfterEvents':2,"
                        + "'message':{'messageId':'m3','text':'plugfest-slow 5000 n'}}")
                .getAsJsonArray("events");
        assertEquals(3, dropped.size());
        assertEquals(json("{'kind':'closed','by':'client'}"), dropped.get(2).getAsJsonObject());
    }

    @ParameterizedTest
    @CsvSource({"JSONRPC,1.0", "HTTP+JSON,1.0", "GRPC,1.0", "JSONRPC,0.3", "GRPC,0.3"})
    void registersFindsAndRemovesWebhooks(String binding, String version) throws Exception {
        String taskId = event(
                        ok(binding, version, "{'op':'SendMessage','message':{'messageId':'m4','text':'plugfest-ask n'}}"), 0)
                .get("taskId").getAsString();
        JsonObject created = event(
                ok(binding, version, "{'op':'CreateTaskPushNotificationConfig','taskId':'" + taskId
                        + "','push':{'id':'c1','url':'http://127.0.0.1:9/hook','token':'t'}}"),
                0);
        assertEquals("c1", created.get("id").getAsString());
        JsonObject listed = event(ok(binding, version, "{'op':'ListTaskPushNotificationConfigs','taskId':'" + taskId + "'}"), 0);
        assertEquals("http://127.0.0.1:9/hook", listed.get("url").getAsString());
        ok(binding, version, "{'op':'DeleteTaskPushNotificationConfig','taskId':'" + taskId + "','configId':'c1'}");
        assertEquals(0, ok(binding, version, "{'op':'ListTaskPushNotificationConfigs','taskId':'" + taskId + "'}")
                .getAsJsonArray("events").size());
    }

    @ParameterizedTest
    @CsvSource({"JSONRPC", "HTTP+JSON", "GRPC"})
    void listsTasks(String binding) throws Exception {
        agent.task("plugfest-echo one");
        JsonArray events = ok(binding, "1.0", "{'op':'ListTasks','pageSize':1}").getAsJsonArray("events");
        assertEquals("task", events.get(0).getAsJsonObject().get("kind").getAsString());
        assertEquals("page", events.get(1).getAsJsonObject().get("kind").getAsString());
    }

    @Test
    void aRefusalIsAResult() throws Exception {
        JsonObject result = agent.drive(agent.url, "JSONRPC", "1.0", json("{'op':'GetTask','taskId':'none'}"));
        assertFalse(result.get("ok").getAsBoolean());
        JsonObject error = result.getAsJsonObject("error");
        assertEquals("TaskNotFoundError -32001", error.get("name").getAsString() + " " + error.get("code").getAsInt());
    }

    @Test
    void namesWhatItCannotDo() throws Exception {
        try (Running only = new Running("--bindings", "JSONRPC")) {
            JsonObject none = agent.drive(only.url, "GRPC", "1.0", json("{'op':'GetTask','taskId':'x'}"));
            assertEquals("NoMatchingInterface", none.getAsJsonObject("error").get("name").getAsString());
        }
        JsonObject lacking = agent.drive(agent.url, "JSONRPC", "0.3", json("{'op':'ListTasks'}"));
        assertEquals("UnsupportedByClient", lacking.getAsJsonObject("error").get("name").getAsString());
    }

    @ParameterizedTest
    @CsvSource({"jsonrpc,false", "http_json,true", "grpc,true"})
    void carriesOutAnInstructionAcrossAHop(String transport, boolean streaming) throws Exception {
        Instruction said = Instruction.newBuilder()
                .setReturnResponse(ReturnResponse.newBuilder().setResponse("pong"))
                .build();
        Instruction call = Instruction.newBuilder()
                .setCallAgent(CallAgent.newBuilder()
                        .setTransport(transport)
                        .setAgentCardUri(agent.url)
                        .setStreaming(streaming)
                        .setInstruction(said))
                .build();
        Instruction steps = Instruction.newBuilder()
                .setSteps(SeriesOfSteps.newBuilder().addInstructions(said).addInstructions(call))
                .build();
        JsonObject task = agent.task(Running.message(json("{'raw':'" + Base64.getEncoder().encodeToString(steps.toByteArray())
                + "','mediaType':'application/x-protobuf','filename':'instruction.bin'}")));
        assertEquals("TASK_STATE_COMPLETED", Running.state(task));
        assertEquals("pong\npong", Running.statusText(task));
    }
}
