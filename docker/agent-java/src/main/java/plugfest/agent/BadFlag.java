package plugfest.agent;

/** A start flag that cannot be obeyed; the message is the one line that the user sees. */
final class BadFlag extends RuntimeException {
    BadFlag(String message) {
        super(message);
    }
}
