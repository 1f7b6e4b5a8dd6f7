import { type Behaviour, World } from './behaviour.ts';
import type { Forwarder, RunningForwarder } from './forwarder.ts';
import { Callee, Wrong } from './wire.ts';

/** One forwarder in front of one callee, behaviour after behaviour. */
export class Trial implements AsyncDisposable {
  private readonly forwarder: Forwarder;
  private readonly callee: Callee;
  private running: RunningForwarder;

  private constructor(forwarder: Forwarder, callee: Callee, running: RunningForwarder) {
    this.forwarder = forwarder;
    this.callee = callee;
    this.running = running;
  }

  static async start(forwarder: Forwarder): Promise<Trial> {
    const callee = await Callee.start();
    try {
      const trial = new Trial(forwarder, callee, await forwarder.start(callee.port));
      await trial.settled();
      return trial;
    } catch (error) {
      await callee[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What was wrong; undefined where nothing was. */
  async run(behaviour: Behaviour): Promise<string | undefined> {
    if (this.running.death !== undefined) {
      this.running = await this.forwarder.start(this.callee.port);
      await this.settled();
    }
    const world = new World(this.callee, this.running.port);
    try {
      await behaviour.run(world);
      return undefined;
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      const { death } = this.running;
      return death === undefined ? error.message : `its process died: ${death}`;
    } finally {
      world.dispose();
    }
  }

  /** Some connect to the callee for whoever looks whether they listen. */
  private async settled(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 100));
    this.callee.renew();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running[Symbol.asyncDispose]();
    await this.callee[Symbol.asyncDispose]();
  }
}
