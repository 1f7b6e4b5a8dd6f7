package labtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func (pair pair) drives(t *testing.T) {
	t.Run("a card", func(t *testing.T) {
		card := pair.must(t, "GetAgentCard", nil)[0]
		equal(t, "name and skills", []any{card["name"], card["skills"]}, []any{"birch", []any{"lab"}})
	})
	t.Run("a task is dropped, taken up again, read and cancelled", func(t *testing.T) {
		events := pair.must(t, "SendStreamingMessage", merge(text("plugfest-slow 9000 n"), object{"stopAfterEvents": 2}))
		equal(t, "events", said(events), "SUBMITTED WORKING closed")
		equal(t, "who closed", events[2]["by"], "client")
		task := object{"taskId": events[0]["taskId"]}
		events = pair.must(t, "SubscribeToTask", merge(task, object{"stopAfterEvents": 3}))
		equal(t, "events", said(events), "WORKING WORKING WORKING closed")
		equal(t, "that it begins with the task", events[0]["kind"] == "task", pair.suite.SubscriptionsShowTheTask)
		read := pair.must(t, "GetTask", merge(task, object{"historyLength": 1}))[0]
		equal(t, "state and history", []any{read["state"], read["history"]}, []any{"TASK_STATE_WORKING", 1})
		equal(t, "state", pair.must(t, "CancelTask", task)[0]["state"], "TASK_STATE_CANCELED")
	})
	t.Run("nobody waits for a task that is to return at once", func(t *testing.T) {
		events := pair.must(t, "SendMessage", merge(text("plugfest-slow 900 n"), object{"configuration": object{"returnImmediately": true}}))
		if given := events[0]["state"]; given != "TASK_STATE_SUBMITTED" && given != "TASK_STATE_WORKING" {
			t.Errorf("state: %v", given)
		}
	})
	t.Run("a refusal is a result", func(t *testing.T) {
		refused := pair.call(t, "GetTask", object{"taskId": "no-such-task"})
		equal(t, "name", []any{refused.OK, refused.Error.Name}, []any{false, pair.named("TaskNotFoundError")})
		if pair.dialect.Binding == "JSONRPC" {
			equal(t, "code", refused.Error.Code, -32001)
		}
	})
	if pair.suite.ListTasks && pair.dialect.Version == "1.0" {
		t.Run("tasks are listed page by page", pair.lists)
	}
}

func (pair pair) lists(t *testing.T) {
	context := pair.must(t, "SendMessage", text("tck-artifact-text"))[0]["contextId"]
	again := text("tck-complete-task")
	again["message"].(object)["contextId"] = context
	pair.must(t, "SendMessage", again)
	members := object{"contextId": context, "pageSize": 1, "status": "TASK_STATE_COMPLETED", "includeArtifacts": true}
	first := pair.must(t, "ListTasks", members)
	equal(t, "events", []any{len(first), first[0]["kind"], first[1]["kind"], first[1]["totalSize"]}, []any{2, "task", "page", 2})
	second := pair.must(t, "ListTasks", merge(members, object{"pageToken": first[1]["nextPageToken"]}))
	equal(t, "what the second page holds", len(second[0]["artifacts"].([]any)), 1)
	equal(t, "the end", second[1]["nextPageToken"], "")
}

func (pair pair) push(t *testing.T) {
	t.Run("configs are made, read, listed and deleted", func(t *testing.T) {
		task := pair.must(t, "SendMessage", text("plugfest-ask n"))[0]["taskId"]
		push := object{"url": "http://127.0.0.1:1/hook", "id": "c1", "token": "t"}
		wanted := object{"kind": "pushConfig", "taskId": task, "id": "c1", "url": push["url"]}
		one := object{"taskId": task, "configId": "c1"}
		if slices.Contains(pair.suite.NoPushConfigs, pair.dialect) {
			made := pair.call(t, "CreateTaskPushNotificationConfig", object{"taskId": task, "push": push})
			equal(t, "made", made.OK, false)
			return
		}
		equal(t, "made", pair.must(t, "CreateTaskPushNotificationConfig", object{"taskId": task, "push": push}), []object{wanted})
		equal(t, "read", pair.must(t, "GetTaskPushNotificationConfig", one), []object{wanted})
		equal(t, "listed", pair.must(t, "ListTaskPushNotificationConfigs", object{"taskId": task}), []object{wanted})
		equal(t, "deleted", len(pair.must(t, "DeleteTaskPushNotificationConfig", one)), 0)
		equal(t, "gone", pair.call(t, "GetTaskPushNotificationConfig", one).OK, false)
	})
	t.Run("deliveries carry token and credentials", func(t *testing.T) {
		hook := newWebhook(t)
		push := object{"url": hook.url, "token": "secret-token", "authentication": object{"scheme": "Bearer", "credentials": "secret"}}
		pair.must(t, "SendMessage", merge(text("plugfest-echo n"), object{"configuration": object{"push": push}}))
		delivery := hook.last(t, "completed")
		token := delivery.header.Get("X-A2A-Notification-Token") + delivery.header.Get("A2A-Notification-Token")
		equal(t, "token", token, "secret-token")
		equal(t, "credentials", delivery.header.Get("Authorization"), "Bearer secret")
	})
}

func (suite Suite) refusals(t *testing.T, from, to *Agent) {
	dialect := suite.Dialects[0]
	order := func(call object) object {
		return object{"card": to.URL, "binding": dialect.Binding, "version": dialect.Version, "call": call}
	}
	for name, bad := range map[string]object{
		"BadDriveCall: \"Guess\" is no op":                     order(object{"op": "Guess"}),
		"BadDriveCall: GetTask needs a taskId":                 order(object{"op": "GetTask"}),
		"BadDriveCall: SendMessage needs a message":            order(object{"op": "SendMessage"}),
		"BadDriveCall: json":                                   order(object{"op": "GetTask", "taskId": "x", "historyLength": "all"}),
		"BadDriveCall: LAB_AGENT_TOKENS knows no principal":    merge(order(object{"op": "GetTask", "taskId": "x"}), object{"as": "nobody"}),
		"NoMatchingInterface: no GRPC 9.9 in the card, which ": merge(order(object{"op": "GetTask", "taskId": "x"}), object{"binding": "GRPC", "version": "9.9"}),
	} {
		result := suite.drive(t, from, bad)
		if given := result.Error.Name + ": " + result.Error.Message; result.OK || !strings.HasPrefix(given, name) {
			t.Errorf("%v: got %q, wanted %q", bad, given, name)
		}
	}
	unreachable := suite.drive(t, from, object{"card": "http://127.0.0.1:9", "call": object{"op": "GetAgentCard"}})
	equal(t, "nobody there", []any{unreachable.OK, unreachable.Error.Name}, []any{false, "url.Error"})
}

type delivery struct {
	header http.Header
	path   string
	body   string
}

type webhook struct {
	url        string
	mu         sync.Mutex
	deliveries []delivery
}

func newWebhook(t *testing.T) *webhook {
	hook := &webhook{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body) // what was cut off does not parse
		hook.mu.Lock()
		defer hook.mu.Unlock()
		hook.deliveries = append(hook.deliveries, delivery{request.Header, request.URL.Path, string(body)})
	}))
	t.Cleanup(server.Close)
	hook.url = server.URL + "/hook"
	return hook
}

// last waits for a delivery that tells a state.
func (hook *webhook) last(t *testing.T, state string) delivery {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		hook.mu.Lock()
		for _, one := range hook.deliveries {
			if json.Valid([]byte(one.body)) && strings.Contains(strings.ToLower(one.body), state) {
				hook.mu.Unlock()
				return one
			}
		}
		hook.mu.Unlock()
	}
	t.Fatalf("no delivery tells %s", state)
	return delivery{}
}
