package plugfest.agent;

import java.util.List;
import java.util.Optional;
import org.a2aproject.sdk.A2A;
import org.a2aproject.sdk.client.http.A2AHttpClient;
import org.a2aproject.sdk.client.http.A2AHttpClientFactory;
import org.a2aproject.sdk.compat03.A2A_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentCapabilities_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentCard_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentInterface_v0_3;
import org.a2aproject.sdk.spec.A2AClientException;
import org.a2aproject.sdk.spec.A2AClientJSONError;
import org.a2aproject.sdk.spec.AgentCard;
import org.a2aproject.sdk.spec.AgentInterface;

/** Another agent, by the card that its base URL has at this moment: a proxy can show each caller another. */
final class Peer {

    /** The SDK's default client. One for all calls, so that its connections are used again. */
    private static final A2AHttpClient HTTP = A2AHttpClientFactory.create();

    private final AgentCard card10;
    private final AgentCard_v0_3 card03;

    private Peer(AgentCard card10, AgentCard_v0_3 card03) {
        this.card10 = card10;
        this.card03 = card03;
    }

    /**
     * Resolves the card. The SDK has one resolver for each version of the card; a card that the 1.0
     * resolver finds without interfaces is one of 0.3.
     */
    static Peer open(String baseUrl) throws Exception {
        AgentCard card = null;
        try {
            card = A2A.getAgentCard(HTTP, baseUrl);
        } catch (A2AClientJSONError | IllegalArgumentException notOf10) {
            // A card of 0.3 lacks what the 1.0 resolver insists on.
        }
        return card != null && !card.supportedInterfaces().isEmpty()
                ? new Peer(card, null)
                : new Peer(null, A2A_v0_3.getAgentCard(HTTP, baseUrl));
    }

    CardView view() {
        return card10 != null ? CardView.of(card10) : CardView.of(card03);
    }

    Caller caller(String binding, String version, CallAs as) throws A2AClientException {
        return find(binding, version, as).orElseThrow(() -> new NoMatchingInterface("'" + view().name() + "' offers no "
                + binding + " " + version + "; its card lists " + String.join(", ", offered())));
    }

    /** The newest version that the card has for a binding. */
    Caller newestCaller(String binding) throws A2AClientException {
        Optional<Caller> newest = find(binding, Flags.V10, CallAs.NOBODY);
        return newest.isPresent() ? newest.get() : caller(binding, Flags.V03, CallAs.NOBODY);
    }

    private Optional<Caller> find(String binding, String version, CallAs as) throws A2AClientException {
        if (!Flags.BINDINGS.contains(binding)) {
            throw new UnsupportedByClient("this client speaks " + String.join(", ", Flags.BINDINGS) + ", not '" + binding + "'");
        }
        if (card10 == null) {
            return version.equals(Flags.V03) ? legacyUrl(binding).map(url -> caller03(card03, binding, url, as)) : Optional.empty();
        }
        for (AgentInterface one : card10.supportedInterfaces()) {
            if (!one.protocolBinding().equals(binding) || !isVersion(one.protocolVersion(), version)) {
                continue;
            }
            return Optional.of(version.equals(Flags.V03)
                    ? caller03(legacyCard(card10, one), binding, one.url(), as)
                    : new Caller10(AgentCard.builder(card10).supportedInterfaces(List.of(one)).build(), binding, as, HTTP));
        }
        return Optional.empty();
    }

    private static boolean isVersion(String listed, String asked) {
        return listed.equals(asked) || listed.startsWith(asked + ".");
    }

    private Optional<String> legacyUrl(String binding) {
        if (card03.preferredTransport().equals(binding)) {
            return Optional.of(card03.url());
        }
        List<AgentInterface_v0_3> more = card03.additionalInterfaces();
        return more == null
                ? Optional.empty()
                : more.stream().filter(one -> one.transport().equals(binding)).map(AgentInterface_v0_3::url).findFirst();
    }

    private List<String> offered() {
        if (card10 == null) {
            return view().bindings().stream().map(binding -> binding + " " + card03.protocolVersion()).toList();
        }
        return card10.supportedInterfaces().stream()
                .map(one -> one.protocolBinding() + " " + one.protocolVersion())
                .toList();
    }

    private static Caller caller03(AgentCard_v0_3 card, String binding, String url, CallAs as) {
        AgentCard_v0_3 narrowed = new AgentCard_v0_3.Builder()
                .name(card.name())
                .description(card.description())
                .version(card.version())
                .protocolVersion(card.protocolVersion())
                .url(url)
                .preferredTransport(binding)
                .capabilities(card.capabilities())
                .defaultInputModes(card.defaultInputModes())
                .defaultOutputModes(card.defaultOutputModes())
                .skills(card.skills())
                .supportsAuthenticatedExtendedCard(card.supportsAuthenticatedExtendedCard())
                .build();
        return new Caller03(narrowed, binding, as, HTTP);
    }

    /** A card of 0.3 for one interface of a 1.0 card; the 0.3 client takes no other. */
    private static AgentCard_v0_3 legacyCard(AgentCard card, AgentInterface one) {
        return new AgentCard_v0_3.Builder()
                .name(card.name())
                .description(card.description())
                .version(card.version())
                .protocolVersion(one.protocolVersion())
                .url(one.url())
                .preferredTransport(one.protocolBinding())
                .capabilities(new AgentCapabilities_v0_3(
                        card.capabilities().streaming(), card.capabilities().pushNotifications(), false, List.of()))
                .defaultInputModes(card.defaultInputModes())
                .defaultOutputModes(card.defaultOutputModes())
                .skills(List.of())
                .supportsAuthenticatedExtendedCard(card.capabilities().extendedAgentCard())
                .build();
    }
}
