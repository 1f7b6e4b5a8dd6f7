package plugfest.agent;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * How a call is made: as whom, and asking for which extensions.
 *
 * @param token the bearer token to show, where there is one
 */
record CallAs(Optional<String> token, List<String> extensions) {

    static final CallAs NOBODY = new CallAs(Optional.empty(), List.of());

    /** The headers that the SDK's client is given with each call. */
    Map<String, String> headers(String extensionsHeader) {
        Map<String, String> headers = new HashMap<>();
        token.ifPresent(value -> headers.put("Authorization", "Bearer " + value));
        if (!extensions.isEmpty()) {
            headers.put(extensionsHeader, String.join(",", extensions));
        }
        return headers;
    }

    /** Channels in clear text, for the SDK's gRPC clients; the last one made is kept, to be closed. */
    static Function<String, io.grpc.Channel> channels(Stream stream, AtomicReference<ManagedChannel> made) {
        return address -> {
            ManagedChannel channel = ManagedChannelBuilder.forTarget(address)
                    .usePlaintext()
                    .maxInboundMessageSize(64 << 20)
                    .intercept(new TappedCalls(stream))
                    .build();
            made.set(channel);
            return channel;
        };
    }
}
