package sdk

import (
	"context"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"plugfest/agent/lab"
)

// authentication refuses whoever has no known token, and tells the SDK who calls.
type authentication struct {
	a2asrv.PassthroughCallInterceptor
	principals lab.Principals
}

func (guard authentication) Before(ctx context.Context, call *a2asrv.CallContext, _ *a2asrv.Request) (context.Context, any, error) {
	given, _ := call.ServiceParams().Get("Authorization")
	if len(given) == 1 {
		if name, known := guard.principals.WhoHas(given[0]); known {
			call.User = a2asrv.NewAuthenticatedUser(name, nil)
			return ctx, nil, nil
		}
	}
	return ctx, nil, a2a.ErrUnauthenticated
}

// modesKeeper passes on the accepted output modes, which the SDK does not show to executors.
type modesKeeper struct {
	a2asrv.PassthroughCallInterceptor
}

type modesKey struct{}

func (modesKeeper) Before(ctx context.Context, _ *a2asrv.CallContext, request *a2asrv.Request) (context.Context, any, error) {
	if send, isSend := request.Payload.(*a2a.SendMessageRequest); isSend && send.Config != nil {
		ctx = context.WithValue(ctx, modesKey{}, send.Config.AcceptedOutputModes)
	}
	return ctx, nil, nil
}

func acceptedModes(ctx context.Context) []string {
	modes, _ := ctx.Value(modesKey{}).([]string)
	return modes
}
