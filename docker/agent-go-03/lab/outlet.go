package lab

import "errors"

// State is the 1.0 name of a task state, whatever the version spoken.
type State string

const (
	Submitted     State = "TASK_STATE_SUBMITTED"
	Working       State = "TASK_STATE_WORKING"
	Completed     State = "TASK_STATE_COMPLETED"
	Failed        State = "TASK_STATE_FAILED"
	Canceled      State = "TASK_STATE_CANCELED"
	Rejected      State = "TASK_STATE_REJECTED"
	InputRequired State = "TASK_STATE_INPUT_REQUIRED"
	AuthRequired  State = "TASK_STATE_AUTH_REQUIRED"
)

// Chunk is an artifact, or a piece of one.
type Chunk struct {
	ArtifactID string
	Name       string
	Parts      []Part
	Append     bool
	Last       bool
}

// Outlet takes what an agent says about one task, in order. The first word about a new task is preceded by the task
// itself. An error means that nobody listens any more: the task was cancelled, or the SDK gave up on it.
type Outlet interface {
	TaskID() string
	// NewArtifactID makes an id as the SDK makes them.
	NewArtifactID() string
	// Open publishes the task, if it is new.
	Open() error
	// Status moves the task to a state; an empty text gives no status message.
	Status(state State, text string) error
	Artifact(chunk Chunk) error
	// Reply answers with a message instead of a task.
	Reply(text string) error
}

// ErrStopped is what an Outlet answers with when nobody listens any more.
var ErrStopped = errors.New("nobody listens to this task any more")

// ErrNoFittingMode is what a behaviour ends with when it has nothing in the media types that the client takes.
var ErrNoFittingMode = errors.New("none of the accepted output modes can be served")
