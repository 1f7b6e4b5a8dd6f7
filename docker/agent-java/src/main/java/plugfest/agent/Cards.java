package plugfest.agent;

import io.quarkus.arc.Arc;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.a2aproject.sdk.compat03.json.JsonProcessingException_v0_3;
import org.a2aproject.sdk.compat03.json.JsonUtil_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentCapabilities_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentCardSignature_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentCard_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentInterface_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentSkill_v0_3;
import org.a2aproject.sdk.compat03.spec.HTTPAuthSecurityScheme_v0_3;
import org.a2aproject.sdk.jsonrpc.common.json.JsonProcessingException;
import org.a2aproject.sdk.jsonrpc.common.json.JsonUtil;
import org.a2aproject.sdk.server.ExtendedAgentCard;
import org.a2aproject.sdk.server.PublicAgentCard;
import org.a2aproject.sdk.spec.AgentCapabilities;
import org.a2aproject.sdk.spec.AgentCard;
import org.a2aproject.sdk.spec.AgentCardSignature;
import org.a2aproject.sdk.spec.AgentInterface;
import org.a2aproject.sdk.spec.AgentSkill;
import org.a2aproject.sdk.spec.Compat03Fields;
import org.a2aproject.sdk.spec.HTTPAuthSecurityScheme;
import org.a2aproject.sdk.spec.SecurityRequirement;

/** The agent's cards, as beans that the SDK's server looks for. */
@ApplicationScoped
public class Cards {

    private static final List<String> MODES = List.of("text/plain", "application/json");
    private static final String DESCRIPTION = "Plugfest's lab agent on the official Java SDK: it does what it is told.";
    private static final String VERSION = "1.0.0";
    private static final String SCHEME = "bearer";
    private static final String SKILL_NAME = "Lab";
    private static final String SKILL_DESCRIPTION = "Echoes, streams, waits, fails and calls other agents on order.";
    private static final List<String> SKILL_TAGS = List.of("lab", "interop");
    private static final List<String> SKILL_EXAMPLES = List.of("plugfest-echo hello");

    static String baseUrl(Flags flags) {
        return "http://" + authority(flags);
    }

    private static String authority(Flags flags) {
        String host = flags.host();
        if (host.equals("0.0.0.0") || host.equals("::")) {
            try {
                // An agent that listens on all addresses is reached by its host name, as in a compose network.
                host = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException unnamed) {
                host = "localhost";
            }
        }
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + flags.port();
    }

    /** Where a binding is served: gRPC as host:port, the others as URLs. */
    private static String address(Flags flags, String binding) {
        return switch (binding) {
            case Flags.JSONRPC -> baseUrl(flags) + Gate.JSONRPC_PATH;
            case Flags.HTTP_JSON -> baseUrl(flags) + Gate.REST_PATH;
            default -> authority(flags);
        };
    }

    @Produces
    @Singleton
    @PublicAgentCard
    public AgentCard card(CardSigner signer) throws JsonProcessingException {
        AgentCard.Builder card = card(Main.flags, List.of(skill()));
        AgentCard unsigned = card.build();
        if (!Main.flags.signCard()) {
            return unsigned;
        }
        CardSigner.Made made = signer.sign(JsonUtil.toJson(unsigned));
        // By the same builder, as the SDK's copy of a card has members that were not signed: empty lists for what is not set.
        return card.signatures(List.of(new AgentCardSignature(null, made.protectedHeader(), made.signature())))
                .build();
    }

    /** Made anew for each call, so that it can name who asks. */
    @Produces
    @Dependent
    @ExtendedAgentCard
    public AgentCard extendedCard(SecurityIdentity caller) {
        AgentSkill extended = AgentSkill.builder()
                .id("lab-extended")
                .name("Lab, extended")
                .description("Seen by " + principal(caller) + ".")
                .tags(SKILL_TAGS)
                .examples(SKILL_EXAMPLES)
                .build();
        return card(Main.flags, List.of(skill(), extended)).build();
    }

    /** The SDK's gRPC handlers take the card once, at the start, when nobody calls. */
    private static String principal(SecurityIdentity caller) {
        if (!Arc.container().requestContext().isActive() || caller.isAnonymous()) {
            return "nobody known";
        }
        return caller.getPrincipal().getName();
    }

    private static AgentCard.Builder card(Flags flags, List<AgentSkill> skills) {
        List<AgentInterface> interfaces = new ArrayList<>();
        for (String version : flags.versions()) {
            for (String binding : flags.bindings()) {
                interfaces.add(new AgentInterface(binding, address(flags, binding), null, version));
            }
        }
        AgentCard.Builder card = AgentCard.builder()
                .name(flags.name())
                .description(DESCRIPTION)
                .version(VERSION)
                .supportedInterfaces(interfaces)
                .capabilities(AgentCapabilities.builder()
                        .streaming(true)
                        .pushNotifications(true)
                        .extendedAgentCard(flags.extendedCard())
                        .build())
                .defaultInputModes(MODES)
                .defaultOutputModes(MODES)
                .skills(skills);
        if (flags.auth()) {
            card.securitySchemes(Map.of(SCHEME, HTTPAuthSecurityScheme.builder().scheme("bearer").build()))
                    .securityRequirements(List.of(SecurityRequirement.builder().scheme(SCHEME, List.of()).build()));
        }
        if (flags.offersVersion(Flags.V03)) {
            String preferred = flags.bindings().get(0);
            List<AgentInterface> legacy =
                    interfaces.stream().filter(one -> one.protocolVersion().equals(Flags.V03)).toList();
            // The SDK's way to let one card serve the clients of both versions.
            Compat03Fields.addCompat03FieldsIfAvailable(card, legacy, address(flags, preferred), preferred);
        }
        return card;
    }

    private static AgentSkill skill() {
        return AgentSkill.builder()
                .id("lab")
                .name(SKILL_NAME)
                .description(SKILL_DESCRIPTION)
                .tags(SKILL_TAGS)
                .examples(SKILL_EXAMPLES)
                .build();
    }

    @Produces
    @Singleton
    @PublicAgentCard
    public AgentCard_v0_3 card03(CardSigner signer) throws JsonProcessingException_v0_3 {
        List<AgentSkill_v0_3> skills = List.of(skill03("lab", SKILL_NAME, SKILL_DESCRIPTION));
        AgentCard_v0_3 card = card03(Main.flags, skills, null);
        if (!Main.flags.signCard()) {
            return card;
        }
        CardSigner.Made made = signer.sign(JsonUtil_v0_3.toJson(card));
        return card03(Main.flags, skills,
                List.of(new AgentCardSignature_v0_3(null, made.protectedHeader(), made.signature())));
    }

    @Produces
    @Dependent
    @ExtendedAgentCard
    public AgentCard_v0_3 extendedCard03(SecurityIdentity caller) {
        return card03(Main.flags, List.of(
                skill03("lab", SKILL_NAME, SKILL_DESCRIPTION),
                skill03("lab-extended", "Lab, extended", "Seen by " + principal(caller) + ".")), null);
    }

    private static AgentCard_v0_3 card03(
            Flags flags, List<AgentSkill_v0_3> skills, List<AgentCardSignature_v0_3> signatures) {
        String preferred = flags.bindings().get(0);
        AgentCard_v0_3.Builder card = new AgentCard_v0_3.Builder()
                .name(flags.name())
                .description(DESCRIPTION)
                .version(VERSION)
                .protocolVersion("0.3.0")
                .url(address(flags, preferred))
                .preferredTransport(preferred)
                .additionalInterfaces(flags.bindings().stream()
                        .map(binding -> new AgentInterface_v0_3(binding, address(flags, binding)))
                        .toList())
                .capabilities(new AgentCapabilities_v0_3(true, true, false, List.of()))
                .defaultInputModes(MODES)
                .defaultOutputModes(MODES)
                .supportsAuthenticatedExtendedCard(flags.extendedCard())
                .signatures(signatures)
                .skills(skills);
        if (flags.auth()) {
            card.securitySchemes(Map.of(SCHEME, new HTTPAuthSecurityScheme_v0_3.Builder().scheme("bearer").build()))
                    .security(List.of(Map.of(SCHEME, List.of())));
        }
        return card.build();
    }

    private static AgentSkill_v0_3 skill03(String id, String name, String description) {
        return new AgentSkill_v0_3.Builder()
                .id(id)
                .name(name)
                .description(description)
                .tags(SKILL_TAGS)
                .examples(SKILL_EXAMPLES)
                .build();
    }
}
