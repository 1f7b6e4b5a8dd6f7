package plugfest.agent;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.a2aproject.sdk.spec.StreamingEventKind;

/** A stream as the SDK's client delivers it, and the means to drop it, which the client itself lacks. */
final class Stream {

    private record Failure(Throwable problem) {}

    private record End(boolean byClient) {}

    private final BlockingQueue<Object> arrivals = new LinkedBlockingQueue<>();
    private volatile Runnable dropper = () -> {};
    private volatile boolean dropped;
    private volatile boolean endedByClient;

    void event(StreamingEventKind event) {
        arrivals.add(event);
    }

    /** The SDK says with null that the stream ended well; the end itself is seen on the connection. */
    void problem(Throwable problem) {
        if (problem != null) {
            arrivals.add(new Failure(problem));
        }
    }

    void ended(boolean byClient) {
        arrivals.add(new End(byClient || dropped));
    }

    void droppedBy(Runnable how) {
        dropper = how;
    }

    void drop() {
        dropped = true;
        dropper.run();
    }

    /** The next event; empty at the end of the stream. Throws what the SDK reported. */
    Optional<StreamingEventKind> next(long deadlineNanos) throws Exception {
        Object arrival = arrivals.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (arrival == null) {
            throw new TimeoutException("no end of the stream in time");
        }
        if (arrival instanceof Failure failure) {
            if (failure.problem() instanceof Exception exception) {
                throw exception;
            }
            // The 0.3 client's errors are of the class Error.
            throw (Error) failure.problem();
        }
        if (arrival instanceof End end) {
            endedByClient = end.byClient();
            return Optional.empty();
        }
        return Optional.of((StreamingEventKind) arrival);
    }

    String closedBy() {
        return endedByClient ? "client" : "server";
    }
}
