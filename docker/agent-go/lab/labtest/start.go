package labtest

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func (suite Suite) start(t *testing.T) {
	t.Run("stdout holds the ready line alone", func(t *testing.T) {
		agent := start(t, []string{"LAB_AGENT_LOG=INFO"}, "--name", "amber", "--protocol", suite.Protocol)
		send(t, agent, suite.Tell, object{"text": "hello"}, nil)
		equal(t, "ready and name", []any{agent.Ready["ready"], agent.Ready["name"]}, []any{true, "amber"})
		equal(t, "the card's name", agent.card(t)["name"], "amber")
		if err := agent.process.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		code, stdout, _ := agent.wait(t)
		equal(t, "exit code and stdout", []any{code, stdout}, []any{0, ""})
		if !strings.Contains(agent.stderr.String(), "level=INFO msg=serving") {
			t.Errorf("stderr: %q", agent.stderr)
		}
	})
	t.Run("a bad flag is one line and exit code 2", func(t *testing.T) {
		for _, flags := range [][]string{
			{"--httpPort", "70000"}, {"--protocol", "0.2"}, {"--bindings", "PIGEON"}, {"--auth", "basic"},
			{"--extendedCard"}, {"--fault", "any"}, {"--nonsense"}, {"stray"},
		} {
			agent := command(nil, flags...)
			out, _ := agent.CombinedOutput() // its exit code tells
			equal(t, fmt.Sprint(flags, " exit code and lines of ", string(out)),
				[]any{agent.ProcessState.ExitCode(), strings.Count(string(out), "\n")}, []any{2, 1})
		}
	})
	t.Run("SIGTERM ends it in time with a stream open", func(t *testing.T) {
		agent := start(t, nil, "--protocol", suite.Protocol)
		method, message := "SendStreamingMessage", object{"role": "ROLE_USER", "parts": []any{object{"text": "tck-long-running"}}}
		if suite.Tell == "0.3" {
			method, message = "message/stream", object{"kind": "message", "role": "user", "parts": []any{object{"kind": "text", "text": "tck-long-running"}}}
		}
		message["messageId"] = "m"
		stream := post(t, agent, suite.Tell, method, object{"message": message}, nil)
		if _, err := bufio.NewReader(stream.Body).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if err := agent.process.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		code, _, took := agent.wait(t)
		equal(t, "exit code", code, 0)
		if took > 2*time.Second {
			t.Errorf("it took %v", took)
		}
	})
	t.Run("it ends with its parent when asked to", func(t *testing.T) {
		agent := start(t, []string{"PLUGFEST_PARENT=stdin"}, "--protocol", suite.Protocol)
		if err := agent.stdin.Close(); err != nil {
			t.Fatal(err)
		}
		code, _, _ := agent.wait(t)
		equal(t, "exit code", code, 0)
	})
	t.Run("on all addresses it names the host", func(t *testing.T) {
		host, err := os.Hostname()
		if err != nil {
			t.Fatal(err)
		}
		agent := start(t, nil, "--host", "0.0.0.0", "--protocol", suite.Protocol)
		if !strings.HasPrefix(agent.URL, "http://"+host+":") {
			t.Errorf("card at %s", agent.URL)
		}
	})
}
