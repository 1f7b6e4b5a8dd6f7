package plugfest.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flags, the ready line, and the end. */
class StartTest {

    @ParameterizedTest
    @ValueSource(strings = {
        "--protocol=2.0", "--bindings=JSONRPC,SOAP", "--httpPort=x", "--nonsense", "--name", "--fault=x", "--auth=bearer",
        "--extendedCard", "--signCard",
    })
    void aBadFlagGivesOneLineAndCode2(String flag) throws Exception {
        Process process = Running.start(Map.of(), flag);
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        String errors = Running.errors(process);
        assertEquals(2, process.exitValue(), errors);
        assertEquals(1, errors.lines().count(), errors);
    }

    @Test
    void aTokenThatCannotBeReadStaysOutOfTheMessage() throws Exception {
        Process process = Running.start(Map.of("LAB_AGENT_TOKENS", "alice=x,hush"));
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        String errors = Running.errors(process);
        assertEquals(2, process.exitValue());
        assertFalse(errors.contains("hush"), errors);
    }

    @Test
    void onlyWhatTheFlagsOfferIsServed() throws Exception {
        try (Running agent = new Running("--name", "amber", "--bindings", "JSONRPC")) {
            JsonObject card = JsonParser.parseString(agent.get("/.well-known/agent-card.json").body()).getAsJsonObject();
            assertEquals("amber", card.get("name").getAsString());
            assertEquals(1, card.getAsJsonArray("supportedInterfaces").size());
            assertFalse(card.has("url"), card.toString());
            assertEquals(404, agent.get("/rest/tasks").statusCode());
            assertEquals(404, agent.get("/").statusCode());
            JsonObject old = agent.rpc("message/send", new JsonObject());
            assertEquals(-32601, old.getAsJsonObject("error").get("code").getAsInt());
        }
    }

    @Test
    void anAgentOf03AloneServesACardOf03() throws Exception {
        try (Running agent = new Running("--protocol", "0.3")) {
            JsonObject card = JsonParser.parseString(agent.get("/.well-known/agent-card.json").body()).getAsJsonObject();
            assertEquals("0.3.0", card.get("protocolVersion").getAsString());
            assertEquals(agent.url + "/jsonrpc", card.get("url").getAsString());
            assertFalse(card.has("supportedInterfaces"), card.toString());
        }
    }

    @Test
    void endsOnSigtermWithAStreamOpen() throws Exception {
        try (Running agent = new Running()) {
            assertEquals(200, agent.openStream("plugfest-slow 20000 n").statusCode());
            agent.process.destroy();
            // The contract says 2 s; a machine that runs much else gets twice that.
            assertTrue(agent.process.waitFor(4, TimeUnit.SECONDS), "still there after 4 s");
            assertEquals(null, agent.stdout.readLine());
        }
    }

    @Test
    void endsWithItsParent() throws Exception {
        try (Running agent = new Running(Map.of("PLUGFEST_PARENT", "stdin"))) {
            agent.process.getOutputStream().close();
            assertTrue(agent.process.waitFor(4, TimeUnit.SECONDS), "still there after 4 s");
        }
    }
}
