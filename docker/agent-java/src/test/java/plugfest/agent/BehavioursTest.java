package plugfest.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static plugfest.agent.Running.artifactText;
import static plugfest.agent.Running.json;
import static plugfest.agent.Running.message;
import static plugfest.agent.Running.state;
import static plugfest.agent.Running.statusText;
import static plugfest.agent.Running.textPart;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The prefix table, over a real socket. */
class BehavioursTest {

    static Running agent;

    @BeforeAll
    static void start() throws Exception {
        agent = new Running("--protocol", "both");
    }

    @AfterAll
    static void end() {
        agent.close();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', value = {
        "tck-complete-task,COMPLETED,Hello from TCK,",
        "tck-delayed-complete,COMPLETED,Done after delay,",
        "tck-artifact-text,COMPLETED,,Generated text content",
        "tck-input-required,INPUT_REQUIRED,What is your name?,",
        "tck-multi-turn,INPUT_REQUIRED,Anything else? Say done to finish.,",
        "tck-auth-required,AUTH_REQUIRED,Authorization needed,",
        "tck-reject-task,REJECTED,rejected,",
        "tck-task-failure,FAILED,failed on request,",
        "tck-stream-001,COMPLETED,,Stream hello from TCK",
        "tck-stream-basic,COMPLETED,,Stream hello from TCK",
        "tck-stream-002,COMPLETED,,",
        "tck-stream-003,COMPLETED,,Stream task lifecycle",
        "tck-stream-ordering-001,COMPLETED,,Ordered output",
        "tck-stream-artifact-text,COMPLETED,,Streamed text content",
        "tck-stream-artifact-chunked,COMPLETED,,chunk-1 chunk-2",
        "tck-stream-chunked,COMPLETED,,chunk-1 chunk-2",
        "test-resubscribe-message-id,COMPLETED,,",
        "plugfest-echo a b,COMPLETED,a b,a b",
        "plugfest-slow 250 abc,COMPLETED,abc,abc",
        "plugfest-ask abc,INPUT_REQUIRED,ask abc,",
        "plugfest-modes abc,COMPLETED,,abc",
        "anything,COMPLETED,,echo: anything",
    })
    void aPrefixDoesWhatTheTableSays(String text, String state, String status, String artifact) throws Exception {
        JsonObject task = agent.task(text);
        assertEquals("TASK_STATE_" + state, state(task));
        assertEquals(status == null ? "" : status, statusText(task));
        assertEquals(artifact == null ? "" : artifact, artifactText(task));
    }

    @Test
    void aMessageIdIsLookedAtBeforeTheText() throws Exception {
        JsonObject params = message(textPart("plugfest-echo abc"));
        params.getAsJsonObject("message").addProperty("messageId", "tck-complete-task-1");
        assertEquals("Hello from TCK", statusText(agent.task(params)));
    }

    @Test
    void aMessageCanBeTheAnswer() throws Exception {
        JsonObject result = agent.rpc("SendMessage", message(textPart("tck-message-response"))).getAsJsonObject("result");
        assertEquals(
                "Direct message response",
                result.getAsJsonObject("message").getAsJsonArray("parts").get(0).getAsJsonObject().get("text").getAsString());
    }

    @Test
    void filesComeAsBytesAndAsUrls() throws Exception {
        JsonObject raw = agent.task("tck-artifact-file").getAsJsonArray("artifacts").get(0).getAsJsonObject()
                .getAsJsonArray("parts").get(0).getAsJsonObject();
        assertEquals("dGNr", raw.get("raw").getAsString());
        assertEquals("output.txt", raw.get("filename").getAsString());
        JsonObject url = agent.task("tck-artifact-file-url").getAsJsonArray("artifacts").get(0).getAsJsonObject()
                .getAsJsonArray("parts").get(0).getAsJsonObject();
        assertEquals("https://example.com/output.txt", url.get("url").getAsString());
    }

    @Test
    void partsComeBackUnchanged() throws Exception {
        JsonObject task = agent.task(message(
                textPart("plugfest-parts abc"),
                json("{'raw':'AAEC','mediaType':'image/png','filename':'a.png'}"),
                json("{'data':{'a':[1.5,true,'x']}}")));
        JsonObject artifact = task.getAsJsonArray("artifacts").get(0).getAsJsonObject();
        assertEquals("parts", artifact.get("name").getAsString());
        JsonObject raw = artifact.getAsJsonArray("parts").get(0).getAsJsonObject();
        assertEquals("AAEC image/png a.png", raw.get("raw").getAsString() + " " + raw.get("mediaType").getAsString() + " "
                + raw.get("filename").getAsString());
        assertEquals(
                json("{'a':[1.5,true,'x']}"),
                artifact.getAsJsonArray("parts").get(1).getAsJsonObject().getAsJsonObject("data"));
        assertEquals("abc", statusText(task));
    }

    @Test
    void modesFollowWhatTheCallerAccepts() throws Exception {
        JsonObject params = message(textPart("plugfest-modes abc"));
        params.add("configuration", json("{'acceptedOutputModes':['image/png','application/json']}"));
        JsonObject part = agent.task(params).getAsJsonArray("artifacts").get(0).getAsJsonObject()
                .getAsJsonArray("parts").get(0).getAsJsonObject();
        assertEquals(json("{'nonce':'abc'}"), part.getAsJsonObject("data"));

        JsonObject hopeless = message(textPart("plugfest-modes abc"));
        hopeless.add("configuration", json("{'acceptedOutputModes':['image/png']}"));
        assertEquals(-32005, agent.rpc("SendMessage", hopeless).getAsJsonObject("error").get("code").getAsInt());
    }

    @Test
    void aFollowUpResumesTheTask() throws Exception {
        JsonObject asked = agent.task("plugfest-ask abc");
        JsonObject params = message(textPart("hello"));
        params.getAsJsonObject("message").add("taskId", asked.get("id"));
        JsonObject done = agent.task(params);
        assertEquals("TASK_STATE_COMPLETED", state(done));
        assertEquals("resumed: hello", statusText(done));
        assertEquals("resumed: hello", artifactText(done));
    }

    @Test
    void aRunningTaskCanBeCancelled() throws Exception {
        JsonObject params = message(textPart("tck-long-running"));
        params.add("configuration", json("{'returnImmediately':true}"));
        JsonObject task = agent.task(params);
        JsonObject cancelled = agent.rpc("CancelTask", json("{'id':'" + task.get("id").getAsString() + "'}"))
                .getAsJsonObject("result");
        assertEquals("TASK_STATE_CANCELED", state(cancelled));
    }

    @Test
    void eachBindingAndVersionAnswers() throws Exception {
        JsonObject rest = JsonParser.parseString(
                        agent.post("/rest/message:send", "1.0", null, message(textPart("plugfest-echo r"))).body())
                .getAsJsonObject();
        assertEquals("r", statusText(rest.getAsJsonObject("task")));
        JsonObject old = json("{'message':{'kind':'message','messageId':'m','role':'user',"
                + "'parts':[{'kind':'text','text':'plugfest-echo o'}]}}");
        String answer = agent.post("/jsonrpc", null, null, Running.rpcBody("message/send", old)).body();
        assertEquals(
                "completed",
                JsonParser.parseString(answer).getAsJsonObject().getAsJsonObject("result").getAsJsonObject("status")
                        .get("state").getAsString());
        JsonObject oldRest = json("{'message':{'messageId':'m','role':'ROLE_USER','content':[{'text':'plugfest-echo o'}]}}");
        assertTrue(agent.post("/rest/v1/message:send", null, null, oldRest).body().contains("TASK_STATE_COMPLETED"));
    }
}
