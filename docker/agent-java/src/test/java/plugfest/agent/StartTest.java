package plugfest.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.Base64URL;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flags, the ready line, and the end. */
class StartTest {

    @ParameterizedTest
    @ValueSource(strings = {
        "--protocol=2.0", "--bindings=JSONRPC,SOAP", "--httpPort=x", "--nonsense", "--name", "--fault=x", "--auth=bearer",
        "--extendedCard", "--signCard=x",
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

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "0.3", "both"})
    void aSignedCardVerifiesByTheKeyAtItsJkuAndNoLongerOnceItWasChanged(String protocol) throws Exception {
        try (Running agent = new Running("--signCard", "--protocol", protocol)) {
            JsonObject card = JsonParser.parseString(agent.get("/.well-known/agent-card.json").body()).getAsJsonObject();
            JsonObject signature = card.remove("signatures").getAsJsonArray().get(0).getAsJsonObject();
            JWSHeader header = JWSHeader.parse(new Base64URL(signature.get("protected").getAsString()));
            assertEquals(agent.url + "/.well-known/jwks.json", header.getJWKURL().toString());
            JWK key = JWKSet.parse(agent.get("/.well-known/jwks.json").body()).getKeyByKeyId(header.getKeyID());
            assertFalse(key.isPrivate());
            assertTrue(verifies(key, signature, card));
            card.addProperty("description", "another");
            assertFalse(verifies(key, signature, card));
        }
    }

    private static boolean verifies(JWK key, JsonObject signature, JsonObject card) throws Exception {
        Base64URL payload = Base64URL.encode(new JsonCanonicalizer(card.toString()).getEncodedUTF8());
        JWSObject jws = new JWSObject(
                new Base64URL(signature.get("protected").getAsString()), payload,
                new Base64URL(signature.get("signature").getAsString()));
        return jws.verify(new ECDSAVerifier(key.toECKey()));
    }

    @Test
    void withoutTheFlagThereIsNeitherSignatureNorKey() throws Exception {
        try (Running agent = new Running()) {
            assertFalse(agent.get("/.well-known/agent-card.json").body().contains("signatures"));
            assertEquals(404, agent.get("/.well-known/jwks.json").statusCode());
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
