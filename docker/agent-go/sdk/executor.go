package sdk

import (
	"context"
	"errors"
	"iter"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"plugfest/agent/lab"
)

// executor is the agent behind the SDK's server.
type executor struct{ agent *lab.Agent }

var _ a2asrv.AgentExecutor = (*executor)(nil)

func (executor *executor) Execute(ctx context.Context, request *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		message := lab.Message{
			ID:                  request.Message.ID,
			Parts:               fromParts(request.Message.Parts),
			Waits:               waits(request.StoredTask),
			AcceptedOutputModes: acceptedModes(ctx),
		}
		err := executor.agent.Act(ctx, message, &outlet{request: request, yield: yield, opened: request.StoredTask != nil})
		switch {
		case err == nil, errors.Is(err, lab.ErrStopped), ctx.Err() != nil: // what could be said is said
		case errors.Is(err, lab.ErrNoFittingMode):
			yield(nil, a2a.NewError(a2a.ErrUnsupportedContentType, err.Error()))
		default:
			yield(nil, err)
		}
	}
}

func (executor *executor) Cancel(_ context.Context, request *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		executor.agent.Forget(string(request.TaskID))
		yield(a2a.NewStatusUpdateEvent(request, a2a.TaskStateCanceled, nil), nil)
	}
}

func waits(task *a2a.Task) bool {
	if task == nil {
		return false
	}
	return task.Status.State == a2a.TaskStateInputRequired || task.Status.State == a2a.TaskStateAuthRequired
}

// outlet hands what the agent says to the SDK, which wants the task itself first.
type outlet struct {
	request *a2asrv.ExecutorContext
	yield   func(a2a.Event, error) bool
	opened  bool
	stopped bool
}

var _ lab.Outlet = (*outlet)(nil)

func (outlet *outlet) TaskID() string { return string(outlet.request.TaskID) }

func (outlet *outlet) NewArtifactID() string { return string(a2a.NewArtifactID()) }

func (outlet *outlet) Open() error {
	if outlet.opened {
		return nil
	}
	outlet.opened = true
	return outlet.put(a2a.NewSubmittedTask(outlet.request, outlet.request.Message))
}

func (outlet *outlet) Status(state lab.State, text string) error {
	if err := outlet.Open(); err != nil {
		return err
	}
	var message *a2a.Message
	if text != "" {
		message = a2a.NewMessageForTask(a2a.MessageRoleAgent, outlet.request, a2a.NewTextPart(text))
	}
	return outlet.put(a2a.NewStatusUpdateEvent(outlet.request, a2a.TaskState(state), message))
}

func (outlet *outlet) Artifact(chunk lab.Chunk) error {
	if err := outlet.Open(); err != nil {
		return err
	}
	event := a2a.NewArtifactUpdateEvent(outlet.request, a2a.ArtifactID(chunk.ArtifactID), toParts(chunk.Parts)...)
	event.Artifact.Name, event.Append, event.LastChunk = chunk.Name, chunk.Append, chunk.Last
	return outlet.put(event)
}

func (outlet *outlet) Reply(text string) error {
	context := a2a.TaskInfo{ContextID: outlet.request.ContextID}
	return outlet.put(a2a.NewMessageForTask(a2a.MessageRoleAgent, context, a2a.NewTextPart(text)))
}

// put must not yield again once the SDK has had enough.
func (outlet *outlet) put(event a2a.Event) error {
	if outlet.stopped || !outlet.yield(event, nil) {
		outlet.stopped = true
		return lab.ErrStopped
	}
	return nil
}
