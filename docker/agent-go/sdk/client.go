package sdk

import (
	"context"
	"iter"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"

	"plugfest/agent/lab"
)

// client is the SDK's client for one interface.
type client struct {
	client  *a2aclient.Client
	params  a2aclient.ServiceParams
	binding string
}

var _ lab.Client = (*client)(nil)

func (client *client) with(ctx context.Context) context.Context {
	return a2aclient.AttachServiceParams(ctx, client.params)
}

func (client *client) SendMessage(ctx context.Context, send lab.Send) (lab.Event, error) {
	result, err := client.client.SendMessage(client.with(ctx), toRequest(send))
	if err != nil {
		return nil, err
	}
	return event(result), nil
}

func (client *client) SendStreamingMessage(ctx context.Context, send lab.Send) iter.Seq2[lab.Event, error] {
	return events(client.client.SendStreamingMessage(client.with(ctx), toRequest(send)))
}

func (client *client) GetTask(ctx context.Context, taskID string, historyLength *int) (lab.Event, error) {
	request := &a2a.GetTaskRequest{ID: a2a.TaskID(taskID), HistoryLength: historyLength}
	return read(taskEvent)(client.client.GetTask(client.with(ctx), request))
}

func (client *client) CancelTask(ctx context.Context, taskID string) (lab.Event, error) {
	request := &a2a.CancelTaskRequest{ID: a2a.TaskID(taskID)}
	return read(taskEvent)(client.client.CancelTask(client.with(ctx), request))
}

func (client *client) SubscribeToTask(ctx context.Context, taskID string) iter.Seq2[lab.Event, error] {
	request := &a2a.SubscribeToTaskRequest{ID: a2a.TaskID(taskID)}
	return events(client.client.SubscribeToTask(client.with(ctx), request))
}

func (client *client) ListTasks(ctx context.Context, list lab.List) ([]lab.Event, error) {
	request := &a2a.ListTasksRequest{
		ContextID: list.ContextID, Status: a2a.TaskState(list.Status), PageToken: list.PageToken,
		HistoryLength: list.HistoryLength,
	}
	if list.PageSize != nil {
		request.PageSize = *list.PageSize
	}
	if list.IncludeArtifacts != nil {
		request.IncludeArtifacts = *list.IncludeArtifacts
	}
	page, err := client.client.ListTasks(client.with(ctx), request)
	if err != nil {
		return nil, err
	}
	seen := make([]lab.Event, 0, len(page.Tasks)+1)
	for _, task := range page.Tasks {
		seen = append(seen, taskEvent(task))
	}
	return append(seen, lab.PageEvent(page.NextPageToken, page.TotalSize)), nil
}

func (client *client) CreatePushConfig(ctx context.Context, taskID string, push lab.Push) (lab.Event, error) {
	return read(pushEvent)(client.client.CreateTaskPushConfig(client.with(ctx), toPush(taskID, push)))
}

func (client *client) GetPushConfig(ctx context.Context, taskID, configID string) (lab.Event, error) {
	request := &a2a.GetTaskPushConfigRequest{TaskID: a2a.TaskID(taskID), ID: configID}
	return read(pushEvent)(client.client.GetTaskPushConfig(client.with(ctx), request))
}

func (client *client) ListPushConfigs(ctx context.Context, taskID string) ([]lab.Event, error) {
	request := &a2a.ListTaskPushConfigRequest{TaskID: a2a.TaskID(taskID)}
	configs, err := client.client.ListTaskPushConfigs(client.with(ctx), request)
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
	request := &a2a.DeleteTaskPushConfigRequest{TaskID: a2a.TaskID(taskID), ID: configID}
	return client.client.DeleteTaskPushConfig(client.with(ctx), request)
}

func (client *client) GetExtendedAgentCard(ctx context.Context) (lab.Event, error) {
	return read(cardEvent)(client.client.GetExtendedAgentCard(client.with(ctx), &a2a.GetExtendedAgentCardRequest{}))
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
