import type { CellResult } from '@plugfest/model';
import type { ChildExit } from '../agents/child.ts';
import { NetworkError } from '../client/network-error.ts';
import { InvalidAnswer } from '../client/seen.ts';
import { ClientLacks, DriveFailure } from '../driver/drive.ts';
import { Checks, ScenarioStopped } from '../scenario/checks.ts';
import type { Scenario } from '../scenario/define.ts';
import { contextOf } from './cell-context.ts';
import type { CellWorld, LivePeer } from './cell-world.ts';

class CellTimeout extends Error {
  override readonly name = 'CellTimeout';
}

class AgentEnded extends Error {
  override readonly name = 'AgentEnded';
}

/** A fault of ours, met in a cell: the run goes on, and is not to be trusted. */
export interface Fault {
  readonly cell: string;
  readonly error: Error;
}

export interface RunCellOptions extends Omit<CellWorld, 'checks' | 'signal' | 'onStandIn'> {
  readonly scenario: Scenario;
  readonly timeoutMs: number;
  /** Of the whole run. */
  readonly signal: AbortSignal;
  readonly onFault: (fault: Fault) => void;
}

/** Runs one cell within its time box. Whatever an agent does becomes an outcome, never an exception. */
export async function runCell(options: RunCellOptions): Promise<CellResult> {
  const { cell, scenario, clock, signal, server, client, timeoutMs } = options;
  const startMs = clock.nowMs();
  const checks = new Checks();
  let standIn: string | undefined;
  const peers = [server, ...(client ? [client] : [])];
  const revivals = peers.flatMap(({ revived }) => revived() ?? []);
  const done = (outcome: CellResult['outcome'], reason?: string): CellResult => {
    const notes = [...revivals, ...checks.notes];
    return {
      id: cell.id,
      client: cell.client,
      server: cell.server,
      binding: cell.binding,
      version: cell.version,
      scenario: cell.scenario,
      outcome,
      ...(reason === undefined ? {} : { reason }),
      ...(notes.length === 0 ? {} : { notes }),
      ...(standIn === undefined ? {} : { standIn }),
      checks: [...checks.list],
      durationMs: Math.round(clock.nowMs() - startMs),
      exchanges: [],
    };
  };
  if (signal.aborted) return done('not-run', 'the run was interrupted');
  if (cell.settled) return done(cell.settled.outcome, cell.settled.reason);

  const box = new AbortController();
  const timer = setTimeout(() => box.abort(new CellTimeout()), timeoutMs);
  const watch = watchEnds(peers, box);
  const inside = AbortSignal.any([signal, box.signal]);
  try {
    const context = await contextOf({
      ...options,
      checks,
      signal: inside,
      onStandIn: (name) => {
        standIn = name;
      },
    });
    await Promise.race([scenario.run(context), rejectedOnAbort(inside)]);
    inside.throwIfAborted();
  } catch (error) {
    if (signal.aborted) return done('not-run', 'the run was interrupted');
    if (box.signal.reason instanceof CellTimeout) {
      const last = checks.list.at(-1)?.name;
      const after = last ? `; the last thing seen was that ${last}` : ' and nothing was seen of it';
      return done('timeout', `not done within ${timeoutMs} ms${after}`);
    }
    if (error instanceof ClientLacks) return done('unsupported', error.message);
    // A refused connection may be noticed a moment before the end of the process that caused it.
    if (!(error instanceof ScenarioStopped) || checks.failure()?.includes('cannot be reached'))
      await Promise.race([...peers.map(({ started }) => started.exited()), shortly()]);
    const ended = watch.ended() ?? endedPeer(peers);
    if (ended !== undefined) return done('failed', ended);
    if (error instanceof NetworkError) {
      checks.check('each call gets an answer', false, error.message);
      return done('failed', error.message);
    }
    if (error instanceof DriveFailure || error instanceof InvalidAnswer) {
      const what = error instanceof DriveFailure ? error.check : 'the answer is one that A2A allows';
      checks.check(what, false, error.message);
      return done('failed', error.message);
    }
    if (!(error instanceof ScenarioStopped)) {
      const fault = error instanceof Error ? error : new Error(String(error));
      options.onFault({ cell: cell.id, error: fault });
      return done('failed', `a fault in Plugfest itself: ${fault.message}`);
    }
  } finally {
    clearTimeout(timer);
    watch.stop();
    // Ends what the scenario has left open.
    box.abort(new ScenarioStopped('the scenario is over'));
  }
  const failure = checks.failure();
  if (failure !== undefined) return done('failed', watch.ended() ?? endedPeer(peers) ?? failure);
  return checks.list.length > 0 ? done('ok') : done('failed', 'the scenario checked nothing');
}

interface EndWatch {
  stop(): void;
  /** The first peer that ended, and how: it may have been started again since. */
  ended(): string | undefined;
}

function watchEnds(peers: readonly LivePeer[], box: AbortController): EndWatch {
  let watching = true;
  let first: string | undefined;
  for (const { started } of peers) {
    void started.exited().then((exit) => {
      if (!watching) return;
      first ??= endText(started.name, exit);
      box.abort(new AgentEnded());
    });
  }
  return {
    stop: () => {
      watching = false;
    },
    ended: () => first,
  };
}

function endedPeer(peers: readonly LivePeer[]): string | undefined {
  for (const { started } of peers) {
    const exit = started.exit();
    if (exit) return endText(started.name, exit);
  }
  return undefined;
}

function endText(name: string, { how, lastLines }: ChildExit): string {
  const last = lastLines.at(-1);
  return `${name} ended during the run (${how})${last ? `: ${last}` : ''}`;
}

function rejectedOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function shortly(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000));
}
