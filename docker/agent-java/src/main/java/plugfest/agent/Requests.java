package plugfest.agent;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.a2aproject.sdk.spec.AuthenticationInfo;
import org.a2aproject.sdk.spec.DataPart;
import org.a2aproject.sdk.spec.FilePart;
import org.a2aproject.sdk.spec.FileWithBytes;
import org.a2aproject.sdk.spec.FileWithUri;
import org.a2aproject.sdk.spec.ListTasksParams;
import org.a2aproject.sdk.spec.Message;
import org.a2aproject.sdk.spec.MessageSendConfiguration;
import org.a2aproject.sdk.spec.MessageSendParams;
import org.a2aproject.sdk.spec.Part;
import org.a2aproject.sdk.spec.TaskPushNotificationConfig;
import org.a2aproject.sdk.spec.TaskState;
import org.a2aproject.sdk.spec.TextPart;

/** Requests for the SDK's client, from the members of a drive call. */
final class Requests {

    private Requests() {}

    static MessageSendParams send(Fields call) {
        return MessageSendParams.builder()
                .message(message(call.object("message")))
                .configuration(call.optionalObject("configuration").map(Requests::configuration).orElse(null))
                .build();
    }

    static Message userMessage(List<Part<?>> parts) {
        return Message.builder()
                .messageId(UUID.randomUUID().toString())
                .role(Message.Role.ROLE_USER)
                .parts(parts)
                .build();
    }

    static TaskPushNotificationConfig pushConfig(Fields push, String taskId) {
        TaskPushNotificationConfig.Builder config = TaskPushNotificationConfig.builder()
                .url(push.text("url"))
                // The SDK insists on an id; an empty one does not go on the wire.
                .id(push.optionalText("id").orElse(""));
        if (taskId != null) {
            config.taskId(taskId);
        }
        push.ifText("token", config::token);
        push.optionalObject("authentication").ifPresent(given -> config.authentication(new AuthenticationInfo(
                given.optionalText("scheme").orElse(""), given.optionalText("credentials").orElse(""))));
        return config.build();
    }

    static ListTasksParams list(Fields call) {
        // The SDK's JSON-RPC client fails on a list without a tenant; an empty one is none.
        ListTasksParams.Builder request = ListTasksParams.builder().tenant("");
        call.ifText("contextId", request::contextId);
        call.ifText("status", name -> request.status(state(name)));
        call.optionalNumber("pageSize").ifPresent(request::pageSize);
        call.ifText("pageToken", request::pageToken);
        call.optionalNumber("historyLength").ifPresent(request::historyLength);
        if (call.has("includeArtifacts")) {
            request.includeArtifacts(call.flag("includeArtifacts"));
        }
        return request.build();
    }

    private static TaskState state(String name) {
        try {
            return TaskState.valueOf(name);
        } catch (IllegalArgumentException unknown) {
            throw new BadDriveCall("'status': '" + name + "' is no state");
        }
    }

    private static Message message(Fields given) {
        List<Part<?>> parts = new ArrayList<>();
        given.ifText("text", text -> parts.add(new TextPart(text)));
        if (given.has("data")) {
            parts.add(new DataPart(given.any("data")));
        }
        given.objects("parts").forEach(part -> parts.add(part(part)));
        Message.Builder message = Message.builder()
                .messageId(given.optionalText("messageId").orElseGet(() -> UUID.randomUUID().toString()))
                .role(Message.Role.ROLE_USER)
                .parts(parts);
        given.ifText("taskId", message::taskId);
        given.ifText("contextId", message::contextId);
        if (given.has("referenceTaskIds")) {
            message.referenceTaskIds(given.texts("referenceTaskIds"));
        }
        return message.build();
    }

    /** The SDK's text and data parts have no media type and no file name, its file parts must have both. */
    private static Part<?> part(Fields given) {
        String mediaType = given.optionalText("mediaType").orElse("");
        String filename = given.optionalText("filename").orElse("");
        if (given.has("text")) {
            return new TextPart(given.text("text"));
        }
        if (given.has("raw")) {
            return new FilePart(new FileWithBytes(mediaType, filename, Base64.getDecoder().decode(given.text("raw"))));
        }
        if (given.has("url")) {
            return new FilePart(new FileWithUri(mediaType, filename, given.text("url")));
        }
        if (given.has("data")) {
            return new DataPart(given.any("data"));
        }
        throw new BadDriveCall("a part needs text, raw, url or data");
    }

    private static MessageSendConfiguration configuration(Fields given) {
        MessageSendConfiguration.Builder configuration =
                MessageSendConfiguration.builder().returnImmediately(given.flag("returnImmediately"));
        given.optionalNumber("historyLength").ifPresent(configuration::historyLength);
        if (given.has("acceptedOutputModes")) {
            configuration.acceptedOutputModes(given.texts("acceptedOutputModes"));
        }
        given.optionalObject("push")
                .ifPresent(push -> configuration.taskPushNotificationConfig(pushConfig(push, null)));
        return configuration.build();
    }
}
