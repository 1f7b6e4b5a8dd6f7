package lab

import (
	"context"
	"sync"
)

// Message is what a client sent, and what the agent has to know about it.
type Message struct {
	ID    string
	Parts []Part
	// Waits is true where the message continues a task that waits for input or for authorization.
	Waits bool
	// AcceptedOutputModes of the request's configuration.
	AcceptedOutputModes []string
}

// Agent does what messages tell it to.
type Agent struct {
	dial   Dial
	tokens Principals

	mu      sync.Mutex
	resumes map[string]behaviour
}

// NewAgent makes an agent whose own calls go out by way of dial.
func NewAgent(dial Dial, tokens Principals) *Agent {
	return &Agent{dial: dial, tokens: tokens, resumes: map[string]behaviour{}}
}

// Act applies the first rule of the contract that matches. Its error is ErrStopped, ErrNoFittingMode, or the
// context's.
func (agent *Agent) Act(ctx context.Context, message Message, out Outlet) error {
	say := script{ctx: ctx, out: out}
	if instruction, err := findInstruction(message.Parts); instruction != nil || err != nil {
		agent.carryOut(&say, instruction, err)
		return say.err
	}
	if drive := findDrive(message.Parts); drive != nil {
		agent.answerDrive(&say, drive)
		return say.err
	}
	text := firstText(message.Parts)
	turn := &turn{
		script: say,
		text:   text,
		parts:  message.Parts,
		modes:  message.AcceptedOutputModes,
		wait:   func(next behaviour) { agent.remember(out.TaskID(), next) },
	}
	if message.Waits {
		agent.takeResume(out.TaskID())(turn)
	} else {
		play, rest := choose(message.ID, text)
		turn.rest = rest
		play(turn)
	}
	return turn.err
}

// Forget drops what the agent keeps of a task that is over.
func (agent *Agent) Forget(taskID string) {
	agent.mu.Lock()
	defer agent.mu.Unlock()
	delete(agent.resumes, taskID)
}

func (agent *Agent) remember(taskID string, next behaviour) {
	agent.mu.Lock()
	defer agent.mu.Unlock()
	agent.resumes[taskID] = next
}

func (agent *Agent) takeResume(taskID string) behaviour {
	agent.mu.Lock()
	defer agent.mu.Unlock()
	next := agent.resumes[taskID]
	delete(agent.resumes, taskID)
	if next == nil {
		return resume
	}
	return next
}
