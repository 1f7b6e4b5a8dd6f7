package lab

// Event is an entry of a drive result's `events`: what the agent's client saw.
type Event map[string]any

// Status is a task's state and the text of its status message.
type Status struct {
	State State
	Parts []Part // of the status message
}

// Artifact as a client saw it.
type Artifact struct {
	ID    string
	Name  string
	Parts []Part
}

// TaskEvent tells a task; history is the number of messages.
func TaskEvent(taskID, contextID string, status Status, artifacts []Artifact, history int) Event {
	told := make([]any, 0, len(artifacts))
	for _, artifact := range artifacts {
		told = append(told, artifact.described())
	}
	return Event{
		"kind": "task", "taskId": taskID, "contextId": contextID, "state": string(status.State),
		"text": joinedText(status.Parts), "artifacts": told, "history": history,
	}
}

func StatusEvent(taskID, contextID string, status Status) Event {
	return Event{
		"kind": "status", "taskId": taskID, "contextId": contextID, "state": string(status.State),
		"text": joinedText(status.Parts),
	}
}

func ArtifactEvent(taskID, contextID string, artifact Artifact, appended, last bool) Event {
	return Event{
		"kind": "artifact", "taskId": taskID, "contextId": contextID, "artifact": artifact.described(),
		"append": appended, "lastChunk": last,
	}
}

func MessageEvent(messageID, taskID, contextID, role string, parts []Part) Event {
	event := Event{"kind": "message", "messageId": messageID, "role": role, "text": joinedText(parts)}
	if taskID != "" {
		event["taskId"] = taskID
	}
	if contextID != "" {
		event["contextId"] = contextID
	}
	return event
}

func CardEvent(name string, interfaces []Interface, skills []string) Event {
	var versions, bindings []string
	for _, one := range interfaces {
		versions = append(versions, one.Version)
		bindings = append(bindings, one.Binding)
	}
	return Event{"kind": "card", "name": name, "versions": distinct(versions), "bindings": distinct(bindings), "skills": distinct(skills)}
}

func PageEvent(nextPageToken string, totalSize int) Event {
	return Event{"kind": "page", "nextPageToken": nextPageToken, "totalSize": totalSize}
}

func PushConfigEvent(taskID, configID, url string) Event {
	return Event{"kind": "pushConfig", "taskId": taskID, "id": configID, "url": url}
}

// UnknownEvent is what the SDK gave without saying what it is.
func UnknownEvent() Event { return Event{"kind": "unknown"} }

func closedEvent(by string) Event { return Event{"kind": "closed", "by": by} }

// has gives a member that is a string, or nothing.
func (event Event) has(member string) string {
	text, _ := event[member].(string)
	return text
}

func (artifact Artifact) described() map[string]any {
	contents := make([]any, 0, len(artifact.Parts))
	for _, part := range artifact.Parts {
		contents = append(contents, part.described())
	}
	told := map[string]any{"artifactId": artifact.ID, "text": joinedText(artifact.Parts), "contents": contents}
	if artifact.Name != "" {
		told["name"] = artifact.Name
	}
	return told
}

func distinct(texts []string) []any {
	seen := map[string]bool{}
	kept := []any{}
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			kept = append(kept, text)
		}
	}
	return kept
}
