package lab

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// drive is a drive call (docs/lab-agents.md): one call as a client, on order.
type drive struct {
	Card       string   `json:"card"`
	Binding    string   `json:"binding"`
	Version    string   `json:"version"`
	As         string   `json:"as"`
	Extensions []string `json:"extensions"`
	Call       *call    `json:"call"`
}

type call struct {
	Op               string         `json:"op"`
	Message          *driveMessage  `json:"message"`
	Configuration    *Configuration `json:"configuration"`
	StopAfterEvents  *int           `json:"stopAfterEvents"`
	TaskID           *string        `json:"taskId"`
	ConfigID         *string        `json:"configId"`
	Push             *Push          `json:"push"`
	HistoryLength    *int           `json:"historyLength"`
	ContextID        string         `json:"contextId"`
	Status           string         `json:"status"`
	PageSize         *int           `json:"pageSize"`
	PageToken        string         `json:"pageToken"`
	IncludeArtifacts *bool          `json:"includeArtifacts"`
}

type driveMessage struct {
	MessageID        string          `json:"messageId"`
	Text             *string         `json:"text"`
	Data             json.RawMessage `json:"data"`
	Parts            []drivePart     `json:"parts"`
	TaskID           string          `json:"taskId"`
	ContextID        string          `json:"contextId"`
	ReferenceTaskIDs []string        `json:"referenceTaskIds"`
}

type drivePart struct {
	Text      *string         `json:"text"`
	Raw       *string         `json:"raw"`
	URL       *string         `json:"url"`
	Data      json.RawMessage `json:"data"`
	MediaType string          `json:"mediaType"`
	Filename  string          `json:"filename"`
}

// Send is a message to send, and how.
type Send struct {
	MessageID        string // empty: the SDK makes one
	Parts            []Part
	TaskID           string
	ContextID        string
	ReferenceTaskIDs []string
	Configuration    *Configuration
}

// Configuration of a send.
type Configuration struct {
	ReturnImmediately   bool     `json:"returnImmediately"`
	HistoryLength       *int     `json:"historyLength"`
	AcceptedOutputModes []string `json:"acceptedOutputModes"`
	Push                *Push    `json:"push"`
}

// Push is a push notification configuration.
type Push struct {
	URL            string          `json:"url"`
	ID             string          `json:"id"`
	Token          string          `json:"token"`
	Authentication *Authentication `json:"authentication"`
}

// Authentication that a webhook asks for.
type Authentication struct {
	Scheme      string `json:"scheme"`
	Credentials string `json:"credentials"`
}

// List is what tasks to list.
type List struct {
	ContextID        string
	Status           State
	PageSize         *int
	PageToken        string
	HistoryLength    *int
	IncludeArtifacts *bool
}

// badDriveCall says what in a drive object does not follow the contract.
func badDriveCall(format string, values ...any) error {
	return &namedError{"BadDriveCall", fmt.Sprintf(format, values...)}
}

// findDrive gives the first drive object among the parts.
func findDrive(parts []Part) map[string]any {
	for _, part := range parts {
		if object, isObject := part.Data.(map[string]any); isObject && object["plugfest"] == "drive/1" {
			return object
		}
	}
	return nil
}

func readDrive(object map[string]any) (*drive, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, badDriveCall("%v", err)
	}
	var read drive
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, badDriveCall("%v", err)
	}
	if read.Card == "" {
		return nil, badDriveCall(`"card" must be a base URL`)
	}
	if read.Call == nil || read.Call.Op == "" {
		return nil, badDriveCall(`"call" must be an object with an "op"`)
	}
	return &read, nil
}

func (call *call) task() (string, error) {
	if call.TaskID == nil {
		return "", badDriveCall("%s needs a taskId", call.Op)
	}
	return *call.TaskID, nil
}

func (call *call) taskAndConfig() (taskID, configID string, err error) {
	if taskID, err = call.task(); err == nil && call.ConfigID == nil {
		err = badDriveCall("%s needs a configId", call.Op)
	}
	if err != nil {
		return "", "", err
	}
	return taskID, *call.ConfigID, nil
}

func (call *call) send() (Send, error) {
	given := call.Message
	if given == nil {
		return Send{}, badDriveCall("%s needs a message", call.Op)
	}
	send := Send{
		MessageID: given.MessageID, TaskID: given.TaskID, ContextID: given.ContextID,
		ReferenceTaskIDs: given.ReferenceTaskIDs, Configuration: call.Configuration,
	}
	first := drivePart{Text: given.Text}
	second := drivePart{Data: given.Data}
	for _, one := range append([]drivePart{first, second}, given.Parts...) {
		part, found, err := one.read()
		if err != nil {
			return Send{}, err
		}
		if found {
			send.Parts = append(send.Parts, part)
		}
	}
	return send, nil
}

func (given drivePart) read() (part Part, found bool, err error) {
	part = Part{MediaType: given.MediaType, Filename: given.Filename}
	switch {
	case given.Text != nil:
		part.Kind, part.Text = TextPart, *given.Text
	case given.URL != nil:
		part.Kind, part.Text = URLPart, *given.URL
	case given.Raw != nil:
		part.Kind = RawPart
		if part.Raw, err = base64.StdEncoding.DecodeString(*given.Raw); err != nil {
			err = badDriveCall("raw is no base64: %v", err)
		}
	case given.Data != nil:
		part.Kind = DataPart
		err = json.Unmarshal(given.Data, &part.Data)
	default:
		return part, false, nil
	}
	return part, true, err
}
