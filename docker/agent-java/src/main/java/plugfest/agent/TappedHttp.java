package plugfest.agent;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.a2aproject.sdk.client.http.A2AHttpClient;
import org.a2aproject.sdk.client.http.A2AHttpResponse;
import org.a2aproject.sdk.client.http.ServerSentEvent;

/**
 * The SDK's own HTTP client, with the connection of a stream in hand: the SDK's Client has no way to
 * drop a stream, nor does it tell who closed it. What is sent and read is left as it is.
 */
record TappedHttp(A2AHttpClient inner, Stream stream) implements A2AHttpClient {

    @Override
    public GetBuilder createGet() {
        return new Get(inner.createGet());
    }

    @Override
    public PostBuilder createPost() {
        return new Post(inner.createPost());
    }

    @Override
    public DeleteBuilder createDelete() {
        return inner.createDelete();
    }

    private CompletableFuture<Void> hold(CompletableFuture<Void> connection) {
        stream.droppedBy(() -> connection.cancel(true));
        connection.whenComplete((nothing, problem) -> stream.ended(connection.isCancelled()));
        return connection;
    }

    private final class Get implements GetBuilder {
        private final GetBuilder request;

        Get(GetBuilder request) {
            this.request = request;
        }

        @Override
        public GetBuilder url(String url) {
            request.url(url);
            return this;
        }

        @Override
        public GetBuilder addHeaders(Map<String, String> headers) {
            request.addHeaders(headers);
            return this;
        }

        @Override
        public GetBuilder addHeader(String name, String value) {
            request.addHeader(name, value);
            return this;
        }

        @Override
        public A2AHttpResponse get() throws IOException, InterruptedException {
            return request.get();
        }

        @Override
        public CompletableFuture<Void> getAsyncSSE(
                Consumer<ServerSentEvent> events, Consumer<Throwable> problems, Runnable complete)
                throws IOException, InterruptedException {
            return hold(request.getAsyncSSE(events, problems, complete));
        }
    }

    private final class Post implements PostBuilder {
        private final PostBuilder request;

        Post(PostBuilder request) {
            this.request = request;
        }

        @Override
        public PostBuilder url(String url) {
            request.url(url);
            return this;
        }

        @Override
        public PostBuilder addHeaders(Map<String, String> headers) {
            request.addHeaders(headers);
            return this;
        }

        @Override
        public PostBuilder addHeader(String name, String value) {
            request.addHeader(name, value);
            return this;
        }

        @Override
        public PostBuilder body(String body) {
            request.body(body);
            return this;
        }

        @Override
        public A2AHttpResponse post() throws IOException, InterruptedException {
            return request.post();
        }

        @Override
        public CompletableFuture<Void> postAsyncSSE(
                Consumer<ServerSentEvent> events, Consumer<Throwable> problems, Runnable complete)
                throws IOException, InterruptedException {
            return hold(request.postAsyncSSE(events, problems, complete));
        }
    }
}
