package plugfest.agent;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.a2aproject.sdk.spec.DataPart;
import org.a2aproject.sdk.spec.Part;
import org.a2aproject.sdk.spec.TextPart;

/** Reading the parts of messages and artifacts. */
final class Parts {

    private Parts() {}

    static String firstText(List<Part<?>> parts) {
        return parts.stream().filter(TextPart.class::isInstance).map(part -> ((TextPart) part).text())
                .findFirst().orElse("");
    }

    static String joinedText(List<Part<?>> parts) {
        return parts.stream().filter(TextPart.class::isInstance).map(part -> ((TextPart) part).text())
                .collect(Collectors.joining());
    }

    /** The data parts that hold an object. */
    static List<Fields> objects(List<Part<?>> parts) {
        return parts.stream()
                .filter(DataPart.class::isInstance)
                .map(part -> ((DataPart) part).data())
                .filter(Map.class::isInstance)
                .map(Fields::of)
                .toList();
    }
}
