package lab

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// turn is one message to the agent.
type turn struct {
	script
	text  string // of the first text part
	rest  string // what follows the prefix in the text, trimmed; empty where the message id held the prefix
	parts []Part
	modes []string
	// wait names the behaviour that the next message to this task resumes.
	wait func(behaviour)
}

type behaviour func(turn *turn)

// inTextOrID holds the prefixes of the TCK and of ACTS, which select by message id and by text alike.
var inTextOrID = map[string]behaviour{
	"tck-complete-task":           completes("Hello from TCK"),
	"tck-delayed-complete":        worksFor(time.Second, "Done after delay"),
	"tck-artifact-text":           yields(Text("Generated text content")),
	"tck-artifact-file":           yields(tckFile),
	"tck-artifact-file-url":       yields(tckFileURL),
	"tck-artifact-data":           yields(tckData),
	"tck-message-response":        messageResponse,
	"tck-input-required":          waits(InputRequired, "What is your name?"),
	"tck-auth-required":           waits(AuthRequired, "Authorization needed"),
	"tck-multi-turn":              multiTurn,
	"tck-reject-task":             rejects,
	"tck-task-failure":            fails,
	"tck-long-running":            longRunning,
	"tck-cancel":                  longRunning,
	"tck-stream-001":              streams(Text("Stream hello from TCK")),
	"tck-stream-002":              completes(""),
	"tck-stream-003":              streams(Text("Stream task lifecycle")),
	"tck-stream-ordering-001":     streams(Text("Ordered output")),
	"tck-stream-basic":            streams(Text("Stream hello from TCK")),
	"tck-stream-artifact-text":    streams(Text("Streamed text content")),
	"tck-stream-artifact-file":    streams(tckFile),
	"tck-stream-artifact-chunked": streamsChunks,
	"tck-stream-chunked":          streamsChunks,
	"test-resubscribe-message-id": worksFor(4*time.Second, ""),
}

// inText holds Plugfest's own prefixes.
var inText = map[string]behaviour{
	"plugfest-echo":  echo,
	"plugfest-slow":  slow,
	"plugfest-parts": returnsParts,
	"plugfest-modes": fitsModes,
	"plugfest-ask":   ask,
}

var (
	tckFile    = Part{Kind: RawPart, Raw: []byte("tck"), Filename: "output.txt", MediaType: "text/plain"}
	tckFileURL = Part{Kind: URLPart, Text: "https://example.com/output.txt", Filename: "output.txt", MediaType: "text/plain"}
	tckData    = Part{Kind: DataPart, Data: map[string]any{"key": "value", "count": 42}}
)

// choose looks at the message id before the text; the longest prefix wins. It also gives what follows the prefix.
func choose(messageID, text string) (behaviour, string) {
	if _, play := longest(inTextOrID, messageID); play != nil {
		return play, ""
	}
	prefix, play := longest(inTextOrID, text)
	if own, ours := longest(inText, text); len(own) > len(prefix) {
		prefix, play = own, ours
	}
	if play == nil {
		return echoAnything, text
	}
	return play, strings.TrimSpace(text[len(prefix):])
}

func longest(table map[string]behaviour, subject string) (found string, play behaviour) {
	for prefix, candidate := range table {
		if len(prefix) > len(found) && strings.HasPrefix(subject, prefix) {
			found, play = prefix, candidate
		}
	}
	return found, play
}

func echoAnything(turn *turn) {
	turn.working("")
	turn.artifact("", Text("echo: "+turn.text))
	turn.completed("")
}

// resume is what a follow-up does where the waiting behaviour named nothing else.
func resume(turn *turn) {
	turn.working("")
	turn.completed("resumed: " + turn.text)
}

func completes(text string) behaviour {
	return func(turn *turn) { turn.completed(text) }
}

func worksFor(length time.Duration, text string) behaviour {
	return func(turn *turn) {
		turn.working("")
		turn.pause(length)
		turn.completed(text)
	}
}

func yields(part Part) behaviour {
	return func(turn *turn) {
		turn.artifact("", part)
		turn.completed("")
	}
}

func streams(part Part) behaviour {
	return func(turn *turn) {
		turn.working("")
		yields(part)(turn)
	}
}

func streamsChunks(turn *turn) {
	turn.working("")
	turn.chunks("", "chunk-1 ", "chunk-2")
	turn.completed("")
}

func messageResponse(turn *turn) {
	turn.do(func() error { return turn.out.Reply("Direct message response") })
}

func waits(state State, question string) behaviour {
	return func(turn *turn) {
		turn.wait(resume)
		turn.status(state, question)
	}
}

func multiTurn(turn *turn) {
	turn.wait(nextTurn)
	turn.status(InputRequired, "Anything else? Say done to finish.")
}

func nextTurn(turn *turn) {
	if strings.HasPrefix(turn.text, "done") {
		turn.completed(turn.text)
	} else {
		multiTurn(turn)
	}
}

func rejects(turn *turn) { turn.status(Rejected, "rejected") }

func fails(turn *turn) {
	turn.working("")
	turn.status(Failed, "failed on request")
}

func longRunning(turn *turn) {
	for tick := 1; tick <= 40 && turn.err == nil; tick++ {
		turn.working(fmt.Sprintf("progress %d", tick))
		turn.pause(500 * time.Millisecond)
	}
	turn.completed("finished by itself")
}

func echo(turn *turn) {
	nonce := []rune(turn.rest)
	half := (len(nonce) + 1) / 2
	turn.working("")
	turn.chunks("echo", string(nonce[:half]), string(nonce[half:]))
	turn.completed(turn.rest)
}

func slow(turn *turn) {
	number, nonce, _ := strings.Cut(turn.rest, " ")
	nonce = strings.TrimSpace(nonce)
	ms, err := strconv.ParseUint(number, 10, 31)
	if err != nil {
		turn.status(Failed, fmt.Sprintf("plugfest-slow wants milliseconds before the nonce, not %q", number))
		return
	}
	left := time.Duration(ms) * time.Millisecond
	for tick := 1; left > 0 && turn.err == nil; tick++ {
		step := min(left, 100*time.Millisecond)
		turn.working(fmt.Sprintf("tick %d %s", tick, nonce))
		turn.pause(step)
		left -= step
	}
	turn.artifact("echo", Text(nonce))
	turn.completed(nonce)
}

func returnsParts(turn *turn) {
	var parts []Part
	for _, part := range turn.parts {
		if part.Kind != TextPart {
			parts = append(parts, part)
		}
	}
	turn.working("")
	turn.artifact("parts", parts...)
	turn.completed(turn.rest)
}

func fitsModes(turn *turn) {
	modes := turn.modes
	if len(modes) == 0 {
		modes = []string{"text/plain"}
	}
	for _, mode := range modes {
		switch mode {
		case "text/plain":
			yieldsNamed(turn, "modes", Text(turn.rest))
			return
		case "application/json":
			yieldsNamed(turn, "modes", Part{Kind: DataPart, Data: map[string]any{"nonce": turn.rest}, MediaType: mode})
			return
		}
	}
	turn.do(func() error { return ErrNoFittingMode })
}

func yieldsNamed(turn *turn, name string, part Part) {
	turn.artifact(name, part)
	turn.completed("")
}

func ask(turn *turn) {
	turn.wait(answered)
	turn.status(InputRequired, "ask "+turn.rest)
}

func answered(turn *turn) {
	text := "resumed: " + turn.text
	turn.working("")
	turn.artifact("echo", Text(text))
	turn.completed(text)
}
