import { readdir } from 'node:fs/promises';

/** A forwarder that the behaviours are tried on. Each file in `forwarders/` exports one as its default. */
export interface Forwarder {
  readonly name: string;
  /** For people: version, and how it is set up. */
  about(): Promise<string>;
  /** Forwards what comes to it to this port of 127.0.0.1. A reason is thrown where it cannot be had here. */
  start(calleePort: number): Promise<RunningForwarder>;
}

export interface RunningForwarder extends AsyncDisposable {
  readonly port: number;
  /** Why it no longer runs; undefined while it does. */
  readonly death: string | undefined;
}

export async function loadForwarders(): Promise<readonly Forwarder[]> {
  const folder = new URL('./forwarders/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort();
  return Promise.all(
    files.map(
      async (file) => ((await import(new URL(file, folder).href)) as { readonly default: Forwarder }).default,
    ),
  );
}
