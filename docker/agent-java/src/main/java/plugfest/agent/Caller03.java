package plugfest.agent;

import io.grpc.ManagedChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.a2aproject.sdk.client.http.A2AHttpClient;
import org.a2aproject.sdk.compat03.client.ClientEvent_v0_3;
import org.a2aproject.sdk.compat03.client.Client_v0_3;
import org.a2aproject.sdk.compat03.client.MessageEvent_v0_3;
import org.a2aproject.sdk.compat03.client.TaskEvent_v0_3;
import org.a2aproject.sdk.compat03.client.TaskUpdateEvent_v0_3;
import org.a2aproject.sdk.compat03.client.config.ClientConfig_v0_3;
import org.a2aproject.sdk.compat03.client.transport.grpc.GrpcTransportConfigBuilder_v0_3;
import org.a2aproject.sdk.compat03.client.transport.grpc.GrpcTransport_v0_3;
import org.a2aproject.sdk.compat03.client.transport.jsonrpc.JSONRPCTransportConfigBuilder_v0_3;
import org.a2aproject.sdk.compat03.client.transport.jsonrpc.JSONRPCTransport_v0_3;
import org.a2aproject.sdk.compat03.client.transport.rest.RestTransportConfigBuilder_v0_3;
import org.a2aproject.sdk.compat03.client.transport.rest.RestTransport_v0_3;
import org.a2aproject.sdk.compat03.client.transport.spi.interceptors.ClientCallContext_v0_3;
import org.a2aproject.sdk.compat03.conversion.mappers.domain.MessageMapper_v0_3;
import org.a2aproject.sdk.compat03.conversion.mappers.domain.StreamingEventKindMapper_v0_3;
import org.a2aproject.sdk.compat03.conversion.mappers.domain.TaskMapper_v0_3;
import org.a2aproject.sdk.compat03.conversion.mappers.domain.TaskPushNotificationConfigMapper_v0_3;
import org.a2aproject.sdk.compat03.spec.A2AClientException_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentCard_v0_3;
import org.a2aproject.sdk.compat03.spec.DeleteTaskPushNotificationConfigParams_v0_3;
import org.a2aproject.sdk.compat03.spec.GetTaskPushNotificationConfigParams_v0_3;
import org.a2aproject.sdk.compat03.spec.ListTaskPushNotificationConfigParams_v0_3;
import org.a2aproject.sdk.compat03.spec.Message_v0_3;
import org.a2aproject.sdk.compat03.spec.StreamingEventKind_v0_3;
import org.a2aproject.sdk.compat03.spec.TaskIdParams_v0_3;
import org.a2aproject.sdk.compat03.spec.TaskQueryParams_v0_3;
import org.a2aproject.sdk.jsonrpc.common.wrappers.ListTasksResult;
import org.a2aproject.sdk.spec.EventKind;
import org.a2aproject.sdk.spec.ListTasksParams;
import org.a2aproject.sdk.spec.MessageSendConfiguration;
import org.a2aproject.sdk.spec.MessageSendParams;
import org.a2aproject.sdk.spec.StreamingEventKind;
import org.a2aproject.sdk.spec.Task;
import org.a2aproject.sdk.spec.TaskPushNotificationConfig;

/** The SDK's 0.3 client; the SDK's own mappers turn 1.0 words into 0.3 ones and back. */
final class Caller03 implements Caller {

    private final AgentCard_v0_3 card;
    private final String binding;
    private final A2AHttpClient http;
    private final Stream stream = new Stream();
    private final ClientCallContext_v0_3 context;
    private final AtomicReference<ManagedChannel> channel = new AtomicReference<>();

    /** A client for a card that has one interface alone. */
    Caller03(AgentCard_v0_3 card, String binding, CallAs as, A2AHttpClient http) {
        this.card = card;
        this.binding = binding;
        this.http = new TappedHttp(http, stream);
        this.context = new ClientCallContext_v0_3(Map.of(), as.headers("X-A2A-Extensions"));
    }

    private Client_v0_3 client() throws A2AClientException_v0_3 {
        return client(new ClientConfig_v0_3.Builder());
    }

    /** The 0.3 client takes what a send is configured with when it is made. */
    private Client_v0_3 client(ClientConfig_v0_3.Builder config) throws A2AClientException_v0_3 {
        var builder = Client_v0_3.builder(card).clientConfig(config.build());
        switch (binding) {
            case Flags.JSONRPC -> builder.withTransport(
                    JSONRPCTransport_v0_3.class, new JSONRPCTransportConfigBuilder_v0_3().httpClient(http));
            case Flags.HTTP_JSON -> builder.withTransport(
                    RestTransport_v0_3.class, new RestTransportConfigBuilder_v0_3().httpClient(http));
            default -> builder.withTransport(
                    GrpcTransport_v0_3.class,
                    new GrpcTransportConfigBuilder_v0_3().channelFactory(CallAs.channels(stream, channel)));
        }
        return builder.build();
    }

    private Client_v0_3 sender(MessageSendParams request, boolean streaming) throws A2AClientException_v0_3 {
        ClientConfig_v0_3.Builder config = new ClientConfig_v0_3.Builder().setStreaming(streaming);
        MessageSendConfiguration given = request.configuration();
        if (given != null) {
            config.setPolling(given.returnImmediately());
            if (given.historyLength() != null) {
                config.setHistoryLength(given.historyLength());
            }
            if (given.acceptedOutputModes() != null) {
                config.setAcceptedOutputModes(given.acceptedOutputModes());
            }
            if (given.taskPushNotificationConfig() != null) {
                // The SDK's mapper insists on a task id, which a configuration that comes with a send has not yet.
                config.setPushNotificationConfig(TaskPushNotificationConfigMapper_v0_3.INSTANCE
                        .fromV10(TaskPushNotificationConfig.builder(given.taskPushNotificationConfig()).taskId("").build())
                        .pushNotificationConfig());
            }
        }
        return client(config);
    }

    @Override
    public EventKind send(MessageSendParams request) throws A2AClientException_v0_3 {
        AtomicReference<StreamingEventKind> answer = new AtomicReference<>();
        BiConsumer<ClientEvent_v0_3, AgentCard_v0_3> take = (event, card) -> answer.set(kind(event));
        sender(request, false).sendMessage(message(request), List.of(take), stream::problem, context);
        return (EventKind) answer.get();
    }

    @Override
    public void stream(MessageSendParams request) throws A2AClientException_v0_3 {
        sender(request, true).sendMessage(message(request), List.of(arrive()), stream::problem, context);
    }

    @Override
    public void subscribe(String taskId) throws A2AClientException_v0_3 {
        client().resubscribe(new TaskIdParams_v0_3(taskId), List.of(arrive()), stream::problem, context);
    }

    private BiConsumer<ClientEvent_v0_3, AgentCard_v0_3> arrive() {
        return (event, card) -> stream.event(kind(event));
    }

    private static Message_v0_3 message(MessageSendParams request) {
        return MessageMapper_v0_3.INSTANCE.fromV10(request.message());
    }

    private static StreamingEventKind kind(ClientEvent_v0_3 event) {
        StreamingEventKind_v0_3 seen;
        if (event instanceof TaskEvent_v0_3 task) {
            seen = task.getTask();
        } else if (event instanceof MessageEvent_v0_3 message) {
            seen = message.getMessage();
        } else {
            seen = (StreamingEventKind_v0_3) ((TaskUpdateEvent_v0_3) event).getUpdateEvent();
        }
        return StreamingEventKindMapper_v0_3.INSTANCE.toV10(seen);
    }

    @Override
    public Task getTask(String taskId, Integer historyLength) throws A2AClientException_v0_3 {
        TaskQueryParams_v0_3 request = historyLength == null
                ? new TaskQueryParams_v0_3(taskId)
                : new TaskQueryParams_v0_3(taskId, historyLength);
        return TaskMapper_v0_3.INSTANCE.toV10(client().getTask(request, context));
    }

    @Override
    public Task cancelTask(String taskId) throws A2AClientException_v0_3 {
        return TaskMapper_v0_3.INSTANCE.toV10(client().cancelTask(new TaskIdParams_v0_3(taskId), context));
    }

    @Override
    public ListTasksResult listTasks(ListTasksParams request) {
        throw new UnsupportedByClient("the 0.3 client has no ListTasks");
    }

    @Override
    public TaskPushNotificationConfig createPushConfig(TaskPushNotificationConfig config)
            throws A2AClientException_v0_3 {
        TaskPushNotificationConfigMapper_v0_3 mapper = TaskPushNotificationConfigMapper_v0_3.INSTANCE;
        return mapper.toV10(client().setTaskPushNotificationConfiguration(mapper.fromV10(config), context));
    }

    @Override
    public TaskPushNotificationConfig getPushConfig(String taskId, String configId) throws A2AClientException_v0_3 {
        return TaskPushNotificationConfigMapper_v0_3.INSTANCE.toV10(client().getTaskPushNotificationConfiguration(
                new GetTaskPushNotificationConfigParams_v0_3(taskId, configId), context));
    }

    @Override
    public List<TaskPushNotificationConfig> listPushConfigs(String taskId) throws A2AClientException_v0_3 {
        return client()
                .listTaskPushNotificationConfigurations(new ListTaskPushNotificationConfigParams_v0_3(taskId), context)
                .stream()
                .map(TaskPushNotificationConfigMapper_v0_3.INSTANCE::toV10)
                .toList();
    }

    @Override
    public void deletePushConfig(String taskId, String configId) throws A2AClientException_v0_3 {
        client().deleteTaskPushNotificationConfigurations(
                new DeleteTaskPushNotificationConfigParams_v0_3(taskId, configId), context);
    }

    @Override
    public CardView extendedCard() throws A2AClientException_v0_3 {
        return CardView.of(client().getAgentCard(context));
    }

    @Override
    public Stream arrivals() {
        return stream;
    }

    @Override
    public void close() {
        stream.drop();
        ManagedChannel open = channel.get();
        if (open != null) {
            open.shutdownNow();
        }
    }
}
