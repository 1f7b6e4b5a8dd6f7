import { createHash, randomBytes } from 'node:crypto';
import {
  connectionId,
  type Edge,
  type EdgeId,
  type EdgeKind,
  edgeId,
  exchangeId,
  PlugfestError,
  type Tap,
  type TapMode,
  type TapSpec,
} from '@plugfest/model';
import { Assignment } from './assignment.ts';
import { CardSigner } from './cards/card-signer.ts';
import { CardWatch } from './cards/card-watch.ts';
import { EntityTags } from './cards/entity-tag.ts';
import { canonicalOrigin } from './cards/url-map.ts';
import { Duplicates } from './faults/duplicates.ts';
import type { FaultSet } from './faults/fault-set.ts';
import type { ForwardListener } from './forward/forward-listener.ts';
import { ForwardProxies } from './forward/forward-proxies.ts';
import type { InterposerOptions, ProxiedParticipant, RecordingInterposer } from './interposer-options.ts';
import { loopMarkOf } from './loop-mark.ts';
import type { OpenTap } from './open-tap.ts';
import { OwnConnections } from './own-connections.ts';
import { Participants } from './participants.ts';
import { HeldBytes } from './rewriting/held-bytes.ts';
import { type RewritingSession, rewriterOf } from './rewriting/tap-rewriter.ts';
import type { TapContext } from './tap-context.ts';
import { TapFamily } from './tap-family.ts';
import { TapListener } from './tap-listener.ts';
import { UpstreamOpening } from './upstream/opening.ts';
import { targetOf } from './upstream/target-of.ts';
import type { UpstreamTarget } from './upstream/upstream.ts';
import { WebhookDeliveries } from './webhooks/deliveries.ts';
import { UrlSeal } from './webhooks/sealed-url.ts';
import { WebhookTaps } from './webhooks/webhook-taps.ts';

/** Most bytes that all exchanges together hold back. */
const maxHeldBytes = 64 * 1024 * 1024;

class HttpInterposer implements RecordingInterposer {
  private readonly options: InterposerOptions;
  private readonly participants = new Participants();
  private readonly edges = new Map<string, EdgeId>();
  /** By the address they listen on: several may have one port, each in another network. */
  private readonly listeners = new Map<string, TapListener>();
  private readonly upstreams: UpstreamOpening;
  private readonly opening = new Set<Promise<TapListener>>();
  private readonly own = new OwnConnections();
  private readonly seal: UrlSeal;
  private readonly heldBytes = new HeldBytes(maxHeldBytes);
  /** Taps that are reached through a forward proxy only. */
  private readonly tunnels = new Map<TapListener, ForwardListener>();
  private readonly webhookTaps = new WebhookTaps();
  private readonly forwards: ForwardProxies;
  private readonly rewriting: RewritingSession;
  private exchanges = 0;
  private connections = 0;
  private closed = false;

  constructor(options: InterposerOptions) {
    this.options = options;
    this.forwards = new ForwardProxies(options);
    this.upstreams = new UpstreamOpening({ upstreamCa: options.upstreamCa, keyLog: options.keyLog });
    this.seal = new UrlSeal(options.webhookKey ?? randomBytes(32));
    const { participants, webhookTaps, seal, heldBytes } = this;
    const signer = signerOf(options);
    const isListening = (port: number, host?: string): boolean => this.isListening(port, host);
    this.rewriting = { options, participants, webhookTaps, seal, heldBytes, signer, isListening };
    for (const [name, participant] of options.participants ?? []) this.addParticipant(name, participant);
  }

  addParticipant(name: string, participant: ProxiedParticipant): void {
    this.participants.add(name, participant);
  }

  get faults(): FaultSet | undefined {
    return this.options.faults;
  }

  openTaps(): readonly OpenTap[] {
    return [
      ...[...this.listeners.values()].map(({ about, origin }) => ({ ...about, origin })),
      ...[...this.tunnels].map(([{ about }, { origin }]) => ({ ...about, origin })),
    ];
  }

  connectedFrom(localPort: number, calleePort: number): boolean {
    return this.own.everConnected(localPort, calleePort);
  }

  listeningPorts(): ReadonlySet<number> {
    return new Set([...[...this.listeners.values()].map(({ port }) => port), ...this.forwards.ports]);
  }

  /** With a host, only taps on that very address count. */
  private isListening(port: number, host?: string): boolean {
    if (host !== undefined) return this.listeners.has(`${host}:${port}`);
    for (const listener of this.listeners.values()) if (listener.port === port) return true;
    return this.forwards.ports.has(port);
  }

  async openTap(spec: TapSpec): Promise<Tap> {
    const target = targetOf(spec.upstream);
    const family = new TapFamily(spec.callee);
    if ((spec.mode ?? this.options.mode) === 'forward') return this.openForward(spec, target, family);
    const listener = await this.openListener(spec, target, family);
    return {
      origin: listener.origin,
      assign: (to) => listener.assign(to),
      close: async () => {
        const taps = await family.close();
        await Promise.all(taps.map((tap) => this.closeListener(tap)));
      },
    };
  }

  private async openForward(spec: TapSpec, target: UpstreamTarget, family: TapFamily): Promise<Tap> {
    if (target.protocol === 'https:' && this.options.tls === undefined) {
      throw new PlugfestError('PLUGFEST_USAGE', `${spec.callee} is reached by https, through a tunnel`, {
        hint: 'To see what is in the tunnel, the proxy needs the lab CA, and the caller has to trust it: add --tls.',
      });
    }
    const { forward, leave } = await this.forwards.join(spec);
    const tap = await this.listen(spec, target, family, forward);
    forward.add(canonicalOrigin(target.origin) ?? target.origin, tap);
    return {
      origin: forward.origin,
      assign: (to) => tap.assign(to),
      close: async () => {
        forward.remove(tap);
        this.tunnels.delete(tap);
        await family.close();
        await tap.close();
        await leave();
      },
    };
  }

  private openListener(spec: TapSpec, target: UpstreamTarget, family: TapFamily): Promise<TapListener> {
    return family.get(canonicalOrigin(target.origin) ?? target.origin, () => {
      const opening = this.listen(spec, target, family);
      this.opening.add(opening);
      const forget = (): void => void this.opening.delete(opening);
      opening.then(forget, forget);
      return opening;
    });
  }

  /** `forward`: the proxy that the tap is reached through, instead of an address of its own. */
  private async listen(
    spec: TapSpec,
    target: UpstreamTarget,
    family: TapFamily,
    forward?: ForwardListener,
  ): Promise<TapListener> {
    this.refuseWhenClosing(family);
    const { options } = this;
    const { sink, run, idPrefix = '' } = options;
    const mode = spec.mode ?? options.mode ?? 'rewrite';
    const rewriting = mode === 'rewrite';
    const host = spec.listen?.host ?? options.host ?? '127.0.0.1';
    let closing = false;

    const rewriter =
      rewriting && spec.kind === 'a2a'
        ? rewriterOf(this.rewriting, {
            spec,
            upstream: target.origin,
            family,
            origin: () => listener.origin,
            tags: () => tags,
            openSibling: async (sibling) =>
              (await this.openListener(sibling, targetOf(sibling.upstream), family)).origin,
          })
        : undefined;
    const deliveries =
      rewriting && spec.kind === 'webhook'
        ? new WebhookDeliveries({
            sender: spec.caller,
            seal: this.seal,
            upstream: target.origin,
            origin: () => listener.origin,
          })
        : undefined;

    const { faults } = options;
    const duplicates = new Duplicates();
    const assignment = new Assignment(spec, run, options.tracing === 'inject');
    const context: TapContext = {
      sink,
      run,
      edge: this.edgeOf(spec.caller, spec.callee, spec.kind, mode, target.origin),
      caller: spec.caller,
      callee: spec.callee,
      kind: spec.kind,
      assignment,
      target,
      loopMark:
        options.tracing === 'inject'
          ? loopMarkOf(run, spec.caller, spec.callee, spec.kind, spec.cell, target.origin)
          : undefined,
      rewriter,
      cardWatch:
        rewriting || spec.kind !== 'a2a'
          ? undefined
          : new CardWatch({
              sink,
              callee: spec.callee,
              keys: options.cardKeys ?? [],
              maxCardBytes: options.maxCardBytes ?? 1024 * 1024,
              heldBytes: this.heldBytes,
              cardPaths: () => this.participants.cardPathsOf(spec.callee),
            }),
      deliveries,
      host: rewriting ? target.authority : undefined,
      isProxy: forward !== undefined,
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      holdTimeoutMs: options.headTimeoutMs ?? 60_000,
      faults: faults && (() => faults.at(assignment.place)),
      duplicates,
      cardPaths: () => this.participants.cardPathsOf(spec.callee),
      heldBytes: this.heldBytes,
      nextExchange: () => exchangeId(`x${idPrefix}${(++this.exchanges).toString(36)}`),
      isOwnConnection: (address, port, listening) => this.own.has(address, port, listening),
      closing: () => closing,
    };
    const listener = new TapListener({
      context,
      host,
      port: spec.listen?.port ?? 0,
      advertise: options.advertise,
      opening: this.upstreams,
      // In a tunnel is what the caller would speak with the callee.
      authority: forward === undefined || target.protocol === 'https:' ? options.tls : undefined,
      keyLog: options.keyLog,
      headTimeoutMs: options.headTimeoutMs ?? 60_000,
      maxConnections: options.maxConnections ?? 2048,
      drainMs: options.drainMs ?? 1000,
      nextConnection: () => connectionId(`c${idPrefix}${(++this.connections).toString(36)}`),
      upstreamOpened: (address, port) => this.own.opened(address, port, target.port),
      onClosing: () => {
        closing = true;
        duplicates.close();
      },
    });
    if (forward === undefined) await listener.listen();
    if (this.closed || family.closing) await listener.close();
    this.refuseWhenClosing(family);
    const tags = new EntityTags(
      createHash('sha256').update(`${run}|${listener.origin}`).digest('hex').slice(0, 8),
    );
    if (forward === undefined) this.listeners.set(listener.address, listener);
    else this.tunnels.set(listener, forward);
    if (deliveries !== undefined) {
      this.webhookTaps.add(
        WebhookTaps.keyOf(spec.caller, spec.cell),
        canonicalOrigin(target.origin) ?? target.origin,
        { receiver: spec.callee, origin: listener.origin },
      );
    }
    return listener;
  }

  private refuseWhenClosing(family: TapFamily): void {
    if (this.closed) throw new PlugfestError('PLUGFEST_INTERNAL', 'A tap was opened on a closed interposer.');
    if (family.closing) throw new PlugfestError('PLUGFEST_LISTEN', 'The lab is closing this address.');
  }

  private edgeOf(caller: string, callee: string, kind: EdgeKind, mode: TapMode, upstream: string): EdgeId {
    const key = JSON.stringify([caller, callee, kind, mode, upstream]);
    const known = this.edges.get(key);
    if (known !== undefined) return known;
    const id = edgeId(`e${this.options.idPrefix ?? ''}${this.edges.size + 1}`);
    this.edges.set(key, id);
    const edge: Edge = { id, caller, callee, kind, mode, upstream };
    this.options.sink.record({ kind: 'edge', edge });
    return id;
  }

  private async closeListener(listener: TapListener): Promise<void> {
    await listener.close();
    this.webhookTaps.remove(listener.origin);
    if (this.listeners.get(listener.address) === listener) this.listeners.delete(listener.address);
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.allSettled(this.opening);
    await Promise.all(
      [...this.listeners.values(), ...this.tunnels.keys()].map((listener) => this.closeListener(listener)),
    );
    this.tunnels.clear();
    await this.forwards.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Signs cards that were signed and had to be changed, where that is wanted. */
function signerOf({ signatures, signingKey }: InterposerOptions): CardSigner | undefined {
  if (signatures !== 'resign') return undefined;
  return signingKey === undefined ? CardSigner.generate() : CardSigner.fromPem(signingKey);
}

/** Recording taps over HTTP/1.1 and HTTP/2. Nothing listens until a tap is opened. */
export function createInterposer(options: InterposerOptions): RecordingInterposer {
  return new HttpInterposer(options);
}
