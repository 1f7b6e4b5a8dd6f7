package lab

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"plugfest/agent/lab/itk"
)

const (
	finished  = "task-finished"
	walkLimit = 60 * time.Second
)

var transports = map[string]string{
	"jsonrpc": JSONRPC, "http_json": HTTPJSON, "rest": HTTPJSON, "http+json": HTTPJSON, "grpc": GRPC,
}

// outcome is what steps said, and whether the task is to be held open afterwards.
type outcome struct {
	outputs []string
	hold    bool
}

// carryOut plays an instruction and ends the task: COMPLETED with the outputs, or FAILED with the cause.
func (agent *Agent) carryOut(say *script, instruction *itk.Instruction, err error) {
	say.do(say.out.Open)
	if say.err != nil {
		return
	}
	var result outcome
	if err == nil {
		result, err = agent.step(say.ctx, instruction)
	}
	if say.ctx.Err() != nil { // cancelled meanwhile
		say.err = say.ctx.Err()
		return
	}
	if err != nil {
		say.status(Failed, err.Error())
		return
	}
	text := strings.Join(result.outputs, "\n")
	if result.hold {
		say.working(text + "\n" + finished)
		for tick := 1; tick <= 5 && say.err == nil; tick++ {
			say.pause(2 * time.Second)
			say.working(fmt.Sprintf("tick %d", tick))
		}
	}
	say.completed(text)
}

func (agent *Agent) step(ctx context.Context, instruction *itk.Instruction) (outcome, error) {
	switch step := instruction.GetStep().(type) {
	case *itk.Instruction_ReturnResponse:
		response := step.ReturnResponse
		return outcome{[]string{response.GetResponse()}, response.GetHoldTask()}, nil
	case *itk.Instruction_Steps:
		var all outcome
		for _, one := range step.Steps.GetInstructions() {
			result, err := agent.step(ctx, one)
			if err != nil {
				return all, err
			}
			all.outputs = append(all.outputs, result.outputs...)
			all.hold = all.hold || result.hold
		}
		return all, nil
	case *itk.Instruction_CallAgent:
		ctx, cancel := context.WithTimeout(ctx, walkLimit)
		defer cancel()
		output, err := agent.callOn(ctx, step.CallAgent)
		return outcome{outputs: []string{output}}, err
	}
	return outcome{}, errors.New("an instruction without a step")
}

func (agent *Agent) callOn(ctx context.Context, order *itk.CallAgent) (string, error) {
	binding, known := transports[strings.ToLower(order.GetTransport())]
	if !known {
		return "", fmt.Errorf("this client speaks jsonrpc, http_json and grpc, not %q", order.GetTransport())
	}
	part, err := instructionPart(order.GetInstruction())
	if err != nil {
		return "", err
	}
	send := Send{Parts: []Part{part}}
	peer, err := agent.dial(ctx, order.GetAgentCardUri())
	if err != nil {
		return "", err
	}
	chosen, err := pick(peer, binding, "")
	if err != nil {
		return "", err
	}
	client, err := peer.Connect(ctx, chosen, Wishes{})
	if err != nil {
		return "", err
	}
	defer func() { _ = client.Close() }() // what it would tell is of the connection, not of the call
	switch behaviour := order.GetBehavior().(type) {
	case *itk.CallAgent_Resubscribe:
		return resubscribe(ctx, client, send)
	case *itk.CallAgent_PushNotification:
		url := behaviour.PushNotification.GetUrl() + "/notifications"
		send.Configuration = &Configuration{Push: &Push{URL: url, Token: "itk-token"}}
	}
	if order.GetStreaming() {
		return listen(client.SendStreamingMessage(ctx, send), "")
	}
	event, err := client.SendMessage(ctx, send)
	if err != nil {
		return "", err
	}
	var reply reply
	err = reply.add(event)
	return reply.text(), err
}

func resubscribe(ctx context.Context, client Client, send Send) (string, error) {
	taskID := ""
	for event, err := range client.SendStreamingMessage(ctx, send) {
		if err != nil {
			return "", err
		}
		taskID = event.has("taskId")
		break
	}
	if taskID == "" {
		return "", errors.New("the first event of the stream names no task to subscribe to")
	}
	text, err := listen(client.SubscribeToTask(ctx, taskID), finished)
	if err != nil {
		return "", err
	}
	if _, err := client.CancelTask(ctx, taskID); err != nil {
		return "", err
	}
	return strings.TrimRight(strings.TrimSuffix(text, finished), "\n"), nil
}

// listen reads a stream until a text was said, or to its end where none is waited for.
func listen(events iter.Seq2[Event, error], until string) (string, error) {
	var reply reply
	for event, err := range events {
		if err == nil {
			err = reply.add(event)
		}
		if err != nil {
			return "", err
		}
		if until != "" && strings.Contains(reply.text(), until) {
			return reply.text(), nil
		}
	}
	if until != "" {
		return "", fmt.Errorf("the stream ended without %q", until)
	}
	return reply.text(), nil
}

// reply gathers what a peer said: the text of its last status or message that had one, else its artifacts.
type reply struct{ said, artifacts string }

func (reply *reply) add(event Event) error {
	text := event.has("text")
	switch State(event.has("state")) {
	case Failed, Rejected, Canceled:
		return fmt.Errorf("the peer ended with %s: %s", event.has("state"), text)
	}
	if text != "" {
		reply.said = text
	}
	if artifacts, isList := event["artifacts"].([]any); isList {
		reply.artifacts = ""
		for _, one := range artifacts {
			reply.addArtifact(one)
		}
	}
	reply.addArtifact(event["artifact"])
	return nil
}

func (reply *reply) addArtifact(artifact any) {
	if told, isObject := artifact.(map[string]any); isObject {
		reply.artifacts += Event(told).has("text")
	}
}

func (reply *reply) text() string {
	if reply.said != "" {
		return reply.said
	}
	return reply.artifacts
}
