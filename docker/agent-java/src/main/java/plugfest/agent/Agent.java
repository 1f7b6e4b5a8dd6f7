package plugfest.agent;

import com.google.gson.JsonObject;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;

/** Says that it serves, and waits for the end. Quarkus calls it once its ports are open. */
public class Agent implements QuarkusApplication {

    @Override
    public int run(String... arguments) {
        JsonObject ready = new JsonObject();
        ready.addProperty("ready", true);
        ready.addProperty("name", Main.flags.name());
        ready.addProperty("card", Cards.baseUrl(Main.flags) + "/.well-known/agent-card.json");
        System.out.println(ready);
        System.out.flush();
        // Whatever a library prints from here on goes to stderr.
        System.setOut(System.err);
        Ending.withParent();
        Quarkus.waitForExit();
        return 0;
    }
}
