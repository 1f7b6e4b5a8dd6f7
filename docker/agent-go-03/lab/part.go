// Package lab holds what a lab agent is told to do and how it does it (docs/lab-agents.md), in words of its
// own: it knows no SDK. An SDK comes in as an Outlet (what the agent says) and a Peer (whom it calls).
package lab

import "encoding/base64"

// PartKind tells what a part holds.
type PartKind string

const (
	TextPart PartKind = "text"
	RawPart  PartKind = "raw"
	URLPart  PartKind = "url"
	DataPart PartKind = "data"
)

// Part is one part of a message or an artifact.
type Part struct {
	Kind      PartKind
	Text      string // a text, or a URL
	Raw       []byte
	Data      any
	MediaType string
	Filename  string
}

// Text is a text part.
func Text(text string) Part { return Part{Kind: TextPart, Text: text} }

func firstText(parts []Part) string {
	for _, part := range parts {
		if part.Kind == TextPart {
			return part.Text
		}
	}
	return ""
}

func joinedText(parts []Part) string {
	joined := ""
	for _, part := range parts {
		if part.Kind == TextPart {
			joined += part.Text
		}
	}
	return joined
}

// described is the form of `contents` in drive results.
func (part Part) described() map[string]any {
	told := map[string]any{"kind": string(part.Kind)}
	if part.MediaType != "" {
		told["mediaType"] = part.MediaType
	}
	if part.Filename != "" {
		told["filename"] = part.Filename
	}
	switch part.Kind {
	case RawPart:
		told["content"] = base64.StdEncoding.EncodeToString(part.Raw)
	case DataPart:
		told["content"] = part.Data
	default:
		told["content"] = part.Text
	}
	return told
}
