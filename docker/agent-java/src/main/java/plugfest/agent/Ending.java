package plugfest.agent;

import io.quarkus.runtime.Quarkus;
import java.io.IOException;

/** How the agent ends: on SIGTERM, or with its parent. */
final class Ending {

    /** The contract allows 2 s from SIGTERM to the end. */
    private static final long LIMIT_MS = 300;

    private Ending() {}

    /** Open streams and sleeping behaviours must not keep the process once it was told to end. */
    static void guard() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Thread.sleep(LIMIT_MS);
            } catch (InterruptedException ignored) {
                // ends all the same
            }
            Runtime.getRuntime().halt(0);
        }, "end-limit"));
    }

    /** With PLUGFEST_PARENT=stdin, ends when stdin closes. */
    static void withParent() {
        if (!"stdin".equals(System.getenv("PLUGFEST_PARENT"))) {
            return;
        }
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    // what is written there means nothing
                }
            } catch (IOException closed) {
                // the same as its end
            }
            Quarkus.asyncExit(0);
        }, "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
