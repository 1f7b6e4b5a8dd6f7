// Package labtest tries a lab agent from outside: in a process of its own, over real sockets. Agents call each other by
// drive calls, so that each test tries the SDK's client and its server.
package labtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"plugfest/agent/lab"
)

const runVariable = "LAB_AGENT_TEST_RUN"

// Main is a TestMain: it lets the test binary be the agent, too.
func Main(m *testing.M, agent func()) {
	if os.Getenv(runVariable) != "" {
		agent()
	}
	os.Exit(m.Run())
}

// Agent is one that runs.
type Agent struct {
	URL     string
	Ready   map[string]any
	process *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
	stderr  *lockedBuffer
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (buffer *lockedBuffer) Write(text []byte) (int, error) {
	buffer.mu.Lock()
	defer buffer.mu.Unlock()
	return buffer.text.Write(text)
}

func (buffer *lockedBuffer) String() string {
	buffer.mu.Lock()
	defer buffer.mu.Unlock()
	return buffer.text.String()
}

func command(environment []string, flags ...string) *exec.Cmd {
	self := exec.Command(os.Args[0], flags...)
	self.Env = append(append(os.Environ(), runVariable+"=1"), environment...)
	return self
}

// start starts an agent, which ends with the test.
func start(t *testing.T, environment []string, flags ...string) *Agent {
	t.Helper()
	agent := &Agent{process: command(environment, flags...), stderr: &lockedBuffer{}}
	agent.process.Stderr = agent.stderr
	var err error
	if agent.stdin, err = agent.process.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := agent.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = agent.process.Process.Kill() })
	agent.stdout = bufio.NewReader(out)
	line, err := agent.stdout.ReadString('\n')
	if err != nil {
		t.Fatalf("no ready line: %v\n%s", err, agent.stderr)
	}
	if err := json.Unmarshal([]byte(line), &agent.Ready); err != nil {
		t.Fatalf("the ready line is no JSON: %q", line)
	}
	agent.URL = strings.TrimSuffix(agent.Ready["card"].(string), lab.CardPath)
	return agent
}

// wait waits for the end, and gives the exit code, what came on stdout after the ready line, and how long it took.
func (agent *Agent) wait(t *testing.T) (code int, stdout string, took time.Duration) {
	t.Helper()
	began := time.Now()
	rest, err := io.ReadAll(agent.stdout)
	if err != nil {
		t.Fatal(err)
	}
	_ = agent.process.Wait() // its exit code tells
	return agent.process.ProcessState.ExitCode(), string(rest), time.Since(began)
}

func (agent *Agent) card(t *testing.T) map[string]any {
	t.Helper()
	response, err := http.Get(agent.Ready["card"].(string))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var card map[string]any
	if err := json.NewDecoder(response.Body).Decode(&card); err != nil {
		t.Fatal(err)
	}
	return card
}
