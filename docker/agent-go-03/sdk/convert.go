package sdk

import (
	"encoding/base64"

	"github.com/a2aproject/a2a-go/a2a"

	"plugfest/agent/lab"
)

// states are the names of 1.0 for those of 0.3.
var states = map[a2a.TaskState]lab.State{
	a2a.TaskStateSubmitted:     lab.Submitted,
	a2a.TaskStateWorking:       lab.Working,
	a2a.TaskStateCompleted:     lab.Completed,
	a2a.TaskStateFailed:        lab.Failed,
	a2a.TaskStateCanceled:      lab.Canceled,
	a2a.TaskStateRejected:      lab.Rejected,
	a2a.TaskStateInputRequired: lab.InputRequired,
	a2a.TaskStateAuthRequired:  lab.AuthRequired,
}

func fromState(state a2a.TaskState) lab.State {
	if name, known := states[state]; known {
		return name
	}
	return "TASK_STATE_UNSPECIFIED"
}

func toState(name lab.State) a2a.TaskState {
	for state, one := range states {
		if one == name {
			return state
		}
	}
	return a2a.TaskStateUnknown
}

// toPart leaves out what 0.3 has no place for: the media type of texts and of data.
func toPart(part lab.Part) (a2a.Part, error) {
	meta := a2a.FileMeta{MimeType: part.MediaType, Name: part.Filename}
	switch part.Kind {
	case lab.RawPart:
		return a2a.FilePart{File: a2a.FileBytes{FileMeta: meta, Bytes: base64.StdEncoding.EncodeToString(part.Raw)}}, nil
	case lab.URLPart:
		return a2a.FilePart{File: a2a.FileURI{FileMeta: meta, URI: part.Text}}, nil
	case lab.DataPart:
		object, isObject := part.Data.(map[string]any)
		if !isObject {
			return nil, lab.UnsupportedByClient("data part for a value that is no object")
		}
		return a2a.DataPart{Data: object}, nil
	}
	return a2a.TextPart{Text: part.Text}, nil
}

func toParts(parts []lab.Part) (a2a.ContentParts, error) {
	made := make(a2a.ContentParts, 0, len(parts))
	for _, part := range parts {
		one, err := toPart(part)
		if err != nil {
			return nil, err
		}
		made = append(made, one)
	}
	return made, nil
}

func fromParts(parts a2a.ContentParts) []lab.Part {
	read := make([]lab.Part, 0, len(parts))
	for _, part := range parts {
		switch part := part.(type) {
		case a2a.TextPart:
			read = append(read, lab.Text(part.Text))
		case *a2a.TextPart:
			read = append(read, lab.Text(part.Text))
		case a2a.DataPart:
			read = append(read, lab.Part{Kind: lab.DataPart, Data: part.Data})
		case *a2a.DataPart:
			read = append(read, lab.Part{Kind: lab.DataPart, Data: part.Data})
		case a2a.FilePart:
			read = append(read, fromFile(part.File))
		case *a2a.FilePart:
			read = append(read, fromFile(part.File))
		}
	}
	return read
}

func fromFile(file a2a.FilePartContent) lab.Part {
	switch file := file.(type) {
	case a2a.FileBytes:
		raw, err := base64.StdEncoding.DecodeString(file.Bytes)
		if err != nil {
			// Over gRPC the SDK hands on the bytes as they came, though it takes base64 for them elsewhere.
			raw = []byte(file.Bytes)
		}
		return lab.Part{Kind: lab.RawPart, Raw: raw, MediaType: file.MimeType, Filename: file.Name}
	case a2a.FileURI:
		return lab.Part{Kind: lab.URLPart, Text: file.URI, MediaType: file.MimeType, Filename: file.Name}
	}
	return lab.Part{Kind: lab.RawPart}
}

func fromStatus(status a2a.TaskStatus) lab.Status {
	read := lab.Status{State: fromState(status.State)}
	if status.Message != nil {
		read.Parts = fromParts(status.Message.Parts)
	}
	return read
}

func fromArtifact(artifact *a2a.Artifact) lab.Artifact {
	if artifact == nil {
		return lab.Artifact{}
	}
	return lab.Artifact{ID: string(artifact.ID), Name: artifact.Name, Parts: fromParts(artifact.Parts)}
}

func fromRole(role a2a.MessageRole) string {
	switch role {
	case a2a.MessageRoleAgent:
		return "ROLE_AGENT"
	case a2a.MessageRoleUser:
		return "ROLE_USER"
	}
	return string(role)
}

func taskEvent(task *a2a.Task) lab.Event {
	artifacts := make([]lab.Artifact, 0, len(task.Artifacts))
	for _, artifact := range task.Artifacts {
		artifacts = append(artifacts, fromArtifact(artifact))
	}
	return lab.TaskEvent(string(task.ID), task.ContextID, fromStatus(task.Status), artifacts, len(task.History))
}

func event(given a2a.Event) lab.Event {
	switch seen := given.(type) {
	case *a2a.Task:
		return taskEvent(seen)
	case *a2a.Message:
		return lab.MessageEvent(seen.ID, string(seen.TaskID), seen.ContextID, fromRole(seen.Role), fromParts(seen.Parts))
	case *a2a.TaskStatusUpdateEvent:
		return lab.StatusEvent(string(seen.TaskID), seen.ContextID, fromStatus(seen.Status))
	case *a2a.TaskArtifactUpdateEvent:
		return lab.ArtifactEvent(string(seen.TaskID), seen.ContextID, fromArtifact(seen.Artifact), seen.Append, seen.LastChunk)
	}
	return lab.UnknownEvent()
}

func toPush(push lab.Push) *a2a.PushConfig {
	config := &a2a.PushConfig{ID: push.ID, Token: push.Token, URL: push.URL}
	if push.Authentication != nil {
		config.Auth = &a2a.PushAuthInfo{
			Schemes: []string{push.Authentication.Scheme}, Credentials: push.Authentication.Credentials,
		}
	}
	return config
}

func pushEvent(config *a2a.TaskPushConfig) lab.Event {
	return lab.PushConfigEvent(string(config.TaskID), config.Config.ID, config.Config.URL)
}

func toParams(send lab.Send) (*a2a.MessageSendParams, error) {
	parts, err := toParts(send.Parts)
	if err != nil {
		return nil, err
	}
	message := a2a.NewMessage(a2a.MessageRoleUser, parts...)
	if send.MessageID != "" {
		message.ID = send.MessageID
	}
	message.TaskID, message.ContextID = a2a.TaskID(send.TaskID), send.ContextID
	for _, taskID := range send.ReferenceTaskIDs {
		message.ReferenceTasks = append(message.ReferenceTasks, a2a.TaskID(taskID))
	}
	blocking := true
	config := &a2a.MessageSendConfig{Blocking: &blocking}
	if given := send.Configuration; given != nil {
		blocking = !given.ReturnImmediately
		config.HistoryLength, config.AcceptedOutputModes = given.HistoryLength, given.AcceptedOutputModes
		if given.Push != nil {
			config.PushConfig = toPush(*given.Push)
		}
	}
	return &a2a.MessageSendParams{Message: message, Config: config}, nil
}
