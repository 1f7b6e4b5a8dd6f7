package plugfest.agent;

/** A step of an instruction could not be carried out; the message becomes the task's status text. */
final class StepFailed extends Exception {
    StepFailed(String message) {
        super(message);
    }
}
