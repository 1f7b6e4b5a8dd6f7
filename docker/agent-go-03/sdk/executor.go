package sdk

import (
	"context"
	"errors"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2asrv"
	"github.com/a2aproject/a2a-go/a2asrv/eventqueue"

	"plugfest/agent/lab"
)

// executor is the agent behind the SDK's server.
type executor struct{ agent *lab.Agent }

var _ a2asrv.AgentExecutor = (*executor)(nil)

func (executor *executor) Execute(ctx context.Context, request *a2asrv.RequestContext, queue eventqueue.Queue) error {
	message := lab.Message{
		ID:                  request.Message.ID,
		Parts:               fromParts(request.Message.Parts),
		Waits:               waits(request.StoredTask),
		AcceptedOutputModes: acceptedModes(ctx),
	}
	out := &outlet{ctx: ctx, request: request, queue: queue, opened: request.StoredTask != nil}
	err := executor.agent.Act(ctx, message, out)
	switch {
	case errors.Is(err, lab.ErrStopped), ctx.Err() != nil: // what could be said is said
		return nil
	case errors.Is(err, lab.ErrNoFittingMode):
		return a2a.NewError(a2a.ErrUnsupportedContentType, err.Error())
	}
	return err
}

func (executor *executor) Cancel(ctx context.Context, request *a2asrv.RequestContext, queue eventqueue.Queue) error {
	executor.agent.Forget(string(request.TaskID))
	canceled := a2a.NewStatusUpdateEvent(request, a2a.TaskStateCanceled, nil)
	canceled.Final = true
	return queue.Write(ctx, canceled)
}

func waits(task *a2a.Task) bool {
	if task == nil {
		return false
	}
	return task.Status.State == a2a.TaskStateInputRequired || task.Status.State == a2a.TaskStateAuthRequired
}

// outlet hands what the agent says to the SDK: the task itself first.
type outlet struct {
	ctx     context.Context
	request *a2asrv.RequestContext
	queue   eventqueue.Queue
	opened  bool
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
		message = a2a.NewMessageForTask(a2a.MessageRoleAgent, outlet.request, a2a.TextPart{Text: text})
	}
	update := a2a.NewStatusUpdateEvent(outlet.request, toState(state), message)
	// The SDK leaves it to the agent to say what ends a stream.
	update.Final = state != lab.Working && state != lab.Submitted
	return outlet.put(update)
}

func (outlet *outlet) Artifact(chunk lab.Chunk) error {
	if err := outlet.Open(); err != nil {
		return err
	}
	parts, err := toParts(chunk.Parts)
	if err != nil {
		return err
	}
	event := a2a.NewArtifactUpdateEvent(outlet.request, a2a.ArtifactID(chunk.ArtifactID), parts...)
	event.Artifact.Name, event.Append, event.LastChunk = chunk.Name, chunk.Append, chunk.Last
	return outlet.put(event)
}

func (outlet *outlet) Reply(text string) error {
	context := a2a.TaskInfo{ContextID: outlet.request.ContextID}
	return outlet.put(a2a.NewMessageForTask(a2a.MessageRoleAgent, context, a2a.TextPart{Text: text}))
}

func (outlet *outlet) put(event a2a.Event) error {
	if outlet.queue.Write(outlet.ctx, event) != nil {
		return lab.ErrStopped
	}
	return nil
}
