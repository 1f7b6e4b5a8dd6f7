package lab

import (
	"context"
	"time"
)

// script says one thing after the other, until something fails; what follows then does nothing. So that behaviours
// read as they are told in the contract.
type script struct {
	ctx context.Context
	out Outlet
	err error
}

func (script *script) do(step func() error) {
	if script.err == nil {
		script.err = step()
	}
}

func (script *script) status(state State, text string) {
	script.do(func() error { return script.out.Status(state, text) })
}

func (script *script) working(text string)   { script.status(Working, text) }
func (script *script) completed(text string) { script.status(Completed, text) }

func (script *script) artifact(name string, parts ...Part) {
	script.do(func() error {
		return script.out.Artifact(Chunk{ArtifactID: script.out.NewArtifactID(), Name: name, Parts: parts, Last: true})
	})
}

// chunks publishes one artifact in as many pieces as there are texts.
func (script *script) chunks(name string, texts ...string) {
	id := script.out.NewArtifactID()
	for index, text := range texts {
		last := index == len(texts)-1
		chunk := Chunk{ArtifactID: id, Name: name, Parts: []Part{Text(text)}, Append: index > 0, Last: last}
		script.do(func() error { return script.out.Artifact(chunk) })
	}
}

func (script *script) pause(length time.Duration) {
	script.do(func() error {
		timer := time.NewTimer(length)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-script.ctx.Done():
			return script.ctx.Err()
		}
	})
}
