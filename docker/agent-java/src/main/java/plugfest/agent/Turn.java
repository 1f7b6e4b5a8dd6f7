package plugfest.agent;

import java.util.List;
import java.util.function.Consumer;
import org.a2aproject.sdk.spec.Part;

/**
 * One message to the agent.
 *
 * @param text the text of the first text part
 * @param rest what follows the prefix in the text, trimmed; empty when the message id held the prefix
 * @param outputModes what the caller accepts; empty when it did not say
 * @param resumeWith names the behaviour that the next message to this task resumes
 */
record Turn(
        Outlet out, String text, String rest, List<Part<?>> parts, List<String> outputModes, Consumer<Behaviour> resumeWith) {}
