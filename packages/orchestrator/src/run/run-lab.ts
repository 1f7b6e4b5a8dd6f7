import { randomInt } from 'node:crypto';
import type { CellResult, Interposer } from '@plugfest/model';
import type { StartedAgent, Trust } from '../agents/start.ts';
import type { LabTokens } from '../agents/tokens.ts';
import { watchSockets } from '../bypass/socket-watch.ts';
import { HttpClient } from '../client/http.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Lab } from '../lab/lab.ts';
import { startWebhookReceiver } from '../webhook/receiver.ts';
import { CellRunner } from './cell-runner.ts';
import type { CallsSeen, LivePeer } from './cell-world.ts';
import { type PlannedCell, planCells } from './cells.ts';
import type { LabRun } from './lab-run.ts';
import { listTasksOf, withoutEarlier } from './list-tasks.ts';
import { meet, tellEnd } from './meet.ts';
import { nothingLeft } from './needed.ts';
import type { ProgressEvent } from './progress.ts';
import { Revival } from './revival.ts';
import { type RunnableOptions, runnableLab } from './runnable.ts';
import { inParallel } from './schedule.ts';
import { startAll } from './start-all.ts';
import { haveReference, isReference, referenceAgent, referenceCells, unexplained } from './substitution.ts';
import { Taps } from './taps.ts';

export interface RunLabOptions extends RunnableOptions {
  readonly interposer: Interposer;
  /** Goes before the lab's own; random where neither is given. */
  readonly seed?: number;
  /** Whom Plugfest's client (PEM) and the agents (a file) are to trust, where taps speak TLS. */
  readonly trust?: Trust | undefined;
  /** How many calls a caller has begun in a cell, for agents with `delegate`. */
  readonly callsSeen?: CallsSeen;
  /** Cells that an earlier run of the lab finished, by id: they are not run again. */
  readonly finished?: ReadonlyMap<string, CellResult>;
  /** `newTokens`; a lab whose agents have `auth` needs some. */
  readonly tokens?: LabTokens;
  readonly clock?: Clock;
  readonly onProgress?: (event: ProgressEvent) => void;
  /** On abort the cells that are left become `not-run`, and the run ends in order. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a lab: starts its agents, drives the cells, and ends everything it started.
 * @throws PlugfestError where an agent does not start, or nothing would be run.
 */
export async function runLab(lab: Lab, options: RunLabOptions): Promise<LabRun> {
  const { clock = systemClock, signal = new AbortController().signal, onProgress = () => {} } = options;
  const seed = options.seed ?? lab.seed ?? randomInt(2 ** 32);
  const startMs = clock.nowMs();
  const { name, title, tracing } = lab;
  const startedAt = clock.wall().toISOString();
  const played = await play(lab, { ...options, clock, signal, seed, onProgress }).catch((error: unknown) => {
    // Interrupted before there was a plan: nothing went wrong, and nothing was run.
    if (signal.aborted && error === signal.reason) return nothing;
    throw error;
  });
  const { absent, ...found } = played;
  return {
    lab: name,
    title,
    seed,
    tracing,
    startedAt,
    durationMs: Math.round(clock.nowMs() - startMs),
    ...found,
    interrupted: signal.aborted,
    filtered: options.only !== undefined || absent > 0,
  };
}

type Played = Pick<
  LabRun,
  'agents' | 'cells' | 'bypass' | 'taskListings' | 'notes' | 'references' | 'faults'
> & {
  /** Agents of the lab that are left out. */
  readonly absent: number;
};

const nothing: Played = {
  agents: [],
  cells: [],
  bypass: [],
  taskListings: [],
  notes: [],
  references: [],
  faults: [],
  absent: 0,
};

async function play(
  asked: Lab,
  options: RunLabOptions & Required<Pick<RunLabOptions, 'clock' | 'signal' | 'seed' | 'onProgress'>>,
): Promise<Played> {
  const { interposer, resolveKind, clock, signal, seed, onProgress } = options;
  const { lab, absent, idle, scenarios } = await runnableLab(asked, options);

  await using closing = new AsyncDisposableStack();
  const http = closing.adopt(new HttpClient({ ca: options.trust?.ca }), (client) => client.close());
  const taps = closing.adopt(new Taps(interposer, lab.interposition), (all) => all.close());
  const webhooks = closing.adopt(await startWebhookReceiver(interposer, clock), (one) => one.close());
  const startedAtMs = clock.wall().getTime();
  const starting = {
    resolveKind,
    tokens: options.tokens ?? new Map(),
    trust: options.trust,
    signal,
    onProgress,
  };
  const started = [...(await startAll(lab.agents, { ...starting, startMs: lab.timeouts.startMs }))];
  closing.defer(() => stopAll(started));
  taps.meet(started);
  const notes: string[] = [];
  const note = (text: string) => {
    notes.push(text);
    onProgress({ kind: 'note', text });
  };

  for (const text of absent) note(text);
  if (idle.length > 0) note(`Not started, as no cell of --only needs them: ${idle.join(', ')}.`);
  const sockets = await watchSockets({ interposer, agents: localAgents(started) });
  if (sockets.notWatched !== undefined) note(sockets.notWatched);
  const meeting = { taps, http, clock, seed, signal, onProgress, note };
  const peers = new Map(await meet(lab.agents, lab.timeouts, started, meeting));
  const plan = planCells(lab, peers, scenarios, options.only);
  for (const text of plan.notes) note(text);
  if (plan.cells.length === 0) throw nothingLeft(lab);
  // An agent that ran before may have tasks of others already. What keeps it from telling is said at the end.
  const running = [...peers.values()].filter(({ agent }) => agent.form === 'card');
  const earlier = await listTasksOf(running, { taps, http, note: () => {} });
  onProgress({ kind: 'planned', cells: plan.cells.length });

  const revival = new Revival((agent, text) => {
    note(text);
    tellEnd(agent, { onProgress, note });
  });
  const runner = new CellRunner({
    lab,
    peers,
    scenarios,
    taps,
    http,
    webhooks,
    faults: interposer.faults,
    callsSeen: options.callsSeen,
    clock,
    seed,
    revival,
    signal,
    onProgress,
  });
  runner.total = plan.cells.length;
  const runAll = async (cells: readonly PlannedCell[]): Promise<void> => {
    const [alone = [], together = []] = [true, false].map((is) =>
      cells.filter((cell) => runner.isAlone(cell) === is),
    );
    const run = (cell: PlannedCell) => runner.run(cell);
    await inParallel(together, lab.concurrency, run);
    await inParallel(alone, 1, run);
  };
  /** Those that an earlier run did not finish. */
  const rest = (cells: readonly PlannedCell[]): readonly PlannedCell[] => {
    const taken = cells.flatMap(({ id }) => options.finished?.get(id) ?? []);
    for (const result of taken) runner.take(result);
    if (taken.length > 0)
      note(`${taken.length} of ${cells.length} cells are taken from the run that was interrupted.`);
    return cells.filter(({ id }) => !options.finished?.has(id));
  };
  await runAll(rest(plan.cells));

  // Whoever asks for single cells gets these and no others.
  const failed =
    options.only === undefined && !signal.aborted ? unexplained(lab, runner.results.values()) : [];
  const reference =
    failed.length === 0 || haveReference(failed, lab.agents) || lab.interposition.mode === 'alias'
      ? undefined
      : referenceAgent(lab);
  if (reference !== undefined) {
    const [agent] = await startAll([reference], { ...starting, startMs: lab.timeouts.startMs });
    if (agent !== undefined) {
      started.push(agent);
      taps.meet(started);
      for (const [name, peer] of await meet([reference], lab.timeouts, [agent], meeting))
        peers.set(name, peer);
    }
  }
  const references = [...peers.values()].filter(({ agent }) => isReference(agent));
  const further = referenceCells(failed, references, {
    known: new Set(runner.results.keys()),
    scenarios,
    peers,
  });
  if (further.length > 0) {
    note(
      `${further.length} more ${further.length === 1 ? 'cell with a reference agent tells' : 'cells with a reference agent tell'} whose fault the failed ones are.`,
    );
    runner.total += further.length;
    await runAll(rest(further));
  }

  onProgress({ kind: 'stopping' });
  const listings = signal.aborted ? [] : await listTasksOf(peers.values(), { taps, http, note });
  const taskListings = withoutEarlier(listings, earlier, startedAtMs);
  await sockets.stop();
  await stopAll(started);
  await taps.close();
  return {
    agents: [...peers.values()].map(factsOf),
    cells: [...plan.cells, ...further].flatMap(({ id }) => runner.results.get(id) ?? []),
    bypass: [...sockets.observations(), ...webhooks.bypass()],
    taskListings,
    notes,
    absent: absent.length,
    references: references.map(({ agent }) => agent.name),
    faults: runner.faults,
  };
}

async function stopAll(agents: Iterable<StartedAgent>): Promise<void> {
  await Promise.all([...agents].map((agent) => agent.stop()));
}

/** Agents whose port is on this machine, as far as its socket table goes. */
function localAgents(started: readonly StartedAgent[]) {
  return started.flatMap(({ name, origin, origins, pid }) =>
    [...new Set([origin, ...origins])].flatMap((each) => {
      const url = new URL(each);
      const local = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
      const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
      return local ? [{ name, port, ...(pid === undefined ? {} : { pid }) }] : [];
    }),
  );
}

function factsOf(peer: LivePeer): LabRun['agents'][number] {
  const { agent, started, dialects, problem } = peer;
  const usable = problem === undefined ? dialects : [];
  return {
    name: agent.name,
    about: started.about,
    cardUrl: started.origin + started.cardPath,
    versions: [...new Set(usable.map(({ version }) => version))],
    bindings: [...new Set(usable.map(({ binding }) => binding))],
    drive: agent.drive,
    ...(problem === undefined ? {} : { problem }),
  };
}
