package sdk

import (
	"context"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"
	"github.com/a2aproject/a2a-go/a2aclient/agentcard"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"plugfest/agent/lab"
)

const extensionsHeader = "X-A2A-Extensions"

// peer is another agent, its card read by the SDK's resolver.
type peer struct{ card *a2a.AgentCard }

var _ lab.Peer = (*peer)(nil)

func dial(ctx context.Context, baseURL string) (lab.Peer, error) {
	card, err := agentcard.DefaultResolver.Resolve(ctx, baseURL)
	if err != nil {
		return nil, err
	}
	return &peer{card}, nil
}

func (peer *peer) Card() lab.Event { return cardEvent(peer.card) }

func (peer *peer) Interfaces() []lab.Interface { return readInterfaces(peer.card) }

func (peer *peer) Connect(ctx context.Context, chosen lab.Interface, wishes lab.Wishes) (lab.Client, error) {
	narrowed := *peer.card
	narrowed.URL, narrowed.PreferredTransport = chosen.URL, a2a.TransportProtocol(chosen.Binding)
	narrowed.AdditionalInterfaces = nil
	meta := a2aclient.CallMeta{}
	if wishes.Token != "" {
		meta.Append("Authorization", "Bearer "+wishes.Token)
	}
	if len(wishes.Extensions) > 0 {
		meta.Append(extensionsHeader, wishes.Extensions...)
	}
	made, err := a2aclient.NewFromCard(ctx, &narrowed,
		a2aclient.WithGRPCTransport(grpc.WithTransportCredentials(insecure.NewCredentials())),
		a2aclient.WithInterceptors(a2aclient.NewStaticCallMetaInjector(meta)),
	)
	if err != nil {
		return nil, err
	}
	return &client{client: made, binding: chosen.Binding, extendedCard: peer.card.SupportsAuthenticatedExtendedCard}, nil
}

func cardEvent(card *a2a.AgentCard) lab.Event {
	var skills []string
	for _, skill := range card.Skills {
		skills = append(skills, skill.ID)
	}
	return lab.CardEvent(card.Name, readInterfaces(card), skills)
}

// readInterfaces gives nothing for a card that has no members of 0.3.
func readInterfaces(card *a2a.AgentCard) []lab.Interface {
	var read []lab.Interface
	if card.URL != "" {
		binding := string(card.PreferredTransport)
		if binding == "" {
			binding = lab.JSONRPC // 0.3 section 5.5: the default
		}
		read = append(read, lab.Interface{URL: card.URL, Binding: binding, Version: card.ProtocolVersion})
	}
	for _, one := range card.AdditionalInterfaces {
		if one.URL == card.URL && one.Transport == card.PreferredTransport {
			continue
		}
		read = append(read, lab.Interface{URL: one.URL, Binding: string(one.Transport), Version: card.ProtocolVersion})
	}
	return read
}
