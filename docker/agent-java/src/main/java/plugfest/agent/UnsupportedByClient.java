package plugfest.agent;

/** The SDK's client has no such operation in this version or binding. */
final class UnsupportedByClient extends RuntimeException {
    UnsupportedByClient(String message) {
        super(message);
    }
}
