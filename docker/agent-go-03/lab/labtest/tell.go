package labtest

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"plugfest/agent/lab"
)

type object = map[string]any

// Dialect is a binding in a version.
type Dialect struct{ Binding, Version string }

func (dialect Dialect) String() string { return dialect.Binding + " " + dialect.Version }

// post calls an agent over JSON-RPC with bytes of its own making, which share nothing with the SDK.
func post(t *testing.T, agent *Agent, version, method string, params any, header http.Header) *http.Response {
	t.Helper()
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, agent.URL+"/jsonrpc", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("A2A-Version", version)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// send sends one part and gives the task, or the error, that comes back.
func send(t *testing.T, agent *Agent, version string, part object, header http.Header) object {
	t.Helper()
	method, message := "SendMessage", object{"messageId": rand.Text(), "role": "ROLE_USER"}
	if version == "0.3" {
		method, message = "message/send", object{"messageId": rand.Text(), "role": "user", "kind": "message"}
		part = oldPart(part)
	}
	message["parts"] = []any{part}
	response := post(t, agent, version, method, object{"message": message}, header)
	var answer object
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	result, isResult := answer["result"].(object)
	if !isResult {
		return answer
	}
	if task, isTask := result["task"].(object); isTask {
		return task
	}
	return result
}

func oldPart(part object) object {
	switch {
	case part["data"] != nil:
		return object{"kind": "data", "data": part["data"]}
	case part["raw"] != nil:
		return object{"kind": "file", "file": object{"bytes": part["raw"], "mimeType": part["mediaType"], "name": part["filename"]}}
	}
	return object{"kind": "text", "text": part["text"]}
}

// state of a task, without its version's spelling.
func state(task object) string {
	status, _ := task["status"].(object)
	name, _ := status["state"].(string)
	return strings.ToUpper(strings.ReplaceAll(strings.TrimPrefix(name, "TASK_STATE_"), "-", "_"))
}

func statusText(task object) string {
	status, _ := task["status"].(object)
	message, _ := status["message"].(object)
	return partsText(message)
}

func partsText(holder object) string {
	joined := ""
	parts, _ := holder["parts"].([]any)
	for _, part := range parts {
		text, _ := part.(object)["text"].(string)
		joined += text
	}
	return joined
}

// result is a drive result.
type result struct {
	OK     bool
	Error  lab.Failure
	Events []object
}

// drive has one agent call another.
func (suite Suite) drive(t *testing.T, from *Agent, order object) result {
	t.Helper()
	order["plugfest"] = "drive/1"
	task := send(t, from, suite.Tell, object{"data": order}, nil)
	if state(task) != "COMPLETED" {
		t.Fatalf("the drive call did not complete: %v", task)
	}
	artifact := task["artifacts"].([]any)[0].(object)
	if artifact["name"] != "drive-result" {
		t.Fatalf("no drive result: %v", artifact)
	}
	text, err := json.Marshal(artifact["parts"].([]any)[0].(object)["data"])
	if err != nil {
		t.Fatal(err)
	}
	var read result
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// pair is two agents, one of which calls the other in a dialect.
type pair struct {
	suite    Suite
	from, to *Agent
	dialect  Dialect
	as       string
}

func (pair pair) call(t *testing.T, op string, members object) result {
	t.Helper()
	call := object{"op": op}
	for name, value := range members {
		call[name] = value
	}
	order := object{"card": pair.to.URL, "binding": pair.dialect.Binding, "version": pair.dialect.Version, "call": call}
	if pair.as != "" {
		order["as"] = pair.as
	}
	return pair.suite.drive(t, pair.from, order)
}

// must is a call that succeeds.
func (pair pair) must(t *testing.T, op string, members object) []object {
	t.Helper()
	result := pair.call(t, op, members)
	if !result.OK {
		t.Fatalf("%s failed: %+v", op, result.Error)
	}
	return result.Events
}

func text(text string) object {
	return object{"message": object{"messageId": rand.Text(), "text": text}}
}

// said is a stream in short: states, and the texts of artifacts in quotes.
func said(events []object) string {
	var short []string
	for _, event := range events {
		switch event["kind"] {
		case "task", "status":
			short = append(short, strings.TrimPrefix(event["state"].(string), "TASK_STATE_"))
		case "artifact":
			short = append(short, "'"+event["artifact"].(object)["text"].(string)+"'")
		default:
			short = append(short, event["kind"].(string))
		}
	}
	return strings.Join(short, " ")
}
