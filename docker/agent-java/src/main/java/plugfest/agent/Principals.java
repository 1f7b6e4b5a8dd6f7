package plugfest.agent;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The principals that LAB_AGENT_TOKENS names, and their bearer tokens. */
public record Principals(Map<String, String> tokensByName) {

    /** Reads {@code alice=TOKEN,bob=TOKEN}; an absent or empty text names nobody. */
    static Principals parse(String text) {
        Map<String, String> tokens = new LinkedHashMap<>();
        if (text == null || text.isBlank()) {
            return new Principals(tokens);
        }
        int place = 0;
        for (String entry : text.split(",", -1)) {
            place++;
            int equals = entry.indexOf('=');
            String name = equals < 0 ? "" : entry.substring(0, equals).strip();
            String token = equals < 0 ? "" : entry.substring(equals + 1).strip();
            // The entry itself stays out of the message: it may be a secret.
            if (name.isEmpty() || token.isEmpty()) {
                throw new IllegalArgumentException("entry " + place + " is not NAME=TOKEN");
            }
            if (tokens.put(name, token) != null) {
                throw new IllegalArgumentException("names '" + name + "' twice");
            }
        }
        if (tokens.values().stream().distinct().count() < tokens.size()) {
            throw new IllegalArgumentException("gives one token to two principals");
        }
        return new Principals(tokens);
    }

    boolean isEmpty() {
        return tokensByName.isEmpty();
    }

    Optional<String> tokenOf(String name) {
        return Optional.ofNullable(tokensByName.get(name));
    }

    Optional<String> holderOf(String token) {
        return tokensByName.entrySet().stream()
                .filter(entry -> entry.getValue().equals(token))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
