import type { StartedAgent } from '../agents/start.ts';

/** Starts agents again that ended by themselves, each once in a run, so that one crash does not take all their cells. */
export class Revival {
  readonly #told = new Map<string, string>();
  readonly #reviving = new Map<string, Promise<void>>();
  readonly #onRevived: (agent: StartedAgent, text: string) => void;

  /** `onRevived` is called when one serves again, with a sentence about it. */
  constructor(onRevived: (agent: StartedAgent, text: string) => void) {
    this.#onRevived = onRevived;
  }

  /** What to say of the cells of an agent that was started again. */
  of({ name }: StartedAgent): string | undefined {
    return this.#told.get(name);
  }

  /** Where the agent has ended, starts it again if that was not done before. A start that fails leaves it ended. */
  async ensure(agent: StartedAgent): Promise<void> {
    const { name, restart } = agent;
    const exit = agent.exit();
    if (restart === undefined || (exit === undefined && !this.#reviving.has(name))) return;
    let reviving = this.#reviving.get(name);
    if (reviving === undefined) {
      reviving = restart().then(
        () => {
          const text = `${name} had ended (${exit?.how ?? 'unknown'}) and was started again, once.`;
          this.#told.set(name, text);
          this.#onRevived(agent, text);
        },
        // Its cells say how it ended.
        () => {},
      );
      this.#reviving.set(name, reviving);
    }
    await reviving;
  }
}
