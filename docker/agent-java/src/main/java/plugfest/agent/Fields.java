package plugfest.agent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** An object of a drive call, read with complaints that name the member. */
record Fields(Map<String, Object> members) {

    static Fields of(Object object) {
        Map<String, Object> members = new LinkedHashMap<>();
        ((Map<?, ?>) object).forEach((key, value) -> members.put(String.valueOf(key), value));
        return new Fields(members);
    }

    boolean has(String key) {
        return members.get(key) != null;
    }

    Object any(String key) {
        return members.get(key);
    }

    String text(String key) {
        return optionalText(key).orElseThrow(() -> new BadDriveCall("'" + key + "' must be a string"));
    }

    Optional<String> optionalText(String key) {
        Object value = members.get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof String text) {
            return Optional.of(text);
        }
        throw new BadDriveCall("'" + key + "' must be a string");
    }

    Optional<Integer> optionalNumber(String key) {
        Object value = members.get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Number number) {
            return Optional.of(number.intValue());
        }
        throw new BadDriveCall("'" + key + "' must be a number");
    }

    boolean flag(String key) {
        return Boolean.TRUE.equals(members.get(key));
    }

    Optional<Fields> optionalObject(String key) {
        Object value = members.get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Map<?, ?>) {
            return Optional.of(of(value));
        }
        throw new BadDriveCall("'" + key + "' must be an object");
    }

    Fields object(String key) {
        return optionalObject(key).orElseThrow(() -> new BadDriveCall("'" + key + "' must be an object"));
    }

    List<?> list(String key) {
        Object value = members.get(key);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        throw new BadDriveCall("'" + key + "' must be a list");
    }

    List<String> texts(String key) {
        return list(key).stream().map(String::valueOf).toList();
    }

    List<Fields> objects(String key) {
        return list(key).stream()
                .map(item -> {
                    if (item instanceof Map<?, ?>) {
                        return of(item);
                    }
                    throw new BadDriveCall("'" + key + "' must hold objects");
                })
                .toList();
    }

    void ifText(String key, Consumer<String> use) {
        optionalText(key).ifPresent(use);
    }
}
