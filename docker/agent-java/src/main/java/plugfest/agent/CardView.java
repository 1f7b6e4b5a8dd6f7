package plugfest.agent;

import java.util.List;
import org.a2aproject.sdk.compat03.spec.AgentCard_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentInterface_v0_3;
import org.a2aproject.sdk.compat03.spec.AgentSkill_v0_3;
import org.a2aproject.sdk.spec.AgentCard;
import org.a2aproject.sdk.spec.AgentInterface;
import org.a2aproject.sdk.spec.AgentSkill;

/** What a drive result tells of a card. */
record CardView(String name, List<String> versions, List<String> bindings, List<String> skills) {

    static CardView of(AgentCard card) {
        List<AgentInterface> interfaces = card.supportedInterfaces();
        return new CardView(
                card.name(),
                interfaces.stream().map(AgentInterface::protocolVersion).distinct().toList(),
                interfaces.stream().map(AgentInterface::protocolBinding).distinct().toList(),
                card.skills().stream().map(AgentSkill::id).toList());
    }

    static CardView of(AgentCard_v0_3 card) {
        List<AgentInterface_v0_3> more = card.additionalInterfaces() == null ? List.of() : card.additionalInterfaces();
        return new CardView(
                card.name(),
                List.of(card.protocolVersion()),
                java.util.stream.Stream.concat(
                                java.util.stream.Stream.of(card.preferredTransport()),
                                more.stream().map(AgentInterface_v0_3::transport))
                        .distinct()
                        .toList(),
                card.skills().stream().map(AgentSkill_v0_3::id).toList());
    }
}
