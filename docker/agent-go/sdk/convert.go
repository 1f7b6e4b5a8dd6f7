package sdk

import (
	"github.com/a2aproject/a2a-go/v2/a2a"

	"plugfest/agent/lab"
)

func toPart(part lab.Part) *a2a.Part {
	made := &a2a.Part{Filename: part.Filename, MediaType: part.MediaType}
	switch part.Kind {
	case lab.RawPart:
		made.Content = a2a.Raw(part.Raw)
	case lab.URLPart:
		made.Content = a2a.URL(part.Text)
	case lab.DataPart:
		made.Content = a2a.Data{Value: part.Data}
	default:
		made.Content = a2a.Text(part.Text)
	}
	return made
}

func toParts(parts []lab.Part) a2a.ContentParts {
	made := make(a2a.ContentParts, 0, len(parts))
	for _, part := range parts {
		made = append(made, toPart(part))
	}
	return made
}

func fromParts(parts a2a.ContentParts) []lab.Part {
	read := make([]lab.Part, 0, len(parts))
	for _, part := range parts {
		if part == nil {
			continue
		}
		one := lab.Part{Filename: part.Filename, MediaType: part.MediaType}
		switch content := part.Content.(type) {
		case a2a.Text:
			one.Kind, one.Text = lab.TextPart, string(content)
		case a2a.Raw:
			one.Kind, one.Raw = lab.RawPart, content
		case a2a.URL:
			one.Kind, one.Text = lab.URLPart, string(content)
		case a2a.Data:
			one.Kind, one.Data = lab.DataPart, content.Value
		default:
			continue
		}
		read = append(read, one)
	}
	return read
}

func fromStatus(status a2a.TaskStatus) lab.Status {
	read := lab.Status{State: lab.State(status.State.String())}
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
		return lab.MessageEvent(seen.ID, string(seen.TaskID), seen.ContextID, seen.Role.String(), fromParts(seen.Parts))
	case *a2a.TaskStatusUpdateEvent:
		return lab.StatusEvent(string(seen.TaskID), seen.ContextID, fromStatus(seen.Status))
	case *a2a.TaskArtifactUpdateEvent:
		return lab.ArtifactEvent(string(seen.TaskID), seen.ContextID, fromArtifact(seen.Artifact), seen.Append, seen.LastChunk)
	}
	return lab.UnknownEvent()
}

func toPush(taskID string, push lab.Push) *a2a.PushConfig {
	config := &a2a.PushConfig{TaskID: a2a.TaskID(taskID), ID: push.ID, Token: push.Token, URL: push.URL}
	if push.Authentication != nil {
		config.Auth = &a2a.PushAuthInfo{Scheme: push.Authentication.Scheme, Credentials: push.Authentication.Credentials}
	}
	return config
}

func pushEvent(config *a2a.PushConfig) lab.Event {
	return lab.PushConfigEvent(string(config.TaskID), config.ID, config.URL)
}

func toRequest(send lab.Send) *a2a.SendMessageRequest {
	message := a2a.NewMessage(a2a.MessageRoleUser, toParts(send.Parts)...)
	if send.MessageID != "" {
		message.ID = send.MessageID
	}
	message.TaskID, message.ContextID = a2a.TaskID(send.TaskID), send.ContextID
	for _, taskID := range send.ReferenceTaskIDs {
		message.ReferenceTasks = append(message.ReferenceTasks, a2a.TaskID(taskID))
	}
	request := &a2a.SendMessageRequest{Message: message}
	if given := send.Configuration; given != nil {
		request.Config = &a2a.SendMessageConfig{
			ReturnImmediately:   given.ReturnImmediately,
			HistoryLength:       given.HistoryLength,
			AcceptedOutputModes: given.AcceptedOutputModes,
		}
		if given.Push != nil {
			request.Config.PushConfig = toPush("", *given.Push)
		}
	}
	return request
}
