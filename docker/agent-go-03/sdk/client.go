package sdk

import (
	"context"
	"iter"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"

	"plugfest/agent/lab"
)

// client is the SDK's client for one interface.
type client struct {
	client       *a2aclient.Client
	binding      string
	extendedCard bool // that the card offers one
}

var _ lab.Client = (*client)(nil)

func (client *client) SendMessage(ctx context.Context, send lab.Send) (lab.Event, error) {
	params, err := toParams(send)
	if err != nil {
		return nil, err
	}
	result, err := client.client.SendMessage(ctx, params)
	if err != nil {
		return nil, err
	}
	return event(result), nil
}

func (client *client) SendStreamingMessage(ctx context.Context, send lab.Send) iter.Seq2[lab.Event, error] {
	params, err := toParams(send)
	if err != nil {
		return func(yield func(lab.Event, error) bool) { yield(nil, err) }
	}
	return events(client.client.SendStreamingMessage(ctx, params))
}

func (client *client) GetTask(ctx context.Context, taskID string, historyLength *int) (lab.Event, error) {
	query := &a2a.TaskQueryParams{ID: a2a.TaskID(taskID), HistoryLength: historyLength}
	return read(taskEvent)(client.client.GetTask(ctx, query))
}

func (client *client) CancelTask(ctx context.Context, taskID string) (lab.Event, error) {
	return read(taskEvent)(client.client.CancelTask(ctx, &a2a.TaskIDParams{ID: a2a.TaskID(taskID)}))
}

func (client *client) SubscribeToTask(ctx context.Context, taskID string) iter.Seq2[lab.Event, error] {
	return events(client.client.ResubscribeToTask(ctx, &a2a.TaskIDParams{ID: a2a.TaskID(taskID)}))
}

// ListTasks is not told to 0.3, which has no such operation, though the SDK's client has one.
func (client *client) ListTasks(context.Context, lab.List) ([]lab.Event, error) {
	return nil, lab.UnsupportedByClient("ListTasks")
}

func (client *client) CreatePushConfig(ctx context.Context, taskID string, push lab.Push) (lab.Event, error) {
	config := &a2a.TaskPushConfig{TaskID: a2a.TaskID(taskID), Config: *toPush(push)}
	return read(pushEvent)(client.client.SetTaskPushConfig(ctx, config))
}

func (client *client) GetPushConfig(ctx context.Context, taskID, configID string) (lab.Event, error) {
	params := &a2a.GetTaskPushConfigParams{TaskID: a2a.TaskID(taskID), ConfigID: configID}
	return read(pushEvent)(client.client.GetTaskPushConfig(ctx, params))
}

func (client *client) ListPushConfigs(ctx context.Context, taskID string) ([]lab.Event, error) {
	configs, err := client.client.ListTaskPushConfig(ctx, &a2a.ListTaskPushConfigParams{TaskID: a2a.TaskID(taskID)})
	if err != nil {
		return nil, err
	}
	var seen []lab.Event
	for _, config := range configs {
		seen = append(seen, pushEvent(config))
	}
	return seen, nil
}

func (client *client) DeletePushConfig(ctx context.Context, taskID, configID string) error {
	params := &a2a.DeleteTaskPushConfigParams{TaskID: a2a.TaskID(taskID), ConfigID: configID}
	return client.client.DeleteTaskPushConfig(ctx, params)
}

// GetExtendedAgentCard says so where the SDK would give the public card without a call.
func (client *client) GetExtendedAgentCard(ctx context.Context) (lab.Event, error) {
	if !client.extendedCard {
		return nil, a2a.ErrAuthenticatedExtendedCardNotConfigured
	}
	return read(cardEvent)(client.client.GetAgentCard(ctx))
}

func (client *client) Close() error { return client.client.Destroy() }

// read turns what a call gave into an event, where it gave something.
func read[T any](describe func(*T) lab.Event) func(*T, error) (lab.Event, error) {
	return func(given *T, err error) (lab.Event, error) {
		if err != nil {
			return nil, err
		}
		if given == nil {
			return lab.UnknownEvent(), nil
		}
		return describe(given), nil
	}
}

func events(given iter.Seq2[a2a.Event, error]) iter.Seq2[lab.Event, error] {
	return func(yield func(lab.Event, error) bool) {
		for one, err := range given {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(event(one), nil) {
				return
			}
		}
	}
}
