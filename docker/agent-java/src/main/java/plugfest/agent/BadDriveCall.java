package plugfest.agent;

/** The drive object does not follow the contract. */
final class BadDriveCall extends RuntimeException {
    BadDriveCall(String message) {
        super(message);
    }
}
