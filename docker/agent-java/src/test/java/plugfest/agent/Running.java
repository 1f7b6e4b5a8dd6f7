package plugfest.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The built application in a process of its own, and a caller that shares no code with the SDK. */
final class Running implements AutoCloseable {

    static final String TOKENS = "alice=a-token,bob=b-token";

    final Process process;
    final BufferedReader stdout;
    final String url;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Running(String... flags) throws IOException {
        this(Map.of(), flags);
    }

    Running(Map<String, String> environment, String... flags) throws IOException {
        process = start(environment, flags);
        stdout = process.inputReader();
        String line = stdout.readLine();
        assertTrue(line != null, "the agent ended before it was ready");
        url = JsonParser.parseString(line).getAsJsonObject().get("card").getAsString()
                .replace("/.well-known/agent-card.json", "");
    }

    static Process start(Map<String, String> environment, String... flags) throws IOException {
        String application = System.getProperty("agent.dir", "../../.agents/java/quarkus-app");
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", application + "/quarkus-run.jar"));
        command.addAll(List.of(flags));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder.start();
    }

    static String errors(Process process) throws IOException {
        return new String(new BufferedReader(new InputStreamReader(process.getErrorStream())).lines()
                .reduce("", (text, line) -> text + line + "\n"));
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(45));
    }

    HttpResponse<String> get(String path) throws Exception {
        return http.send(request(path).header("A2A-Version", "1.0").build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String version, String token, JsonObject body) throws Exception {
        HttpRequest.Builder request = request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        if (version != null) {
            request.header("A2A-Version", version);
        }
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** An open stream, of which nothing is read. */
    HttpResponse<java.io.InputStream> openStream(String text) throws Exception {
        JsonObject call = rpcBody("SendStreamingMessage", message(textPart(text)));
        return http.send(
                request("/jsonrpc")
                        .header("Content-Type", "application/json")
                        .header("A2A-Version", "1.0")
                        .POST(HttpRequest.BodyPublishers.ofString(call.toString()))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
    }

    static JsonObject rpcBody(String method, JsonObject params) {
        JsonObject body = new JsonObject();
        body.addProperty("jsonrpc", "2.0");
        body.addProperty("id", 1);
        body.addProperty("method", method);
        body.add("params", params);
        return body;
    }

    static JsonObject message(JsonObject... parts) {
        JsonObject message = new JsonObject();
        message.addProperty("messageId", UUID.randomUUID().toString());
        message.addProperty("role", "ROLE_USER");
        JsonArray list = new JsonArray();
        for (JsonObject part : parts) {
            list.add(part);
        }
        message.add("parts", list);
        JsonObject params = new JsonObject();
        params.add("message", message);
        return params;
    }

    static JsonObject textPart(String text) {
        JsonObject part = new JsonObject();
        part.addProperty("text", text);
        return part;
    }

    JsonObject rpc(String method, JsonObject params) throws Exception {
        return JsonParser.parseString(post("/jsonrpc", "1.0", null, rpcBody(method, params)).body()).getAsJsonObject();
    }

    /** Sends a text over JSON-RPC 1.0; the task that came of it. */
    JsonObject task(String text) throws Exception {
        return task(message(textPart(text)));
    }

    JsonObject task(JsonObject params) throws Exception {
        JsonObject answer = rpc("SendMessage", params);
        assertTrue(answer.has("result"), answer.toString());
        return answer.getAsJsonObject("result").getAsJsonObject("task");
    }

    /** The result of a drive call: this agent's client calls the card's agent. */
    JsonObject drive(String card, String binding, String version, JsonObject call, String... as) throws Exception {
        JsonObject drive = new JsonObject();
        drive.addProperty("plugfest", "drive/1");
        drive.addProperty("card", card);
        drive.addProperty("binding", binding);
        drive.addProperty("version", version);
        if (as.length > 0) {
            drive.addProperty("as", as[0]);
        }
        drive.add("call", call);
        JsonObject part = new JsonObject();
        part.add("data", drive);
        JsonObject task = task(message(part));
        JsonObject artifact = task.getAsJsonArray("artifacts").get(0).getAsJsonObject();
        assertEquals("drive-result", artifact.get("name").getAsString());
        return artifact.getAsJsonArray("parts").get(0).getAsJsonObject().getAsJsonObject("data");
    }

    static JsonObject json(String text) {
        return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
    }

    static String state(JsonObject task) {
        return task.getAsJsonObject("status").get("state").getAsString();
    }

    static String statusText(JsonObject task) {
        JsonObject message = task.getAsJsonObject("status").getAsJsonObject("message");
        return message == null ? "" : text(message.getAsJsonArray("parts"));
    }

    static String artifactText(JsonObject task) {
        StringBuilder text = new StringBuilder();
        for (JsonElement artifact : task.getAsJsonArray("artifacts")) {
            text.append(text(artifact.getAsJsonObject().getAsJsonArray("parts")));
        }
        return text.toString();
    }

    private static String text(JsonArray parts) {
        StringBuilder text = new StringBuilder();
        for (JsonElement part : parts) {
            if (part.getAsJsonObject().has("text")) {
                text.append(part.getAsJsonObject().get("text").getAsString());
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
