// Package sdk ties the lab agent to the official Go SDK for A2A 0.3, a2a-go 0.3. Nothing in it mends what the SDK does
// on the wire.
package sdk

import (
	"net/http"

	"github.com/a2aproject/a2a-go/a2agrpc"
	"github.com/a2aproject/a2a-go/a2asrv"
	"github.com/a2aproject/a2a-go/a2asrv/push"
	"google.golang.org/grpc"

	"plugfest/agent/lab"
)

const (
	v03         = "0.3"
	jsonrpcPath = "/jsonrpc"
)

// Offer is what the SDK serves.
var Offer = lab.Offer{
	Name:     "a2a-go-03",
	Versions: []string{v03},
	Bindings: []string{lab.JSONRPC, lab.GRPC},
}

// Build makes the server: card, and the SDK's handlers as far as the flags ask for them.
func Build(flags lab.Flags, principals lab.Principals, at lab.Addresses) (http.Handler, func(*grpc.Server), error) {
	card := publicCard(flags, at)
	options := []a2asrv.RequestHandlerOption{
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(nil)),
		a2asrv.WithCallInterceptor(modesKeeper{}),
	}
	if flags.Bearer {
		options = append(options, a2asrv.WithCallInterceptor(authentication{principals: principals}))
	}
	if flags.ExtendedCard {
		options = append(options, a2asrv.WithExtendedAgentCardProducer(extendedCard(card)))
	}
	handler := a2asrv.NewHandler(&executor{lab.NewAgent(dial, principals)}, options...)
	mux := http.NewServeMux()
	public := card
	if flags.SignCard {
		signer, err := lab.NewSigner(at.HTTP)
		if err != nil {
			return nil, nil, err
		}
		if public, err = signed(card, signer); err != nil {
			return nil, nil, err
		}
		mux.Handle(lab.KeysPath, signer)
	}
	mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(public))
	if flags.Offers(lab.JSONRPC) {
		mux.Handle(jsonrpcPath, a2asrv.NewJSONRPCHandler(handler))
	}
	return mux, a2agrpc.NewHandler(handler).RegisterWith, nil
}
