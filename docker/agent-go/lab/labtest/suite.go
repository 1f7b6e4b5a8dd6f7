package labtest

import (
	"fmt"
	"slices"
	"testing"
)

// Suite says what is to be tried of an agent.
type Suite struct {
	// Tell is the version in which agents are told what to do, over JSON-RPC.
	Tell string
	// Protocol is for --protocol, so that the agent serves all the dialects.
	Protocol string
	Dialects []Dialect
	// ListTasks tells that the SDK has an operation for it, in 1.0.
	ListTasks bool
	// AuthRequiredEnds tells that the SDK ends a stream, and takes messages, at AUTH_REQUIRED.
	AuthRequiredEnds bool
	// SubscriptionsShowTheTask tells that a subscription begins with the task as it is.
	SubscriptionsShowTheTask bool
	// OwnTasks tells that the SDK shows a principal's tasks to nobody else, by whatever operation.
	OwnTasks bool
	// UnreadableErrors are dialects in which the SDK's client cannot tell one error of its own server from another.
	UnreadableErrors []Dialect
	// NoPushConfigs are dialects in which the SDK's server takes no configs from its own client.
	NoPushConfigs []Dialect
	// GRPCPrincipals tells that the SDK knows who asks for the extended card over gRPC.
	GRPCPrincipals bool
}

// Run runs all of it.
func Run(t *testing.T, suite Suite) {
	t.Run("start", suite.start)
	t.Run("signing", suite.signing)
	from := start(t, nil, "--name", "amber", "--protocol", suite.Protocol)
	to := start(t, nil, "--name", "birch", "--protocol", suite.Protocol)
	for _, dialect := range suite.Dialects {
		pair := pair{suite: suite, from: from, to: to, dialect: dialect}
		t.Run(dialect.String(), func(t *testing.T) {
			t.Run("behaviours", pair.behaviours)
			t.Run("drive", pair.drives)
			t.Run("push", pair.push)
		})
	}
	t.Run("drive", func(t *testing.T) { suite.refusals(t, from, to) })
	t.Run("itk", func(t *testing.T) { suite.itk(t, from, to) })
	t.Run("auth", suite.auth)
}

// named is the error's name, or that of the error which stands for all in some dialects.
func (pair pair) named(name string) string {
	if slices.Contains(pair.suite.UnreadableErrors, pair.dialect) {
		return "errors.errorString"
	}
	return name
}

func equal(t *testing.T, what string, got, wanted any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(wanted) {
		t.Errorf("%s: got %v, wanted %v", what, got, wanted)
	}
}
