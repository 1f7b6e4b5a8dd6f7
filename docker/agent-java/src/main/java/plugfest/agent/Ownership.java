package plugfest.agent;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.a2aproject.sdk.server.ServerCallContext;
import org.a2aproject.sdk.server.auth.TaskAuthorizationProvider;
import org.a2aproject.sdk.server.auth.TaskOperation;

/** Whose task is whose, by the means that the SDK has for that. Without --auth every task is everybody's. */
@ApplicationScoped
public class Ownership implements TaskAuthorizationProvider {

    private final Map<String, String> ownerByTask = new ConcurrentHashMap<>();

    @Override
    public boolean checkRead(ServerCallContext context, String taskId, TaskOperation operation) {
        return !Main.flags.auth() || context.getUser().getUsername().equals(ownerByTask.get(taskId));
    }

    @Override
    public boolean checkWrite(ServerCallContext context, String taskId, TaskOperation operation) {
        return checkRead(context, taskId, operation);
    }

    @Override
    public boolean checkCreate(ServerCallContext context, TaskOperation operation) {
        return !Main.flags.auth() || context.getUser().isAuthenticated();
    }

    @Override
    public boolean isTaskRecorded(String taskId) {
        return !Main.flags.auth() || ownerByTask.containsKey(taskId);
    }

    @Override
    public void recordOwnership(ServerCallContext context, String taskId, TaskOperation operation) {
        ownerByTask.putIfAbsent(taskId, context.getUser().getUsername());
    }
}
