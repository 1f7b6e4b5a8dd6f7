import type { CellId, EdgeKind, Interposer, Purpose, Tap, TapSpec } from '@plugfest/model';
import type { StartedAgent } from '../agents/start.ts';
import type { Address } from '../client/raw-client.ts';
import { CardElsewhere } from '../driver/drive.ts';
import type { LabInterposition } from '../lab/lab.ts';
import { FixedTaps } from './fixed-taps.ts';
import { addressTowards } from './towards.ts';

/** All taps of a run. They stay open until its end, so that late webhooks are still recorded. */
export class Taps {
  readonly #interposer: Interposer;
  readonly #interposition: LabInterposition;
  readonly #open = new Set<Tap>();
  /** By agent: where the proxy listens for it. */
  readonly #hosts = new Map<string, Promise<string | undefined>>();
  readonly #fixed: FixedTaps;
  #agents: readonly StartedAgent[] = [];

  constructor(interposer: Interposer, interposition: LabInterposition) {
    this.#interposer = interposer;
    this.#interposition = interposition;
    this.#fixed = new FixedTaps({
      open: (spec) => this.#openTap(spec),
      hostFor: (name) => this.#hostFor(name),
    });
  }

  /** Says where the agents are. */
  meet(agents: readonly StartedAgent[]): void {
    this.#agents = agents;
  }

  /** The taps of one cell, or of the run itself. Each is opened when it is first asked for. */
  forCell(cell: CellId | undefined, purpose: Purpose = 'normal'): CellTaps {
    const origins = new Map<string, Promise<string>>();
    const origin = (caller: string, callee: string, kind: EdgeKind, upstream: string): Promise<string> => {
      const key = JSON.stringify([caller, callee, kind]);
      let opening = origins.get(key);
      if (!opening) {
        opening = this.#openIn(caller, {
          caller,
          callee,
          kind,
          upstream,
          purpose,
          ...(cell ? { cell } : {}),
        });
        origins.set(key, opening);
      }
      return opening;
    };
    const between = (caller: string, callee: StartedAgent): Promise<string> =>
      this.#isFixed(caller)
        ? this.#fixed.origin(caller, callee)
        : origin(caller, callee.name, 'a2a', callee.origin);
    return {
      address: async (caller, callee) => ({
        name: callee.name,
        origin: await between(caller, callee),
        cardPath: callee.cardPath,
        headers: caller === 'plugfest' ? callee.headers : {},
        tokens: callee.tokens,
        isTap: (url) => this.#isTap(url),
      }),
      webhookOrigin: (sender, upstream) => origin(sender, 'plugfest', 'webhook', upstream),
      tapDeliveries: async (sender, receiver) => {
        await origin(sender, receiver.name, 'webhook', receiver.origin);
      },
      claim: (caller, callee) => {
        if (this.#isFixed(caller)) this.#fixed.assign(caller, callee, { cell, purpose });
      },
    };
  }

  /** No cell has the taps between these two any more. */
  release(one: string, other: string): void {
    this.#fixed.assign(one, other, {});
    this.#fixed.assign(other, one, {});
  }

  /** Whether cells share the taps from this caller, so that they have to take turns. */
  #isFixed(caller: string): boolean {
    return this.#interposition.mode === 'alias' && caller !== 'plugfest';
  }

  async #openIn(caller: string, spec: TapSpec): Promise<string> {
    const host = await this.#hostFor(caller);
    const tap = await this.#openTap(host === undefined ? spec : { ...spec, listen: { host, port: 0 } });
    return tap.origin;
  }

  async #openTap(spec: TapSpec): Promise<Tap> {
    const tap = await this.#interposer.openTap(spec);
    this.#open.add(tap);
    return tap;
  }

  #hostFor(caller: string): Promise<string | undefined> {
    const agent = this.#agents.find(({ name }) => name === caller);
    if (this.#interposition.listen === 'loopback' || agent === undefined) return Promise.resolve(undefined);
    let host = this.#hosts.get(caller);
    if (host === undefined) {
      host = addressTowards(agent.origin);
      this.#hosts.set(caller, host);
      // One that failed may be tried again.
      host.catch(() => this.#hosts.delete(caller));
    }
    return host;
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
  /**
   * Opens the tap on which `sender` delivers to a receiver of its client's own. The proxy leads what that client registers
   * with `sender` from now on through it.
   */
  tapDeliveries(sender: string, receiver: StartedAgent): Promise<void>;
  /** What the caller sends from now on is of this cell, where that is not told by the tap's address. */
  claim(caller: string, callee: string): void;
}

/** Base URL for an SDK's card resolver, which adds the well-known path. */
export function resolverUrl(address: Address, agent: StartedAgent): string {
  if (!agent.cardPath.startsWith(`${agent.basePath}/.well-known/agent-card.json`))
    throw new CardElsewhere(
      `${agent.name} has its card at ${agent.cardPath}, where an SDK's resolver does not look for it`,
    );
  return address.origin + agent.basePath;
}

function isLocal(url: URL): boolean {
  return url.hostname === '127.0.0.1' || url.hostname === 'localhost' || url.hostname === '[::1]';
}
