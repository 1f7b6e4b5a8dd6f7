// Package sdk ties the lab agent to the official Go SDK, a2a-go 2. Nothing in it mends what the SDK does on the wire.
package sdk

import (
	"context"
	"net/http"
	"slices"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
	"google.golang.org/grpc"

	"plugfest/agent/lab"
)

// Offer is what the SDK serves: each binding in both versions.
var Offer = lab.Offer{
	Name:     "a2a-go",
	Versions: []string{v10, v03},
	Bindings: []string{lab.JSONRPC, lab.HTTPJSON, lab.GRPC},
}

const (
	v10 = string(a2a.Version)
	v03 = string(a2av0.Version)
)

// Build makes the server: card, and the SDK's handlers as far as the flags ask for them.
func Build(flags lab.Flags, principals lab.Principals, at lab.Addresses) (http.Handler, func(*grpc.Server), error) {
	card := publicCard(flags, at)
	handler := a2asrv.NewHandler(&executor{lab.NewAgent(dial, principals)}, options(flags, principals, card)...)
	mux := http.NewServeMux()
	public := card
	if flags.SignCard {
		signer, err := lab.NewSigner(at.HTTP)
		if err != nil {
			return nil, nil, err
		}
		if public, err = signed(flags, card, signer); err != nil {
			return nil, nil, err
		}
		mux.Handle(lab.KeysPath, signer)
	}
	mux.Handle(lab.CardPath, cardHandler(flags, public))
	for _, version := range flags.Versions {
		if flags.Offers(lab.JSONRPC) {
			path := httpPath(flags, lab.JSONRPC, version)
			mux.Handle(path, jsonrpcHandler(version, handler))
		}
		if flags.Offers(lab.HTTPJSON) {
			path := httpPath(flags, lab.HTTPJSON, version)
			mux.Handle(path+"/", http.StripPrefix(path, restHandler(version, handler)))
		}
	}
	register := func(server *grpc.Server) {
		if slices.Contains(flags.Versions, v10) {
			grpcv1.NewHandler(handler).RegisterWith(server)
		}
		if slices.Contains(flags.Versions, v03) {
			grpcv0.NewHandler(handler).RegisterWith(server)
		}
	}
	return mux, register, nil
}

func options(flags lab.Flags, principals lab.Principals, card *a2a.AgentCard) []a2asrv.RequestHandlerOption {
	// The webhooks of a lab are on loopback, or in a network of containers.
	sender := push.NewHTTPPushSender(&push.HTTPSenderConfig{AllowPrivateNetworks: true})
	options := []a2asrv.RequestHandlerOption{
		a2asrv.WithCapabilityChecks(&card.Capabilities),
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), sender),
	}
	if flags.Bearer {
		// The SDK's default task store knows whose a task is by the user that this names.
		options = append(options, a2asrv.WithCallInterceptors(authentication{principals: principals}))
	} else {
		// The SDK's own default refuses lists to callers without a name.
		anyone := func(context.Context) (string, error) { return "anyone", nil }
		store := taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{Authenticator: anyone})
		options = append(options, a2asrv.WithTaskStore(store))
	}
	if flags.ExtendedCard {
		options = append(options, a2asrv.WithExtendedAgentCardProducer(extendedCard(card)))
	}
	return append(options, a2asrv.WithCallInterceptors(modesKeeper{}))
}

// httpPath is where an interface is served. The SDK has a handler for each version, so that 0.3 beside 1.0 needs a
// path of its own.
func httpPath(flags lab.Flags, binding, version string) string {
	path := "/jsonrpc"
	if binding == lab.HTTPJSON {
		path = "/rest"
	}
	if version == v03 && len(flags.Versions) > 1 {
		return "/v0.3" + path
	}
	return path
}

func jsonrpcHandler(version string, handler a2asrv.RequestHandler) http.Handler {
	if version == v03 {
		return a2av0.NewJSONRPCHandler(handler)
	}
	return a2asrv.NewJSONRPCHandler(handler)
}

func restHandler(version string, handler a2asrv.RequestHandler) http.Handler {
	if version == v03 {
		return a2av0.NewRESTHandler(handler)
	}
	return a2asrv.NewRESTHandler(handler)
}

// cardHandler serves the card as the SDK does: with the members of 0.3 where 0.3 is on offer.
func cardHandler(flags lab.Flags, card *a2a.AgentCard) http.Handler {
	if slices.Contains(flags.Versions, v03) {
		return a2asrv.NewAgentCardHandler(a2av0.NewStaticAgentCardProducer(card))
	}
	return a2asrv.NewStaticAgentCardHandler(card)
}
