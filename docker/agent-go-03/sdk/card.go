package sdk

import (
	"context"
	"slices"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2asrv"

	"plugfest/agent/lab"
)

var mediaTypes = []string{"text/plain", "application/json"}

func publicCard(flags lab.Flags, at lab.Addresses) *a2a.AgentCard {
	offered := interfaces(flags, at)
	card := &a2a.AgentCard{
		Name:                 flags.Name,
		Description:          "Plugfest lab agent on the official Go SDK for A2A 0.3. It does what a message tells it to do.",
		Version:              "1.0.0",
		ProtocolVersion:      "0.3.0",
		URL:                  offered[0].URL,
		PreferredTransport:   offered[0].Transport,
		AdditionalInterfaces: offered,
		Capabilities:         a2a.AgentCapabilities{Streaming: true, PushNotifications: true},
		// Instructions of the interop kit come as a file.
		DefaultInputModes:                 append(slices.Clone(mediaTypes), lab.InstructionMediaType),
		DefaultOutputModes:                mediaTypes,
		SupportsAuthenticatedExtendedCard: flags.ExtendedCard,
		Skills: []a2a.AgentSkill{{
			ID:          "lab",
			Name:        "Lab",
			Description: "Plays the behaviour that the text, the message id or a data part selects.",
			Tags:        []string{"plugfest", "lab"},
			Examples:    []string{"plugfest-echo hello"},
		}},
	}
	if flags.Bearer {
		card.SecuritySchemes = a2a.NamedSecuritySchemes{"bearer": a2a.HTTPAuthSecurityScheme{Scheme: "bearer"}}
		card.Security = []a2a.SecurityRequirements{{"bearer": {}}}
	}
	return card
}

func interfaces(flags lab.Flags, at lab.Addresses) []a2a.AgentInterface {
	var listed []a2a.AgentInterface
	if flags.Offers(lab.JSONRPC) {
		listed = append(listed, a2a.AgentInterface{Transport: a2a.TransportProtocolJSONRPC, URL: at.HTTP + jsonrpcPath})
	}
	if flags.Offers(lab.GRPC) {
		listed = append(listed, a2a.AgentInterface{Transport: a2a.TransportProtocolGRPC, URL: at.GRPC})
	}
	return listed
}

// signed is the card with a signature. The extended card, which has other content, is made of the card without.
func signed(card *a2a.AgentCard, signer *lab.Signer) (*a2a.AgentCard, error) {
	made, err := signer.Sign(a2asrv.NewStaticAgentCardHandler(card))
	with := *card
	with.Signatures = []a2a.AgentCardSignature{{Protected: made.Protected, Signature: made.Signature}}
	return &with, err
}

// extendedCard has one more skill, which names who asks.
func extendedCard(card *a2a.AgentCard) a2asrv.AgentCardProducer {
	return a2asrv.AgentCardProducerFn(func(ctx context.Context) (*a2a.AgentCard, error) {
		call, known := a2asrv.CallContextFrom(ctx)
		if !known || !call.User.Authenticated() {
			return nil, a2a.ErrUnauthenticated
		}
		extended := *card
		extended.Skills = append(slices.Clone(card.Skills), a2a.AgentSkill{
			ID:          "lab-extended",
			Name:        "Lab, extended",
			Description: "Shown to " + call.User.Name() + ".",
			Tags:        []string{"plugfest", "lab"},
		})
		return &extended, nil
	})
}
