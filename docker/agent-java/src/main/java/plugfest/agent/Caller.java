package plugfest.agent;

import java.util.List;
import org.a2aproject.sdk.spec.EventKind;
import org.a2aproject.sdk.spec.ListTasksParams;
import org.a2aproject.sdk.jsonrpc.common.wrappers.ListTasksResult;
import org.a2aproject.sdk.spec.MessageSendParams;
import org.a2aproject.sdk.spec.Task;
import org.a2aproject.sdk.spec.TaskPushNotificationConfig;

/** The SDK's client for one interface of a card, in the words of 1.0 whatever version it speaks. */
interface Caller extends AutoCloseable {

    EventKind send(MessageSendParams request) throws Exception;

    void stream(MessageSendParams request) throws Exception;

    void subscribe(String taskId) throws Exception;

    Task getTask(String taskId, Integer historyLength) throws Exception;

    Task cancelTask(String taskId) throws Exception;

    ListTasksResult listTasks(ListTasksParams request) throws Exception;

    TaskPushNotificationConfig createPushConfig(TaskPushNotificationConfig config) throws Exception;

    TaskPushNotificationConfig getPushConfig(String taskId, String configId) throws Exception;

    List<TaskPushNotificationConfig> listPushConfigs(String taskId) throws Exception;

    void deletePushConfig(String taskId, String configId) throws Exception;

    CardView extendedCard() throws Exception;

    /** What arrives of {@link #stream} and {@link #subscribe}. */
    Stream arrivals();

    @Override
    void close();
}
