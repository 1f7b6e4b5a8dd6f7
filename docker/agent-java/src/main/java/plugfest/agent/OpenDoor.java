package plugfest.agent;

import io.quarkus.security.spi.runtime.AuthorizationController;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.interceptor.Interceptor;

/** The SDK's handlers ask for an authenticated caller wherever Quarkus' security is built in; without --auth nobody is asked. */
@Alternative
@Priority(Interceptor.Priority.LIBRARY_AFTER)
@ApplicationScoped
public class OpenDoor extends AuthorizationController {

    @Override
    public boolean isAuthorizationEnabled() {
        return Main.flags.auth();
    }
}
