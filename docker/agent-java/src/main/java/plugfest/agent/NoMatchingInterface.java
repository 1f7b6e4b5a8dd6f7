package plugfest.agent;

/** The card has no interface with the binding and version asked for. */
final class NoMatchingInterface extends RuntimeException {
    NoMatchingInterface(String message) {
        super(message);
    }
}
