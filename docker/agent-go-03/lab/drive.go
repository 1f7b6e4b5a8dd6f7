package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"
)

const (
	driveLimit   = 30 * time.Second
	messageLimit = 1000
)

// answerDrive makes the call and completes the task with what came of it, a refusal included.
func (agent *Agent) answerDrive(say *script, order map[string]any) {
	say.working("")
	if say.err != nil {
		return
	}
	result := agent.drive(say.ctx, order)
	if say.ctx.Err() != nil { // cancelled meanwhile
		say.err = say.ctx.Err()
		return
	}
	say.artifact("drive-result", Part{Kind: DataPart, Data: result, MediaType: "application/json"})
	say.completed("")
}

// drive makes the call. What the peer does or fails to do is in the result.
func (agent *Agent) drive(ctx context.Context, order map[string]any) map[string]any {
	ctx, cancel := context.WithTimeout(ctx, driveLimit)
	defer cancel()
	seen := sightings{events: []Event{}}
	op := ""
	read, err := readDrive(order)
	if err == nil {
		op = read.Call.Op
		err = agent.makeCall(ctx, read, &seen)
	} else if call, isObject := order["call"].(map[string]any); isObject {
		op, _ = call["op"].(string)
	}
	result := map[string]any{"plugfest": "drive-result/1", "op": op, "ok": err == nil, "events": seen.events}
	if err != nil {
		result["error"] = seen.failure(ctx, err)
	}
	return plain(result)
}

// sightings are what the client saw, and who can name its errors.
type sightings struct {
	events []Event
	client Client
}

func (seen *sightings) failure(ctx context.Context, err error) Failure {
	var named *namedError
	failure := Unnamed(err)
	switch {
	case errors.As(err, &named):
		failure.Name = named.name
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		failure = Failure{Name: "TimeoutError", Message: fmt.Sprintf("no end after %v: %v", driveLimit, err)}
	case seen.client != nil:
		failure = seen.client.Describe(err)
	}
	if len(failure.Message) > messageLimit {
		failure.Message = failure.Message[:messageLimit]
	}
	return failure
}

func (agent *Agent) makeCall(ctx context.Context, order *drive, seen *sightings) error {
	carry, known := operations[order.Call.Op]
	if !known && order.Call.Op != "GetAgentCard" {
		return badDriveCall("%q is no op", order.Call.Op)
	}
	wishes := Wishes{Extensions: order.Extensions}
	if order.As != "" {
		if wishes.Token = agent.tokens[order.As]; wishes.Token == "" {
			return badDriveCall("LAB_AGENT_TOKENS knows no principal %q", order.As)
		}
	}
	peer, err := agent.dial(ctx, order.Card)
	if err != nil {
		return err
	}
	if !known {
		seen.events = append(seen.events, peer.Card())
		return nil
	}
	if order.Version == "" {
		return badDriveCall(`"version" must be 1.0 or 0.3`)
	}
	chosen, err := pick(peer, order.Binding, order.Version)
	if err != nil {
		return err
	}
	client, err := peer.Connect(ctx, chosen, wishes)
	if err != nil {
		return err
	}
	seen.client = client
	defer func() { _ = client.Close() }() // what it would tell is of the connection, not of the call
	return carry(ctx, client, order.Call, seen)
}

type operation func(ctx context.Context, client Client, call *call, seen *sightings) error

// operations are all but GetAgentCard, which needs no client.
var operations = map[string]operation{
	"SendMessage": func(ctx context.Context, client Client, call *call, seen *sightings) error {
		send, err := call.send()
		if err != nil {
			return err
		}
		return seen.one(client.SendMessage(ctx, send))
	},
	"SendStreamingMessage": func(ctx context.Context, client Client, call *call, seen *sightings) error {
		send, err := call.send()
		if err != nil {
			return err
		}
		return seen.stream(client.SendStreamingMessage(ctx, send), call.StopAfterEvents)
	},
	"GetTask": func(ctx context.Context, client Client, call *call, seen *sightings) error {
		taskID, err := call.task()
		if err != nil {
			return err
		}
		return seen.one(client.GetTask(ctx, taskID, call.HistoryLength))
	},
	"CancelTask": func(ctx context.Context, client Client, call *call, seen *sightings) error {
		taskID, err := call.task()
		if err != nil {
			return err
		}
		return seen.one(client.CancelTask(ctx, taskID))
	},
	"SubscribeToTask": func(ctx context.Context, client Client, call *call, seen *sightings) error {
		taskID, err := call.task()
		if err != nil {
			return err
		}
		return seen.stream(client.SubscribeToTask(ctx, taskID), call.StopAfterEvents)
	},
	"ListTasks": func(ctx context.Context, client Client, call *call, seen *sightings) error {
		return seen.several(client.ListTasks(ctx, List{
			ContextID: call.ContextID, Status: State(call.Status), PageSize: call.PageSize, PageToken: call.PageToken,
			HistoryLength: call.HistoryLength, IncludeArtifacts: call.IncludeArtifacts,
		}))
	},
	"CreateTaskPushNotificationConfig": func(ctx context.Context, client Client, call *call, seen *sightings) error {
		taskID, err := call.task()
		if err == nil && call.Push == nil {
			err = badDriveCall("%s needs a push", call.Op)
		}
		if err != nil {
			return err
		}
		return seen.one(client.CreatePushConfig(ctx, taskID, *call.Push))
	},
	"GetTaskPushNotificationConfig": func(ctx context.Context, client Client, call *call, seen *sightings) error {
		taskID, configID, err := call.taskAndConfig()
		if err != nil {
			return err
		}
		return seen.one(client.GetPushConfig(ctx, taskID, configID))
	},
	"ListTaskPushNotificationConfigs": func(ctx context.Context, client Client, call *call, seen *sightings) error {
		taskID, err := call.task()
		if err != nil {
			return err
		}
		return seen.several(client.ListPushConfigs(ctx, taskID))
	},
	"DeleteTaskPushNotificationConfig": func(ctx context.Context, client Client, call *call, _ *sightings) error {
		taskID, configID, err := call.taskAndConfig()
		if err != nil {
			return err
		}
		return client.DeletePushConfig(ctx, taskID, configID)
	},
	"GetExtendedAgentCard": func(ctx context.Context, client Client, _ *call, seen *sightings) error {
		return seen.one(client.GetExtendedAgentCard(ctx))
	},
}

func (seen *sightings) one(event Event, err error) error {
	if err == nil {
		seen.events = append(seen.events, event)
	}
	return err
}

func (seen *sightings) several(events []Event, err error) error {
	seen.events = append(seen.events, events...)
	return err
}

func (seen *sightings) stream(events iter.Seq2[Event, error], stopAfter *int) error {
	for event, err := range events {
		if err != nil {
			return err
		}
		seen.events = append(seen.events, event)
		if stopAfter != nil && len(seen.events) >= *stopAfter {
			seen.events = append(seen.events, closedEvent("client"))
			return nil
		}
	}
	seen.events = append(seen.events, closedEvent("server"))
	return nil
}

// plain turns a value into what JSON decodes to: SDKs copy and convert data parts of those types alone.
func plain(value map[string]any) map[string]any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // made of maps, lists, texts, numbers and truth values
	}
	var read map[string]any
	if err := json.Unmarshal(text, &read); err != nil {
		panic(err)
	}
	return read
}
