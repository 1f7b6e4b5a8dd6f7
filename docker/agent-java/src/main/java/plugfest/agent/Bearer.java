package plugfest.agent;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.security.identity.request.BaseAuthenticationRequest;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.IdentityProvider;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;

/** Bearer tokens of LAB_AGENT_TOKENS, as a mechanism of Quarkus, which the SDK asks who calls. */
@ApplicationScoped
public class Bearer implements HttpAuthenticationMechanism, IdentityProvider<Bearer.Token> {

    /** What a caller showed. */
    public static final class Token extends BaseAuthenticationRequest {
        final String value;

        Token(String value) {
            this.value = value;
        }
    }

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext call, IdentityProviderManager identities) {
        String header = call.request().getHeader("Authorization");
        if (!Main.flags.auth() || header == null || !header.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return Uni.createFrom().nullItem();
        }
        return identities.authenticate(new Token(header.substring(7).strip()));
    }

    @Override
    public Uni<SecurityIdentity> authenticate(Token token, AuthenticationRequestContext context) {
        return Main.flags.principals().holderOf(token.value)
                .map(name -> Uni.createFrom().item((SecurityIdentity) QuarkusSecurityIdentity.builder()
                        .setPrincipal(new QuarkusPrincipal(name))
                        .build()))
                .orElseGet(() -> Uni.createFrom().failure(new AuthenticationFailedException("unknown token")));
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext call) {
        return Uni.createFrom().item(new ChallengeData(401, "WWW-Authenticate", "Bearer"));
    }

    @Override
    public Class<Token> getRequestType() {
        return Token.class;
    }

    @Override
    public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
        return Set.of(Token.class);
    }
}
