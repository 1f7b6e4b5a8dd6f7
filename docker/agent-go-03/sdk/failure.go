package sdk

import (
	"errors"

	"github.com/a2aproject/a2a-go/a2a"

	"plugfest/agent/lab"
)

// names are the errors that A2A names, by what the SDK makes of them. ErrInternalError is not there: the SDK uses it
// for whatever it does not know.
var names = []struct {
	err  error
	name string
	code int // in JSON-RPC
}{
	{a2a.ErrTaskNotFound, "TaskNotFoundError", -32001},
	{a2a.ErrTaskNotCancelable, "TaskNotCancelableError", -32002},
	{a2a.ErrPushNotificationNotSupported, "PushNotificationNotSupportedError", -32003},
	{a2a.ErrUnsupportedOperation, "UnsupportedOperationError", -32004},
	{a2a.ErrUnsupportedContentType, "ContentTypeNotSupportedError", -32005},
	{a2a.ErrInvalidAgentResponse, "InvalidAgentResponseError", -32006},
	{a2a.ErrAuthenticatedExtendedCardNotConfigured, "ExtendedAgentCardNotConfiguredError", -32007},
	{a2a.ErrParseError, "JSONParseError", -32700},
	{a2a.ErrInvalidRequest, "InvalidRequestError", -32600},
	{a2a.ErrMethodNotFound, "MethodNotFoundError", -32601},
	{a2a.ErrInvalidParams, "InvalidParamsError", -32602},
	{a2a.ErrUnauthenticated, "UnauthenticatedError", 0},
	{a2a.ErrUnauthorized, "PermissionDeniedError", 0},
}

func (client *client) Describe(err error) lab.Failure {
	for _, one := range names {
		if !errors.Is(err, one.err) {
			continue
		}
		failure := lab.Failure{Name: one.name, Message: err.Error()}
		if client.binding == lab.JSONRPC {
			failure.Code = one.code
		}
		return failure
	}
	if errors.Is(err, a2a.ErrInternalError) {
		return lab.Failure{Name: "InternalError", Message: err.Error()}
	}
	return lab.Unnamed(err)
}
