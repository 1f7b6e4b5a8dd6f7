package labtest

import (
	"crypto/rand"
	"testing"
)

// streams: text, what a stream says after SUBMITTED, the last status text.
var streams = [][3]string{
	{"anything else", "WORKING 'echo: anything else' COMPLETED", ""},
	{"tck-complete-task", "COMPLETED", "Hello from TCK"},
	{"tck-delayed-complete", "WORKING COMPLETED", "Done after delay"},
	{"tck-artifact-text", "'Generated text content' COMPLETED", ""},
	{"tck-artifact-file", "'' COMPLETED", ""},
	{"tck-artifact-file-url", "'' COMPLETED", ""},
	{"tck-artifact-data", "'' COMPLETED", ""},
	{"tck-input-required", "INPUT_REQUIRED", "What is your name?"},
	{"tck-multi-turn", "INPUT_REQUIRED", "Anything else? Say done to finish."},
	{"tck-reject-task", "REJECTED", "rejected"},
	{"tck-task-failure", "WORKING FAILED", "failed on request"},
	{"tck-stream-001", "WORKING 'Stream hello from TCK' COMPLETED", ""},
	{"tck-stream-002", "COMPLETED", ""},
	{"tck-stream-003", "WORKING 'Stream task lifecycle' COMPLETED", ""},
	{"tck-stream-ordering-001", "WORKING 'Ordered output' COMPLETED", ""},
	{"tck-stream-basic", "WORKING 'Stream hello from TCK' COMPLETED", ""},
	{"tck-stream-artifact-text", "WORKING 'Streamed text content' COMPLETED", ""},
	{"tck-stream-artifact-file", "WORKING '' COMPLETED", ""},
	{"tck-stream-artifact-chunked", "WORKING 'chunk-1 ' 'chunk-2' COMPLETED", ""},
	{"tck-stream-chunked", "WORKING 'chunk-1 ' 'chunk-2' COMPLETED", ""},
	{"plugfest-echo abcde", "WORKING 'abc' 'de' COMPLETED", "abcde"},
	{"plugfest-slow 150 n1", "WORKING WORKING 'n1' COMPLETED", "n1"},
	{"plugfest-slow soon n1", "FAILED", `plugfest-slow wants milliseconds before the nonce, not "soon"`},
	{"plugfest-modes n3", "'n3' COMPLETED", ""},
	{"plugfest-ask n2", "INPUT_REQUIRED", "ask n2"},
}

func (pair pair) behaviours(t *testing.T) {
	for _, row := range streams {
		events := pair.must(t, "SendStreamingMessage", text(row[0]))
		equal(t, row[0], said(events), "SUBMITTED "+row[1]+" closed")
		last := events[len(events)-2]
		equal(t, "the last words of "+row[0], last["text"], row[2])
	}
	t.Run("a message id selects, too", func(t *testing.T) {
		message := object{"messageId": "tck-complete-task-" + rand.Text(), "text": "plugfest-echo n"}
		events := pair.must(t, "SendMessage", object{"message": message})
		equal(t, "state and text", []any{events[0]["state"], events[0]["text"]}, []any{"TASK_STATE_COMPLETED", "Hello from TCK"})
	})
	t.Run("a direct message", func(t *testing.T) {
		events := pair.must(t, "SendMessage", text("tck-message-response"))
		equal(t, "message", []any{events[0]["kind"], events[0]["role"], events[0]["text"], events[0]["taskId"]},
			[]any{"message", "ROLE_AGENT", "Direct message response", nil})
	})
	t.Run("artifacts keep what they hold", pair.contents)
	t.Run("a follow-up resumes", func(t *testing.T) {
		for asked, answer := range map[string]string{"plugfest-ask n": "resumed: yes", "tck-input-required": "resumed: yes"} {
			task := pair.must(t, "SendMessage", text(asked))[0]
			done := pair.must(t, "SendMessage", pair.followUp(task, "yes"))[0]
			equal(t, asked, []any{done["taskId"], done["state"], done["text"]}, []any{task["taskId"], "TASK_STATE_COMPLETED", answer})
		}
	})
	t.Run("many turns end with done", func(t *testing.T) {
		task := pair.must(t, "SendMessage", text("tck-multi-turn"))[0]
		task = pair.must(t, "SendMessage", pair.followUp(task, "more"))[0]
		equal(t, "state", task["state"], "TASK_STATE_INPUT_REQUIRED")
		task = pair.must(t, "SendMessage", pair.followUp(task, "done, thanks"))[0]
		equal(t, "state", task["state"], "TASK_STATE_COMPLETED")
	})
	t.Run("authorization is asked for", func(t *testing.T) {
		task := pair.must(t, "SendMessage", text("tck-auth-required"))[0]
		equal(t, "state and text", []any{task["state"], task["text"]}, []any{"TASK_STATE_AUTH_REQUIRED", "Authorization needed"})
		equal(t, "a follow-up is taken", pair.call(t, "SendMessage", pair.followUp(task, "here")).OK, pair.suite.AuthRequiredEnds)
	})
	t.Run("modes", pair.modes)
	t.Run("a task goes on until it is cancelled", func(t *testing.T) {
		events := pair.must(t, "SendStreamingMessage", merge(text("tck-long-running"), object{"stopAfterEvents": 3}))
		equal(t, "events", said(events), "SUBMITTED WORKING WORKING closed")
		canceled := pair.must(t, "CancelTask", object{"taskId": events[0]["taskId"]})[0]
		equal(t, "state", canceled["state"], "TASK_STATE_CANCELED")
	})
	t.Run("a task that waits can be cancelled", func(t *testing.T) {
		task := pair.must(t, "SendMessage", text("tck-input-required"))[0]
		canceled := pair.must(t, "CancelTask", object{"taskId": task["taskId"]})[0]
		equal(t, "state", canceled["state"], "TASK_STATE_CANCELED")
	})
}

func (pair pair) contents(t *testing.T) {
	first := func(asked string, members ...object) any {
		message := object{"messageId": rand.Text(), "text": asked}
		if len(members) > 0 {
			message["parts"] = members
		}
		task := pair.must(t, "SendMessage", object{"message": message})[0]
		return task["artifacts"].([]any)[0].(object)["contents"].([]any)[0]
	}
	file := object{"kind": "raw", "content": "dGNr", "mediaType": "text/plain", "filename": "output.txt"}
	equal(t, "a file", first("tck-artifact-file"), file)
	link := object{"kind": "url", "content": "https://example.com/output.txt", "mediaType": "text/plain", "filename": "output.txt"}
	equal(t, "a link", first("tck-artifact-file-url"), link)
	data, _ := first("tck-artifact-data").(object)
	equal(t, "data", data["content"], object{"key": "value", "count": 42})
	sent := object{"raw": "AP8=", "mediaType": "image/x-test", "filename": "pixel.x"}
	wanted := object{"kind": "raw", "content": "AP8=", "mediaType": "image/x-test", "filename": "pixel.x"}
	equal(t, "a part that comes back", first("plugfest-parts n", sent), wanted)
}

func (pair pair) modes(t *testing.T) {
	in := func(modes ...string) result {
		return pair.call(t, "SendMessage", merge(text("plugfest-modes n"), object{"configuration": object{"acceptedOutputModes": modes}}))
	}
	result := in("image/png", "application/json", "text/plain")
	if !result.OK {
		t.Fatalf("%+v", result.Error)
	}
	content := result.Events[0]["artifacts"].([]any)[0].(object)["contents"].([]any)[0].(object)
	equal(t, "JSON", content["content"], object{"nonce": "n"})
	refused := in("image/png")
	equal(t, "refused", refused.OK, false)
}

func (pair pair) followUp(task object, words string) object {
	message := object{"messageId": rand.Text(), "text": words, "taskId": task["taskId"], "contextId": task["contextId"]}
	return object{"message": message}
}

func merge(objects ...object) object {
	merged := object{}
	for _, one := range objects {
		for name, value := range one {
			merged[name] = value
		}
	}
	return merged
}
