package lab

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Dial resolves the card below a base URL, anew each time: a proxy can show different cards to different callers.
type Dial func(ctx context.Context, baseURL string) (Peer, error)

// Peer is another agent, known by its card.
type Peer interface {
	// Card tells the card as a drive result does.
	Card() Event
	// Interfaces lists what the card offers, in its order.
	Interfaces() []Interface
	// Connect makes the SDK's own client for one of the interfaces, and for no other, so that it cannot fall back.
	Connect(ctx context.Context, chosen Interface, wishes Wishes) (Client, error)
}

// Interface is one entry of a card.
type Interface struct {
	URL     string
	Binding string
	Version string // as the card has it
}

// Wishes go with each call of a client.
type Wishes struct {
	Token      string // for `Authorization: Bearer`; empty: none
	Extensions []string
}

// Client is the SDK's client, in the words of the contract.
type Client interface {
	SendMessage(ctx context.Context, send Send) (Event, error)
	SendStreamingMessage(ctx context.Context, send Send) iter.Seq2[Event, error]
	GetTask(ctx context.Context, taskID string, historyLength *int) (Event, error)
	CancelTask(ctx context.Context, taskID string) (Event, error)
	SubscribeToTask(ctx context.Context, taskID string) iter.Seq2[Event, error]
	ListTasks(ctx context.Context, list List) ([]Event, error)
	CreatePushConfig(ctx context.Context, taskID string, push Push) (Event, error)
	GetPushConfig(ctx context.Context, taskID, configID string) (Event, error)
	ListPushConfigs(ctx context.Context, taskID string) ([]Event, error)
	DeletePushConfig(ctx context.Context, taskID, configID string) error
	GetExtendedAgentCard(ctx context.Context) (Event, error)
	// Describe names an error of this client as A2A does, where the SDK says which one it is.
	Describe(err error) Failure
	Close() error
}

// Failure is the `error` of a drive result.
type Failure struct {
	Name    string `json:"name"`
	Code    int    `json:"code,omitempty"`
	Message string `json:"message"`
}

// Unnamed describes an error that A2A has no name for: by its class, below what only adds words.
func Unnamed(err error) Failure {
	class := err
	for fmt.Sprintf("%T", class) == "*fmt.wrapError" {
		class = errors.Unwrap(class)
	}
	return Failure{Name: strings.TrimPrefix(fmt.Sprintf("%T", class), "*"), Message: err.Error()}
}

// namedError has a name that is not the SDK's.
type namedError struct{ name, message string }

func (failure *namedError) Error() string { return failure.message }

// UnsupportedByClient says that the SDK's client has no such operation.
func UnsupportedByClient(operation string) error {
	return &namedError{"UnsupportedByClient", "the SDK's client has no " + operation + " here"}
}

// pick chooses the interface with a binding and a version. Without a version: 1.0 if the card has it, else 0.3.
func pick(peer Peer, binding, version string) (Interface, error) {
	wanted := []string{version}
	if version == "" {
		wanted = []string{"1.0", "0.3"}
	}
	offered := peer.Interfaces()
	for _, candidate := range wanted {
		at := slices.IndexFunc(offered, func(one Interface) bool {
			return one.Binding == binding && majorMinor(one.Version) == candidate
		})
		if at >= 0 {
			return offered[at], nil
		}
	}
	var labels []string
	for _, one := range offered {
		labels = append(labels, strings.TrimSpace(one.Binding+" "+one.Version))
	}
	if labels == nil {
		labels = []string{"nothing that this client understands"}
	}
	return Interface{}, &namedError{
		"NoMatchingInterface",
		fmt.Sprintf("no %s %s in the card, which lists %s", binding, strings.Join(wanted, " or "), strings.Join(labels, ", ")),
	}
}

func majorMinor(version string) string {
	pieces := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	return strings.Join(pieces[:min(2, len(pieces))], ".")
}
