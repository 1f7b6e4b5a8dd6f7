package plugfest.agent;

import io.grpc.ManagedChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.a2aproject.sdk.client.Client;
import org.a2aproject.sdk.client.ClientEvent;
import org.a2aproject.sdk.client.MessageEvent;
import org.a2aproject.sdk.client.TaskEvent;
import org.a2aproject.sdk.client.TaskUpdateEvent;
import org.a2aproject.sdk.client.config.ClientConfig;
import org.a2aproject.sdk.client.http.A2AHttpClient;
import org.a2aproject.sdk.client.transport.grpc.GrpcTransport;
import org.a2aproject.sdk.client.transport.grpc.GrpcTransportConfigBuilder;
import org.a2aproject.sdk.client.transport.jsonrpc.JSONRPCTransport;
import org.a2aproject.sdk.client.transport.jsonrpc.JSONRPCTransportConfigBuilder;
import org.a2aproject.sdk.client.transport.rest.RestTransport;
import org.a2aproject.sdk.client.transport.rest.RestTransportConfigBuilder;
import org.a2aproject.sdk.client.transport.spi.interceptors.ClientCallContext;
import org.a2aproject.sdk.common.A2AHeaders;
import org.a2aproject.sdk.spec.A2AClientException;
import org.a2aproject.sdk.spec.AgentCard;
import org.a2aproject.sdk.spec.CancelTaskParams;
import org.a2aproject.sdk.spec.DeleteTaskPushNotificationConfigParams;
import org.a2aproject.sdk.spec.EventKind;
import org.a2aproject.sdk.spec.GetTaskPushNotificationConfigParams;
import org.a2aproject.sdk.spec.ListTaskPushNotificationConfigsParams;
import org.a2aproject.sdk.spec.ListTasksParams;
import org.a2aproject.sdk.jsonrpc.common.wrappers.ListTasksResult;
import org.a2aproject.sdk.spec.MessageSendParams;
import org.a2aproject.sdk.spec.StreamingEventKind;
import org.a2aproject.sdk.spec.Task;
import org.a2aproject.sdk.spec.TaskIdParams;
import org.a2aproject.sdk.spec.TaskPushNotificationConfig;
import org.a2aproject.sdk.spec.TaskQueryParams;

/** The SDK's 1.0 client. */
final class Caller10 implements Caller {

    private final Client client;
    private final Client unary;
    private final Stream stream = new Stream();
    private final ClientCallContext context;
    private final AtomicReference<ManagedChannel> channel = new AtomicReference<>();

    /** A client for a card that has one interface alone. */
    Caller10(AgentCard card, String binding, CallAs as, A2AHttpClient http) throws A2AClientException {
        this.context = new ClientCallContext(Map.of(), as.headers(A2AHeaders.A2A_EXTENSIONS));
        A2AHttpClient tapped = new TappedHttp(http, stream);
        this.client = build(card, binding, tapped, true);
        this.unary = build(card, binding, tapped, false);
    }

    private Client build(AgentCard card, String binding, A2AHttpClient http, boolean streaming)
            throws A2AClientException {
        var builder = Client.builder(card).clientConfig(new ClientConfig.Builder().setStreaming(streaming).build());
        switch (binding) {
            case Flags.JSONRPC ->
                builder.withTransport(JSONRPCTransport.class, new JSONRPCTransportConfigBuilder().httpClient(http));
            case Flags.HTTP_JSON ->
                builder.withTransport(RestTransport.class, new RestTransportConfigBuilder().httpClient(http));
            default -> builder.withTransport(
                    GrpcTransport.class,
                    new GrpcTransportConfigBuilder().channelFactory(address -> {
                        ManagedChannel open = channel.get();
                        return open != null ? open : CallAs.channels(stream, channel).apply(address);
                    }));
        }
        return builder.build();
    }

    @Override
    public EventKind send(MessageSendParams request) throws A2AClientException {
        AtomicReference<StreamingEventKind> answer = new AtomicReference<>();
        BiConsumer<ClientEvent, AgentCard> take = (event, card) -> answer.set(kind(event));
        unary.sendMessage(request, List.of(take), stream::problem, context);
        return (EventKind) answer.get();
    }

    @Override
    public void stream(MessageSendParams request) throws A2AClientException {
        client.sendMessage(request, List.of((event, card) -> stream.event(kind(event))), stream::problem, context);
    }

    @Override
    public void subscribe(String taskId) throws A2AClientException {
        client.subscribeToTask(
                new TaskIdParams(taskId),
                List.of((event, card) -> stream.event(kind(event))),
                stream::problem,
                context);
    }

    private static StreamingEventKind kind(ClientEvent event) {
        if (event instanceof TaskEvent task) {
            return task.getTask();
        }
        if (event instanceof MessageEvent message) {
            return message.getMessage();
        }
        return (StreamingEventKind) ((TaskUpdateEvent) event).getUpdateEvent();
    }

    @Override
    public Task getTask(String taskId, Integer historyLength) throws A2AClientException {
        return client.getTask(new TaskQueryParams(taskId, historyLength), context);
    }

    @Override
    public Task cancelTask(String taskId) throws A2AClientException {
        return client.cancelTask(new CancelTaskParams(taskId), context);
    }

    @Override
    public ListTasksResult listTasks(ListTasksParams request) throws A2AClientException {
        return client.listTasks(request, context);
    }

    @Override
    public TaskPushNotificationConfig createPushConfig(TaskPushNotificationConfig config) throws A2AClientException {
        return client.createTaskPushNotificationConfiguration(config, context);
    }

    @Override
    public TaskPushNotificationConfig getPushConfig(String taskId, String configId) throws A2AClientException {
        return client.getTaskPushNotificationConfiguration(
                new GetTaskPushNotificationConfigParams(taskId, configId), context);
    }

    @Override
    public List<TaskPushNotificationConfig> listPushConfigs(String taskId) throws A2AClientException {
        return client.listTaskPushNotificationConfigurations(new ListTaskPushNotificationConfigsParams(taskId), context)
                .configs();
    }

    @Override
    public void deletePushConfig(String taskId, String configId) throws A2AClientException {
        client.deleteTaskPushNotificationConfigurations(
                new DeleteTaskPushNotificationConfigParams(taskId, configId), context);
    }

    @Override
    public CardView extendedCard() throws A2AClientException {
        return CardView.of(client.getExtendedAgentCard(context));
    }

    @Override
    public Stream arrivals() {
        return stream;
    }

    @Override
    public void close() {
        stream.drop();
        client.close();
        unary.close();
        ManagedChannel open = channel.get();
        if (open != null) {
            open.shutdownNow();
        }
    }
}
