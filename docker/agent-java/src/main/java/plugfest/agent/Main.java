package plugfest.agent;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Turns the contract's flags into Quarkus' configuration and starts it. */
@QuarkusMain
public class Main {

    /** The flags of this process. Quarkus makes its beans itself, so they are read from here. */
    static volatile Flags flags;

    public static void main(String... arguments) {
        if (arguments.length == 1 && (arguments[0].equals("--help") || arguments[0].equals("-h"))) {
            System.out.println(Flags.USAGE);
            return;
        }
        try {
            Flags given = Flags.parse(arguments, System.getenv("LAB_AGENT_TOKENS"));
            flags = given.at(portFor(given));
        } catch (BadFlag problem) {
            System.err.println("agent-java: " + problem.getMessage() + " (see --help)");
            System.exit(2);
        } catch (IOException problem) {
            System.err.println("agent-java: " + problem.getMessage());
            System.exit(1);
        }
        System.setProperty("quarkus.http.host", flags.host());
        System.setProperty("quarkus.http.port", Integer.toString(flags.port()));
        Ending.guard();
        Quarkus.run(Agent.class, (code, problem) -> {
            if (problem != null) {
                System.err.println("agent-java: cannot serve on " + flags.host() + ":" + flags.port() + ": " + root(problem));
            }
            System.exit(problem == null ? code : 1);
        }, arguments);
    }

    private static Throwable root(Throwable problem) {
        Throwable cause = problem;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * A port that can be bound now. The SDK's card is fixed before Quarkus binds, so the port must
     * be known before; whoever takes it in between makes the start fail, loudly.
     */
    private static int portFor(Flags flags) throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(flags.host()), flags.port()));
            return probe.getLocalPort();
        } catch (IOException problem) {
            throw new IOException("cannot bind " + flags.host() + ":" + flags.port() + ": " + problem.getMessage(), problem);
        }
    }
}
