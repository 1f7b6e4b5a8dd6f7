import type { CellId, EdgeKind, Interposer, Purpose, Tap } from '@plugfest/model';
import type { StartedAgent } from '../agents/start.ts';
import type { Address } from '../client/raw-client.ts';
import { DriveFailure } from '../driver/drive.ts';

/** All taps of a run. They stay open until its end, so that late webhooks are still recorded. */
export class Taps {
  readonly #interposer: Interposer;
  readonly #open = new Set<Tap>();

  constructor(interposer: Interposer) {
    this.#interposer = interposer;
  }

  /** The taps of one cell, or of the run itself. Each is opened when it is first asked for. */
  forCell(cell: CellId | undefined, purpose: Purpose = 'normal'): CellTaps {
    const origins = new Map<string, Promise<string>>();
    const origin = (caller: string, callee: string, kind: EdgeKind, upstream: string): Promise<string> => {
      const key = JSON.stringify([caller, callee, kind]);
      let opening = origins.get(key);
      if (!opening) {
        opening = this.#openTap(caller, callee, kind, upstream, cell, purpose);
        origins.set(key, opening);
      }
      return opening;
    };
    return {
      address: async (caller, callee) => ({
        name: callee.name,
        origin: await origin(caller, callee.name, 'a2a', callee.origin),
        cardPath: callee.cardPath,
        headers: caller === 'plugfest' ? callee.headers : {},
        tokens: callee.tokens,
        isTap: (url) => this.#isTap(url),
      }),
      webhookOrigin: (sender, upstream) => origin(sender, 'plugfest', 'webhook', upstream),
    };
  }

  async #openTap(
    caller: string,
    callee: string,
    kind: EdgeKind,
    upstream: string,
    cell: CellId | undefined,
    purpose: Purpose,
  ): Promise<string> {
    const tap = await this.#interposer.openTap({
      caller,
      callee,
      kind,
      upstream,
      purpose,
      ...(cell === undefined ? {} : { cell }),
    });
    this.#open.add(tap);
    return tap.origin;
  }

  #isTap(url: URL): boolean {
    return [...this.#open].some(({ origin }) => origin === url.origin)
      ? true
      : isLocal(url) && this.#interposer.listeningPorts().has(Number(url.port));
  }

  async close(): Promise<void> {
    const taps = [...this.#open];
    this.#open.clear();
    await Promise.all(taps.map((tap) => tap.close()));
  }
}

export interface CellTaps {
  address(caller: string, callee: StartedAgent): Promise<Address>;
  /** Origin at which `sender` reaches the webhook receiver. */
  webhookOrigin(sender: string, upstream: string): Promise<string>;
}

/** Base URL for an SDK's card resolver, which adds the well-known path. */
export function resolverUrl(address: Address, agent: StartedAgent): string {
  if (!agent.cardPath.startsWith(`${agent.basePath}/.well-known/agent-card.json`))
    throw new DriveFailure(
      `${agent.name} has its card at ${agent.cardPath}, where an SDK's resolver does not look for it`,
    );
  return address.origin + agent.basePath;
}

function isLocal(url: URL): boolean {
  return url.hostname === '127.0.0.1' || url.hostname === 'localhost' || url.hostname === '[::1]';
}
