package plugfest.agent;

/** What a prefix makes the agent do. */
@FunctionalInterface
interface Behaviour {
    void act(Turn turn);
}
