package labtest

import (
	"net/http"
	"strings"
	"testing"
)

func (suite Suite) auth(t *testing.T) {
	tokens := []string{"LAB_AGENT_TOKENS=alice=token-a,bob=token-b"}
	from := start(t, tokens, "--protocol", suite.Protocol)
	to := start(t, tokens, "--protocol", suite.Protocol, "--auth", "bearer", "--extendedCard")
	t.Run("who has no known token is refused", func(t *testing.T) {
		for _, given := range []string{"", "Bearer wrong", "Basic token-a", "token-a"} {
			answer := send(t, to, suite.Tell, object{"text": "tck-complete-task"}, http.Header{"Authorization": {given}})
			if answer["error"] == nil {
				t.Errorf("%q was let in: %v", given, answer)
			}
		}
		known := send(t, to, suite.Tell, object{"text": "tck-complete-task"}, http.Header{"Authorization": {"bearer token-a"}})
		equal(t, "with a token", state(known), "COMPLETED")
	})
	for _, dialect := range suite.Dialects {
		t.Run(dialect.String(), func(t *testing.T) {
			as := func(name string) pair {
				return pair{suite: suite, from: from, to: to, dialect: dialect, as: name}
			}
			refused := as("").call(t, "SendMessage", text("tck-complete-task"))
			equal(t, "without a token", []any{refused.OK, refused.Error.Name}, []any{false, as("").named("UnauthenticatedError")})
			task := as("alice").must(t, "SendMessage", text("tck-complete-task"))[0]["taskId"]
			equal(t, "alice reads her task", as("alice").call(t, "GetTask", object{"taskId": task}).OK, true)
			equal(t, "bob reads it", as("bob").call(t, "GetTask", object{"taskId": task}).OK, !suite.OwnTasks)
			if suite.ListTasks && dialect.Version == "1.0" {
				listed := as("bob").must(t, "ListTasks", object{})
				equal(t, "what bob lists", said(listed), "page")
			}
			card := as("bob").call(t, "GetExtendedAgentCard", nil)
			if dialect.Binding == "GRPC" && !suite.GRPCPrincipals {
				equal(t, "the extended card over gRPC", []any{card.OK, card.Error.Name}, []any{false, "UnauthenticatedError"})
				return
			}
			equal(t, "skills", card.Events[0]["skills"], []any{"lab", "lab-extended"})
		})
	}
	t.Run("the public card declares it", func(t *testing.T) {
		card := to.card(t)
		schemes, _ := card["securitySchemes"].(object)
		if schemes["bearer"] == nil {
			t.Errorf("securitySchemes: %v", card["securitySchemes"])
		}
	})
	t.Run("tokens that cannot be read are refused, and not told", func(t *testing.T) {
		agent := command([]string{"LAB_AGENT_TOKENS=alice"})
		out, _ := agent.CombinedOutput() // its exit code tells
		equal(t, "exit code", agent.ProcessState.ExitCode(), 2)
		equal(t, "lines", strings.Count(string(out), "\n"), 1)
		if strings.Contains(string(out), "alice") {
			t.Errorf("%s", out)
		}
	})
}
