package labtest

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"plugfest/agent/lab"
	"plugfest/agent/lab/itk"
)

func (suite Suite) itk(t *testing.T, from, to *Agent) {
	carry := func(t *testing.T, instruction *itk.Instruction) object {
		t.Helper()
		encoded, err := proto.Marshal(instruction)
		if err != nil {
			t.Fatal(err)
		}
		raw := base64.StdEncoding.EncodeToString(encoded)
		return send(t, from, suite.Tell, object{"raw": raw, "mediaType": lab.InstructionMediaType, "filename": "instruction.bin"}, nil)
	}
	says := func(text string, hold bool) *itk.Instruction {
		return &itk.Instruction{Step: &itk.Instruction_ReturnResponse{ReturnResponse: &itk.ReturnResponse{Response: text, HoldTask: hold}}}
	}
	calls := func(transport string, inner *itk.Instruction, change func(*itk.CallAgent)) *itk.Instruction {
		call := &itk.CallAgent{Transport: transport, AgentCardUri: to.URL, Instruction: inner}
		if change != nil {
			change(call)
		}
		return &itk.Instruction{Step: &itk.Instruction_CallAgent{CallAgent: call}}
	}
	t.Run("the bytes are those of the test kit", func(t *testing.T) {
		// Instruction{steps{return_response{"a"}, generator CONCAT}}, encoded by hand.
		encoded, err := hex.DecodeString("1a090a0512030a01611001")
		if err != nil {
			t.Fatal(err)
		}
		var read itk.Instruction
		if err := proto.Unmarshal(encoded, &read); err != nil {
			t.Fatal(err)
		}
		equal(t, "text", read.GetSteps().GetInstructions()[0].GetReturnResponse().GetResponse(), "a")
		equal(t, "generator", read.GetSteps().GetResponseGenerator(), itk.ResponseGenerator_RESPONSE_GENERATOR_CONCAT)
	})
	t.Run("steps are joined", func(t *testing.T) {
		steps := &itk.SeriesOfSteps{Instructions: []*itk.Instruction{says("one", false), says("two", false)}}
		task := carry(t, &itk.Instruction{Step: &itk.Instruction_Steps{Steps: steps}})
		equal(t, "answer", []any{state(task), statusText(task)}, []any{"COMPLETED", "one\ntwo"})
	})
	t.Run("base64 in a text counts", func(t *testing.T) {
		encoded, err := proto.Marshal(says("hi", false))
		if err != nil {
			t.Fatal(err)
		}
		task := send(t, from, suite.Tell, object{"text": base64.StdEncoding.EncodeToString(encoded)}, nil)
		equal(t, "answer", statusText(task), "hi")
	})
	transports := map[string][]string{"JSONRPC": {"jsonrpc"}, "HTTP+JSON": {"http_json", "rest", "HTTP+JSON"}, "GRPC": {"grpc"}}
	for _, dialect := range suite.Dialects {
		for _, transport := range transports[dialect.Binding] {
			t.Run("other agents are called over "+transport, func(t *testing.T) {
				for _, streaming := range []bool{false, true} {
					task := carry(t, calls(transport, says("pong", false), func(call *itk.CallAgent) { call.Streaming = streaming }))
					equal(t, "answer", []any{state(task), statusText(task)}, []any{"COMPLETED", "pong"})
				}
			})
		}
	}
	t.Run("failures carry their cause", func(t *testing.T) {
		unspoken := calls("pigeon", says("pong", false), nil)
		for _, instruction := range []*itk.Instruction{unspoken, calls("jsonrpc", unspoken, nil)} {
			task := carry(t, instruction)
			equal(t, "state", state(task), "FAILED")
			if !strings.Contains(statusText(task), `not "pigeon"`) {
				t.Errorf("text: %q", statusText(task))
			}
		}
		bad := object{"raw": "////", "mediaType": lab.InstructionMediaType, "filename": "instruction.bin"}
		equal(t, "bytes that are no instruction", state(send(t, from, suite.Tell, bad, nil)), "FAILED")
	})
	t.Run("push is registered with the token of the test kit", func(t *testing.T) {
		hook := newWebhook(t)
		task := carry(t, calls("jsonrpc", says("pong", false), func(call *itk.CallAgent) {
			call.Behavior = &itk.CallAgent_PushNotification{PushNotification: &itk.PushNotificationBehavior{Url: hook.url}}
		}))
		equal(t, "answer", statusText(task), "pong")
		delivery := hook.last(t, "completed")
		equal(t, "path", delivery.path, "/hook/notifications")
		token := delivery.header.Get("X-A2A-Notification-Token") + delivery.header.Get("A2A-Notification-Token")
		equal(t, "token", token, "itk-token")
	})
	t.Run("a held task is taken up again and cancelled", func(t *testing.T) {
		task := carry(t, calls("jsonrpc", says("pong", true), func(call *itk.CallAgent) {
			call.Behavior = &itk.CallAgent_Resubscribe{Resubscribe: &itk.ResubscribeBehavior{}}
		}))
		wanted := []any{"COMPLETED", "pong"}
		if !suite.SubscriptionsShowTheTask { // so that it cannot show what was said before
			wanted = []any{"FAILED", `the stream ended without "task-finished"`}
		}
		equal(t, "answer", []any{state(task), statusText(task)}, wanted)
	})
}
