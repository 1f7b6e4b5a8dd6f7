import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type CaptureSink, PlugfestError } from '@plugfest/model';
import { loadFaults } from '@plugfest/orchestrator';
import { FaultSet, loadFaultKinds, type RecordingInterposer, startControl } from '@plugfest/proxy';
import type { Io } from './io.ts';

export interface FaultOptions {
  readonly faults?: string;
  readonly control?: string;
}

/** The faults of a proxy session; undefined where it has none and never will, so that nothing of them is in the path. */
export async function openFaults(io: Io, { faults, control }: FaultOptions): Promise<FaultSet | undefined> {
  if (faults === undefined && control === undefined) return undefined;
  // Before anything is opened.
  if (control !== undefined) controlPort(control);
  const kinds = await loadFaultKinds();
  if (faults === undefined) return new FaultSet(kinds);
  const file = await loadFaults(resolve(io.cwd, faults), kinds);
  const set = new FaultSet(kinds, file.seed);
  for (const fault of file.faults) set.put(fault);
  return set;
}

/** Starts the control API where it was asked for, and says how to call it. */
export async function openControl(
  io: Io,
  options: FaultOptions,
  interposer: RecordingInterposer,
  sink: CaptureSink,
): Promise<AsyncDisposable | undefined> {
  const { faults } = interposer;
  if (options.control === undefined || faults === undefined) return undefined;
  const port = controlPort(options.control);
  const token = randomBytes(24).toString('base64url');
  const server = await startControl({
    port,
    token,
    faults,
    openTaps: () => interposer.openTaps(),
    onSwitch: (text) => sink.record({ kind: 'note', topic: 'fault-switched', text }),
  });
  // The one place where the token is told.
  io.log(`Control API: ${server.origin}/v1, Authorization: Bearer ${token}`);
  return { [Symbol.asyncDispose]: () => server.close() };
}

function controlPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new PlugfestError('PLUGFEST_USAGE', `--control takes a port, not "${text}"`, {
    hint: 'Give a port of 127.0.0.1, or 0 for any free one.',
  });
}
