import type { CardView, DecodedExchange, PeerContext } from '@plugfest/a2a';
import { withoutTrailingSlashes } from '@plugfest/a2a';
import type { ProtocolVersion } from '@plugfest/model';
import { owned } from './owned.ts';

/** A client that guesses paths does so at its first calls. */
const keptMissedPaths = 32;

const nowhere: ReadonlySet<string> = new Set();
const stranger: PeerContext = {};

/** What traffic says of agents beside their tasks: the version they speak, and where they serve. */
export class Peers {
  readonly #peers = new Map<string, PeerContext>();
  readonly #missedPaths = new Map<string, Set<string>>();

  of(agent: string): PeerContext {
    return this.#peers.get(agent) ?? stranger;
  }

  /** Learns from the next exchange. */
  add({ captured, kind, dialect, operation, request, response, payloads }: DecodedExchange): void {
    if (dialect === undefined) return;
    const { caller, callee } = captured.edge;
    if (kind === 'operation') {
      if (operation === undefined) return;
      this.#speaks(callee, dialect.version);
      if (dialect.binding === 'HTTP+JSON' && response?.status === 404 && response.error === undefined)
        this.#missed(caller, callee, request.path);
      if (operation !== 'GetExtendedAgentCard') return;
    }
    const card = payloads.findLast((payload) => payload.kind === 'card');
    if (card?.kind === 'card') this.#declares(callee, card.card);
  }

  #speaks(agent: string, version: ProtocolVersion): void {
    const known = this.of(agent);
    if (known.version !== version) this.#peers.set(agent, { ...known, version });
  }

  /**
   * Calls show 0.1 and 0.2 hardly ever by themselves, so the card of such an agent says it until a call says otherwise.
   * Later cards may declare several versions, and their calls tell them apart.
   */
  #declares(agent: string, card: CardView): void {
    const known = this.of(agent);
    const isOld = card.version === '0.1' || card.version === '0.2';
    const version = known.version ?? (isOld ? card.version : undefined);
    this.#peers.set(agent, {
      ...known,
      basePaths: restBasePaths(card),
      ...(version === undefined ? {} : { version }),
    });
  }

  #missed(caller: string, agent: string, path: string): void {
    const key = owned(agent, caller);
    const paths = this.#missedPaths.get(key) ?? new Set();
    if (paths.size < keptMissedPaths) paths.add(path);
    this.#missedPaths.set(key, paths);
  }

  missedPaths(caller: string, agent: string): ReadonlySet<string> {
    return this.#missedPaths.get(owned(agent, caller)) ?? nowhere;
  }
}

/** Paths of a card's HTTP+JSON interfaces, without trailing slash. */
function restBasePaths(card: CardView): readonly string[] {
  return card.interfaces
    .filter(({ binding }) => binding === 'HTTP+JSON')
    .map(({ url }) => URL.parse(url ?? '')?.pathname)
    .filter((path) => path !== undefined)
    .map(withoutTrailingSlashes);
}
