package plugfest.agent;

import io.vertx.core.Handler;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.a2aproject.sdk.compat03.json.JsonProcessingException_v0_3;
import org.a2aproject.sdk.compat03.json.JsonUtil_v0_3;
import org.a2aproject.sdk.compat03.server.apps.quarkus.A2AServerRoutes_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentCard_v0_3;
import org.a2aproject.sdk.server.PublicAgentCard;
import org.a2aproject.sdk.server.apps.quarkus.A2AServerRoutes;
import org.a2aproject.sdk.server.common.quarkus.VertxSecurityHelper;

/**
 * What of the SDK's routes the outside can reach, and where. The SDK serves every binding at the root
 * in the versions that were built in; the contract wants JSON-RPC at /jsonrpc, HTTP+JSON at /rest, and
 * no more than the flags offer. With both versions the SDK's own version routing answers.
 */
@Singleton
public class Gate {

    static final String JSONRPC_PATH = "/jsonrpc";
    static final String REST_PATH = "/rest";
    private static final String CARD_PATH = "/.well-known/agent-card.json";
    private static final String PASSED = Gate.class.getName();
    /** Package of the gRPC service: 1.0 and 0.3 differ in it. */
    private static final String GRPC_10 = "/lf.a2a.v1.A2AService/";
    private static final String GRPC_03 = "/a2a.v1.A2AService/";

    @Inject
    A2AServerRoutes routes10;

    @Inject
    A2AServerRoutes_v0_3 routes03;

    @Inject
    VertxSecurityHelper security;

    @Inject
    @PublicAgentCard
    AgentCard_v0_3 card03;

    @Inject
    CardSigner signer;

    void open(@Observes Router router) {
        Flags flags = Main.flags;
        router.route().order(-1000).handler(this::pass);
        if (flags.versions().size() == 1) {
            boolean is10 = flags.offersVersion(Flags.V10);
            // What the SDK's single-version server does at its root.
            router.post("/").order(-900).handler(BodyHandler.create()).blockingHandler(single(is10), false);
        }
        if (flags.signCard()) {
            router.get(CardSigner.KEYS_PATH).order(-900).handler(call ->
                    call.response().putHeader("Content-Type", "application/json").end(signer.keys()));
        }
        if (!flags.offersVersion(Flags.V10)) {
            router.get(CARD_PATH).order(-900).handler(this::serveCard03);
        }
    }

    private void pass(RoutingContext call) {
        if (call.get(PASSED) != null) {
            call.next();
            return;
        }
        String inner = innerPath(call.normalizedPath());
        if (inner == null) {
            call.response().setStatusCode(404).end();
            return;
        }
        call.put(PASSED, true);
        if (inner.equals(call.normalizedPath())) {
            call.next();
            return;
        }
        String query = call.request().query();
        call.reroute(query == null ? inner : inner + "?" + query);
    }

    /** Where the SDK serves what the path asks for; null where the flags offer nothing. */
    private static String innerPath(String path) {
        Flags flags = Main.flags;
        if (path.equals(CARD_PATH) || flags.signCard() && path.equals(CardSigner.KEYS_PATH)) {
            return path;
        }
        if (path.equals(JSONRPC_PATH) || path.equals(JSONRPC_PATH + "/")) {
            return flags.bindings().contains(Flags.JSONRPC) ? "/" : null;
        }
        if (path.startsWith(REST_PATH + "/")) {
            String inner = path.substring(REST_PATH.length());
            String version = inner.startsWith("/v1/") ? Flags.V03 : Flags.V10;
            return flags.offers(Flags.HTTP_JSON, version) ? inner : null;
        }
        if (path.startsWith(GRPC_10) || path.startsWith(GRPC_03)) {
            String version = path.startsWith(GRPC_10) ? Flags.V10 : Flags.V03;
            return flags.offers(Flags.GRPC, version) ? path : null;
        }
        return null;
    }

    private Handler<RoutingContext> single(boolean is10) {
        return call -> {
            try {
                security.runInRequestContextDeferred(call, () -> {
                    String body = call.body().asString();
                    if (is10) {
                        routes10.invokeJSONRPCHandler(body, call);
                    } else {
                        routes03.invokeJSONRPCHandler(body, call);
                    }
                });
            } catch (UnauthorizedException | ForbiddenException refused) {
                security.handleAuthError(call, refused);
            } catch (RuntimeException unforeseen) {
                VertxSecurityHelper.handleGenericError(call);
            }
        };
    }

    private void serveCard03(RoutingContext call) {
        try {
            String body = JsonUtil_v0_3.toJson(card03);
            call.response().putHeader("Content-Type", "application/json").end(body);
        } catch (JsonProcessingException_v0_3 unforeseen) {
            call.fail(unforeseen);
        }
    }
}
