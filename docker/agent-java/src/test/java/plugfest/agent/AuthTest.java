package plugfest.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static plugfest.agent.Running.json;
import static plugfest.agent.Running.message;
import static plugfest.agent.Running.rpcBody;
import static plugfest.agent.Running.textPart;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bearer tokens, and whose task is whose. */
class AuthTest {

    static Running guarded;
    static Running caller;

    @BeforeAll
    static void start() throws Exception {
        Map<String, String> tokens = Map.of("LAB_AGENT_TOKENS", Running.TOKENS);
        guarded = new Running(tokens, "--protocol", "both", "--auth", "bearer", "--extendedCard");
        caller = new Running(tokens);
    }

    @AfterAll
    static void end() {
        guarded.close();
        caller.close();
    }

    @Test
    void callsWithoutAKnownTokenAreRefused() throws Exception {
        for (String token : new String[] {null, "wrong"}) {
            HttpResponse<String> rpc =
                    guarded.post("/jsonrpc", "1.0", token, rpcBody("SendMessage", message(textPart("plugfest-echo a"))));
            assertEquals(401, rpc.statusCode());
            assertEquals("Bearer", rpc.headers().firstValue("WWW-Authenticate").orElse(""));
            assertEquals(401, guarded.post("/rest/message:send", "1.0", token, message(textPart("x"))).statusCode());
        }
    }

    @Test
    void theCardIsPublicAndDeclaresTheScheme() throws Exception {
        JsonObject card = JsonParser.parseString(guarded.get("/.well-known/agent-card.json").body()).getAsJsonObject();
        assertTrue(card.getAsJsonObject("securitySchemes").has("bearer"), card.toString());
        assertTrue(card.getAsJsonObject("capabilities").get("extendedAgentCard").getAsBoolean());
    }

    @ParameterizedTest
    @CsvSource({"JSONRPC,1.0", "HTTP+JSON,1.0", "GRPC,1.0", "JSONRPC,0.3"})
    void tasksBelongToWhoMadeThem(String binding, String version) throws Exception {
        JsonObject sent = caller.drive(
                guarded.url, binding, version,
                json("{'op':'SendMessage','message':{'messageId':'m','text':'plugfest-echo a'}}"), "alice");
        assertTrue(sent.get("ok").getAsBoolean(), sent.toString());
        String taskId = sent.getAsJsonArray("events").get(0).getAsJsonObject().get("taskId").getAsString();
        JsonObject get = json("{'op':'GetTask','taskId':'" + taskId + "'}");
        assertTrue(caller.drive(guarded.url, binding, version, get, "alice").get("ok").getAsBoolean());
        JsonObject other = caller.drive(guarded.url, binding, version, get, "bob");
        assertEquals("TaskNotFoundError", other.getAsJsonObject("error").get("name").getAsString());
        assertFalse(caller.drive(guarded.url, binding, version, get).get("ok").getAsBoolean());
    }

    @ParameterizedTest
    @CsvSource({"JSONRPC", "HTTP+JSON", "GRPC"})
    void theExtendedCardHasOneMoreSkill(String binding) throws Exception {
        JsonObject result = caller.drive(guarded.url, binding, "1.0", json("{'op':'GetExtendedAgentCard'}"), "alice");
        assertTrue(result.get("ok").getAsBoolean(), result.toString());
        assertEquals(2, result.getAsJsonArray("events").get(0).getAsJsonObject().getAsJsonArray("skills").size());
    }

    @Test
    void theExtendedCardNamesWhoAsks() throws Exception {
        String card = guarded.post("/jsonrpc", "1.0", "b-token", rpcBody("GetExtendedAgentCard", new JsonObject())).body();
        assertTrue(card.contains("Seen by bob."), card);
    }
}
