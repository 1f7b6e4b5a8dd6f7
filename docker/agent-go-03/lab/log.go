package lab

import (
	"fmt"
	"log/slog"
	"os"
)

// queuedLines are kept for a stderr that nobody reads in time; further ones are dropped.
const queuedLines = 1000

// lineQueue writes behind the caller's back: a full pipe on stderr must stop no task.
type lineQueue chan []byte

func (queue lineQueue) Write(line []byte) (int, error) {
	select {
	case queue <- append([]byte(nil), line...):
	default:
	}
	return len(line), nil
}

// StartLog sends the SDK's log to stderr, from the level that LAB_AGENT_LOG names; default WARN.
func StartLog() error {
	level := slog.LevelWarn
	if name := os.Getenv("LAB_AGENT_LOG"); name != "" {
		if err := level.UnmarshalText([]byte(name)); err != nil {
			return fmt.Errorf("LAB_AGENT_LOG: %q is no level (DEBUG, INFO, WARN or ERROR)", name)
		}
	}
	queue := make(lineQueue, queuedLines)
	go func() {
		for line := range queue {
			_, _ = os.Stderr.Write(line) // there is no other place to tell it
		}
	}()
	slog.SetDefault(slog.New(slog.NewTextHandler(queue, &slog.HandlerOptions{Level: level})))
	return nil
}
