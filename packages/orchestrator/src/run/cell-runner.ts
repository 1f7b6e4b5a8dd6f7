import type { CellResult, FaultSwitch } from '@plugfest/model';
import type { HttpClient } from '../client/http.ts';
import type { Clock } from '../clock.ts';
import type { Lab } from '../lab/lab.ts';
import type { Scenario } from '../scenario/define.ts';
import { seeded } from '../seeded.ts';
import type { WebhookReceiver } from '../webhook/receiver.ts';
import type { CallsSeen, LivePeer } from './cell-world.ts';
import type { PlannedCell } from './cells.ts';
import type { ProgressEvent } from './progress.ts';
import { repeated } from './repeated.ts';
import type { Revival } from './revival.ts';
import { type Fault, runCell } from './run-cell.ts';
import { pairKey, sharedPairs } from './shared-pairs.ts';
import type { Taps } from './taps.ts';
import { Turns } from './turns.ts';

export interface CellRunnerOptions {
  readonly lab: Lab;
  readonly peers: ReadonlyMap<string, LivePeer>;
  readonly scenarios: readonly Scenario[];
  readonly taps: Taps;
  readonly http: HttpClient;
  readonly webhooks: WebhookReceiver;
  readonly faults: FaultSwitch | undefined;
  readonly callsSeen: CallsSeen | undefined;
  readonly clock: Clock;
  readonly seed: number;
  readonly revival: Revival;
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

/** Cells of a lane that may run into their time box one after another before the rest of it is given up. */
const mostTimeouts = 5;

/** Runs planned cells and keeps what came of them. */
export class CellRunner {
  readonly results = new Map<string, CellResult>();
  /** Faults of Plugfest itself. */
  readonly faults: Fault[] = [];
  readonly #options: CellRunnerOptions;
  readonly #scenarios: ReadonlyMap<string, Scenario>;
  readonly #turns = new Turns();
  /** By client, server and dialect: time boxes run out since the last cell that had an end. */
  readonly #timeouts = new Map<string, number>();
  /** Cells that are to be run, for the progress. */
  total = 0;

  constructor(options: CellRunnerOptions) {
    this.#options = options;
    this.#scenarios = new Map(options.scenarios.map((scenario) => [scenario.id, scenario]));
  }

  isAlone({ scenario }: PlannedCell): boolean {
    return this.#scenarios.get(scenario)?.alone === true;
  }

  /** Takes the result of an earlier run for a cell. */
  take(result: CellResult): void {
    this.results.set(result.id, result);
  }

  async run(cell: PlannedCell): Promise<void> {
    const { lab, peers, taps } = this.#options;
    // Cells that share their taps take turns, as what passes is of one cell at a time.
    if (lab.interposition.mode !== 'alias' || !peers.has(cell.client)) return this.#runNow(cell);
    const pairs = sharedPairs(cell, this.#scenarios.get(cell.scenario)?.hops ?? []);
    await this.#turns.take(pairs.map(pairKey), async () => {
      try {
        await this.#runNow(cell);
      } finally {
        for (const pair of pairs) taps.release(...pair);
      }
    });
  }

  async #runNow(cell: PlannedCell): Promise<void> {
    const { onProgress } = this.#options;
    onProgress({ kind: 'cell-started', cell: cell.id });
    const result = await this.#resultOf(cell);
    this.results.set(cell.id, result);
    onProgress({ kind: 'cell-finished', result, done: this.results.size, total: this.total });
  }

  async #resultOf(cell: PlannedCell): Promise<CellResult> {
    const { lab, revival, seed, signal, ...world } = this.#options;
    const { peers } = world;
    const scenario = this.#scenarios.get(cell.scenario);
    const server = peers.get(cell.server);
    const client = peers.get(cell.client);
    if (!scenario || !server) throw new Error(`cell ${cell.id} names what is not there`);
    const lane = JSON.stringify([cell.client, cell.server, cell.dialect]);
    const given =
      (this.#timeouts.get(lane) ?? 0) >= mostTimeouts && !cell.settled ? givenUp(cell) : undefined;
    for (const peer of [server, client])
      if (peer && !signal.aborted && !cell.settled && !given) await revival.ensure(peer.started);
    const revivable = (peer: LivePeer): LivePeer => ({ ...peer, revived: () => revival.of(peer.started) });
    const result = await repeated(lab.repeat, (round) =>
      runCell({
        ...world,
        cell: given === undefined ? cell : { ...cell, settled: given },
        scenario,
        server: revivable(server),
        client: client && revivable(client),
        random: seeded(seed, round === 0 ? cell.id : `${cell.id}#${round}`),
        timeoutMs: Math.max(...boxesOf([server, client], lab.timeouts.cellMs), scenario.timeoutMs ?? 0),
        signal,
        onFault: (fault) => this.faults.push(fault),
      }),
    );
    if (result.outcome === 'timeout') this.#timeouts.set(lane, (this.#timeouts.get(lane) ?? 0) + 1);
    else if (!cell.settled && !given) this.#timeouts.delete(lane);
    return result;
  }
}

function givenUp({ client, server, binding, version }: PlannedCell): NonNullable<PlannedCell['settled']> {
  const reason = `${mostTimeouts} cells of ${client} with ${server} over ${binding} ${version} ran into their time box one after another`;
  return { outcome: 'not-run', reason };
}

/** Time boxes of a cell, by who takes part. */
function boxesOf(peers: readonly (LivePeer | undefined)[], cellMs: number): readonly number[] {
  const own = peers.flatMap((peer) => peer?.agent.timeouts.cellMs ?? []);
  return own.length > 0 ? own : [cellMs];
}
