package sdk

import (
	"context"
	"slices"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"plugfest/agent/lab"
)

// peer is another agent, its card read by the SDK's resolver.
type peer struct{ card *a2a.AgentCard }

var _ lab.Peer = (*peer)(nil)

func dial(ctx context.Context, baseURL string) (lab.Peer, error) {
	resolver := agentcard.Resolver{CardParser: a2av0.NewAgentCardParser()}
	card, err := resolver.Resolve(ctx, baseURL)
	if err != nil {
		return nil, err
	}
	return &peer{card}, nil
}

func (peer *peer) Card() lab.Event { return cardEvent(peer.card) }

func (peer *peer) Interfaces() []lab.Interface { return readInterfaces(peer.card) }

func (peer *peer) Connect(ctx context.Context, chosen lab.Interface, wishes lab.Wishes) (lab.Client, error) {
	narrowed := *peer.card
	narrowed.SupportedInterfaces = slices.DeleteFunc(slices.Clone(peer.card.SupportedInterfaces), func(one *a2a.AgentInterface) bool {
		return readInterface(one) != chosen
	})
	clearText := grpc.WithTransportCredentials(insecure.NewCredentials())
	made, err := a2aclient.NewFromCard(ctx, &narrowed,
		a2av0.WithJSONRPCTransport(a2av0.JSONRPCTransportConfig{}),
		a2av0.WithRESTTransport(a2av0.RESTTransportConfig{}),
		grpcv1.WithGRPCTransport(clearText),
		grpcv0.WithGRPCTransport(clearText),
	)
	if err != nil {
		return nil, err
	}
	params := a2aclient.ServiceParams{}
	if wishes.Token != "" {
		params["Authorization"] = []string{"Bearer " + wishes.Token}
	}
	if len(wishes.Extensions) > 0 {
		params[a2a.SvcParamExtensions] = wishes.Extensions
	}
	return &client{client: made, params: params, binding: chosen.Binding}, nil
}

func cardEvent(card *a2a.AgentCard) lab.Event {
	var skills []string
	for _, skill := range card.Skills {
		skills = append(skills, skill.ID)
	}
	return lab.CardEvent(card.Name, readInterfaces(card), skills)
}

func readInterfaces(card *a2a.AgentCard) []lab.Interface {
	var read []lab.Interface
	for _, one := range card.SupportedInterfaces {
		read = append(read, readInterface(one))
	}
	return read
}

func readInterface(one *a2a.AgentInterface) lab.Interface {
	return lab.Interface{URL: one.URL, Binding: string(one.ProtocolBinding), Version: string(one.ProtocolVersion)}
}
