package sdk

import (
	"context"
	"slices"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"plugfest/agent/lab"
)

var mediaTypes = []string{"text/plain", "application/json"}

func publicCard(flags lab.Flags, at lab.Addresses) *a2a.AgentCard {
	card := &a2a.AgentCard{
		Name:                flags.Name,
		Description:         "Plugfest lab agent on the official Go SDK. It does what a message tells it to do.",
		Version:             "1.0.0",
		SupportedInterfaces: interfaces(flags, at),
		Capabilities: a2a.AgentCapabilities{
			Streaming: true, PushNotifications: true, ExtendedAgentCard: flags.ExtendedCard,
		},
		// Instructions of the interop kit come as a file.
		DefaultInputModes:  append(slices.Clone(mediaTypes), lab.InstructionMediaType),
		DefaultOutputModes: mediaTypes,
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
		card.SecurityRequirements = a2a.SecurityRequirementsOptions{{"bearer": {}}}
	}
	return card
}

func interfaces(flags lab.Flags, at lab.Addresses) []*a2a.AgentInterface {
	var listed []*a2a.AgentInterface
	for _, version := range flags.Versions {
		for _, binding := range Offer.Bindings {
			if !flags.Offers(binding) {
				continue
			}
			url := at.GRPC
			if binding != lab.GRPC {
				url = at.HTTP + httpPath(flags, binding, version)
			}
			one := a2a.NewAgentInterface(url, a2a.TransportProtocol(binding))
			one.ProtocolVersion = a2a.ProtocolVersion(version)
			listed = append(listed, one)
		}
	}
	return listed
}

// signed is the card with a signature. The extended card, which has other content, is made of the card without.
func signed(flags lab.Flags, card *a2a.AgentCard, signer *lab.Signer) (*a2a.AgentCard, error) {
	made, err := signer.Sign(cardHandler(flags, card))
	with := *card
	with.Signatures = []a2a.AgentCardSignature{{Protected: made.Protected, Signature: made.Signature}}
	return &with, err
}

// extendedCard has one more skill, which names who asks.
func extendedCard(card *a2a.AgentCard) a2asrv.ExtendedAgentCardProducer {
	produce := func(ctx context.Context, _ *a2a.GetExtendedAgentCardRequest) (*a2a.AgentCard, error) {
		call, known := a2asrv.CallContextFrom(ctx)
		if !known || !call.User.Authenticated {
			return nil, a2a.ErrUnauthenticated
		}
		extended := *card
		extended.Skills = append(slices.Clone(card.Skills), a2a.AgentSkill{
			ID:          "lab-extended",
			Name:        "Lab, extended",
			Description: "Shown to " + call.User.Name + ".",
			Tags:        []string{"plugfest", "lab"},
		})
		return &extended, nil
	}
	return a2asrv.ExtendedAgentCardProducerFn(produce)
}
