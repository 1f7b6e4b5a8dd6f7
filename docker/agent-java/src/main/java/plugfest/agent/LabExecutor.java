package plugfest.agent;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.a2aproject.sdk.server.agentexecution.AgentExecutor;
import org.a2aproject.sdk.server.agentexecution.RequestContext;
import org.a2aproject.sdk.server.tasks.AgentEmitter;
import org.a2aproject.sdk.spec.Message;
import org.a2aproject.sdk.spec.MessageSendConfiguration;
import plugfest.itk.Instruction;

/** The agent behind the SDK's server: applies the rules of docs/lab-agents.md, in their order. */
@ApplicationScoped
public class LabExecutor implements AgentExecutor {

    private final Map<String, Outlet> talking = new ConcurrentHashMap<>();
    private final Map<String, Behaviour> resumes = new ConcurrentHashMap<>();

    @Override
    public void execute(RequestContext context, AgentEmitter emitter) {
        Outlet outlet = new Outlet(context, emitter);
        String taskId = context.getTaskId();
        talking.put(taskId, outlet);
        try {
            act(context, outlet);
        } catch (Outlet.Closed cancelled) {
            // The last word is said.
        } finally {
            talking.remove(taskId, outlet);
        }
    }

    @Override
    public void cancel(RequestContext context, AgentEmitter emitter) {
        resumes.remove(context.getTaskId());
        Outlet running = talking.get(context.getTaskId());
        if (running != null) {
            running.close();
        }
        emitter.cancel();
    }

    private void act(RequestContext context, Outlet outlet) {
        Message message = context.getMessage();
        Optional<Instruction> instruction = Itk.find(message.parts());
        if (instruction.isPresent()) {
            ItkWalk.carryOut(instruction.get(), outlet);
            return;
        }
        Optional<Fields> drive = Drive.find(message.parts());
        if (drive.isPresent()) {
            Drive.answer(drive.get(), outlet);
            return;
        }
        String text = Parts.firstText(message.parts());
        String taskId = context.getTaskId();
        boolean waits = context.getTask() != null && context.getTask().status().state().isInterrupted();
        Behaviours.Choice choice;
        if (waits) {
            Behaviour next = resumes.remove(taskId);
            choice = new Behaviours.Choice(next == null ? Behaviours::resume : next, text);
        } else {
            choice = Behaviours.choose(message.messageId(), text);
        }
        MessageSendConfiguration configuration = context.getConfiguration();
        List<String> modes = configuration == null || configuration.acceptedOutputModes() == null
                ? List.of()
                : configuration.acceptedOutputModes();
        choice.behaviour().act(new Turn(
                outlet, text, choice.rest(), message.parts(), modes, next -> resumes.put(taskId, next)));
    }
}
