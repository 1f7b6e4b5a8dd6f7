import type { Tap, TapSpec } from '@plugfest/model';
import type { StartedAgent } from '../agents/start.ts';

interface Pair {
  readonly opening: Promise<readonly Tap[]>;
  /** Empty until they are. */
  open: readonly Tap[];
}

export interface FixedTapsOptions {
  open(spec: TapSpec): Promise<Tap>;
  /** Address on which the proxy listens for an agent. */
  hostFor(agent: string): Promise<string | undefined>;
}

/**
 * Taps in `alias` mode: in the caller's network the proxy has the callee's name and ports, so there is one tap for each
 * pair, and the cells that use it take turns.
 */
export class FixedTaps {
  readonly #options: FixedTapsOptions;
  readonly #pairs = new Map<string, Pair>();

  constructor(options: FixedTapsOptions) {
    this.#options = options;
  }

  /** The callee's own origin, as its peers know it. */
  async origin(caller: string, callee: StartedAgent): Promise<string> {
    const key = keyOf(caller, callee.name);
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      pair = { opening: this.#openAll(caller, callee), open: [] };
      this.#pairs.set(key, pair);
      pair.opening.catch(() => this.#pairs.delete(key));
    }
    pair.open = await pair.opening;
    return aliasOf(callee, callee.origin);
  }

  assign(caller: string, callee: string, to: Parameters<Tap['assign']>[0]): void {
    for (const tap of this.#pairs.get(keyOf(caller, callee))?.open ?? []) tap.assign(to);
  }

  async #openAll(caller: string, callee: StartedAgent): Promise<readonly Tap[]> {
    const host = await this.#options.hostFor(caller);
    return Promise.all(
      [...new Set([callee.origin, ...callee.origins])].map((upstream) =>
        this.#options.open({
          caller,
          callee: callee.name,
          kind: 'a2a',
          upstream,
          mode: 'alias',
          listen: { ...(host === undefined ? {} : { host }), port: portOf(upstream) },
        }),
      ),
    );
  }
}

/** An origin of an agent as its peers know it: at its own port, by the name that it has for them. */
export function aliasOf({ alias }: Pick<StartedAgent, 'alias'>, origin: string): string {
  const { protocol } = new URL(origin);
  return `${protocol}//${alias}:${portOf(origin)}`;
}

function portOf(origin: string): number {
  const { port, protocol } = new URL(origin);
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

const keyOf = (caller: string, callee: string): string => JSON.stringify([caller, callee]);
