package plugfest.agent;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

/** The start flags of docs/lab-agents.md: what the server offers, and where. */
public record Flags(
        String name,
        String host,
        int port,
        List<String> versions,
        List<String> bindings,
        boolean auth,
        boolean extendedCard,
        boolean signCard,
        Principals principals) {

    static final String V10 = "1.0";
    static final String V03 = "0.3";
    static final String JSONRPC = "JSONRPC";
    static final String HTTP_JSON = "HTTP+JSON";
    static final String GRPC = "GRPC";
    static final List<String> BINDINGS = List.of(JSONRPC, HTTP_JSON, GRPC);

    static final String USAGE = """
            usage: agent-java [--name NAME] [--host ADDRESS] [--httpPort N] [--grpcPort N]
                              [--protocol 1.0|0.3|both] [--bindings JSONRPC,HTTP+JSON,GRPC]
                              [--auth bearer] [--extendedCard] [--signCard]
            gRPC is served on the HTTP port; --grpcPort is accepted and not needed.
            environment: LAB_AGENT_TOKENS="alice=TOKEN,bob=TOKEN", LAB_AGENT_LOG=INFO, PLUGFEST_PARENT=stdin
            example: agent-java --name hotel --httpPort 8000 --protocol both""";

    boolean offers(String binding, String version) {
        return bindings.contains(binding) && versions.contains(version);
    }

    boolean offersVersion(String version) {
        return versions.contains(version);
    }

    /** Reads the flags; throws {@link BadFlag} where one is wrong. */
    static Flags parse(String[] arguments, String tokens) {
        String name = "a2a-java";
        String host = "127.0.0.1";
        int port = 0;
        List<String> versions = List.of(V10);
        List<String> bindings = BINDINGS;
        boolean auth = false;
        boolean extendedCard = false;
        boolean signCard = false;
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            int equals = argument.indexOf('=');
            String flag = equals < 0 ? argument : argument.substring(0, equals);
            if (flag.equals("--extendedCard") || flag.equals("--signCard")) {
                if (equals >= 0) {
                    throw new BadFlag(flag + " takes no value");
                }
                extendedCard |= flag.equals("--extendedCard");
                signCard |= flag.equals("--signCard");
                continue;
            }
            if (!List.of("--name", "--host", "--httpPort", "--grpcPort", "--protocol", "--bindings", "--auth", "--fault")
                    .contains(flag)) {
                throw new BadFlag("unknown flag '" + flag + "'");
            }
            if (equals < 0 && i + 1 >= arguments.length) {
                throw new BadFlag(flag + " needs a value");
            }
            String value = equals < 0 ? arguments[++i] : argument.substring(equals + 1);
            switch (flag) {
                case "--name" -> name = value;
                case "--host" -> host = value;
                case "--httpPort" -> port = port(flag, value);
                case "--grpcPort" -> port(flag, value); // gRPC shares the HTTP port
                case "--protocol" -> versions = versions(value);
                case "--bindings" -> bindings = bindings(value);
                case "--auth" -> {
                    if (!value.equals("bearer")) {
                        throw new BadFlag("--auth knows 'bearer' only, not '" + value + "'");
                    }
                    auth = true;
                }
                default -> throw new BadFlag(
                        "--fault '" + value + "': this agent plays no defects; the bundled JS agent does");
            }
        }
        Principals principals;
        try {
            principals = Principals.parse(tokens);
        } catch (IllegalArgumentException problem) {
            throw new BadFlag("environment variable LAB_AGENT_TOKENS: " + problem.getMessage());
        }
        if (extendedCard && !auth) {
            throw new BadFlag("--extendedCard needs --auth bearer");
        }
        if (auth && principals.isEmpty()) {
            throw new BadFlag("--auth needs LAB_AGENT_TOKENS=\"alice=TOKEN,bob=TOKEN\" in the environment");
        }
        return new Flags(name, host, port, versions, bindings, auth, extendedCard, signCard, principals);
    }

    Flags at(int boundPort) {
        return new Flags(name, host, boundPort, versions, bindings, auth, extendedCard, signCard, principals);
    }

    private static int port(String flag, String text) {
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65535) {
            throw new BadFlag(flag + " '" + text + "' is no port (0 to 65535)");
        }
        return Integer.parseInt(text);
    }

    private static List<String> versions(String text) {
        return switch (text) {
            case V10 -> List.of(V10);
            case V03 -> List.of(V03);
            case "both" -> List.of(V10, V03);
            default -> throw new BadFlag("--protocol '" + text + "' is not served by this agent; it has 1.0, 0.3, both");
        };
    }

    private static List<String> bindings(String text) {
        List<String> names = List.copyOf(new LinkedHashSet<>(Arrays.stream(text.split(",", -1)).map(String::strip).toList()));
        for (String binding : names) {
            if (!BINDINGS.contains(binding)) {
                throw new BadFlag("--bindings '" + binding + "' is not served by this agent; it has "
                        + String.join(", ", BINDINGS));
            }
        }
        return names;
    }
}
