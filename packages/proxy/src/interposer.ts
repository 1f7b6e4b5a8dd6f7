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
import { CardRewriter } from './cards/rewriter.ts';
import { canonicalOrigin } from './cards/url-map.ts';
import { Duplicates } from './faults/duplicates.ts';
import type { FaultSet } from './faults/fault-set.ts';
import { ForwardListener } from './forward/forward-listener.ts';
import type { InterposerOptions, ProxiedParticipant, RecordingInterposer } from './interposer-options.ts';
import { hostOfListener } from './listener-origin.ts';
import { loopMarkOf } from './loop-mark.ts';
import type { OpenTap } from './open-tap.ts';
import { OwnConnections } from './own-connections.ts';
import { HeldBytes } from './rewriting/held-bytes.ts';
import { Rewriter } from './rewriting/rewriter.ts';
import type { TapContext } from './tap-context.ts';
import { TapListener } from './tap-listener.ts';
import { UpstreamOpening } from './upstream/opening.ts';
import { targetOf } from './upstream/target-of.ts';
import type { UpstreamTarget } from './upstream/upstream.ts';
import { WebhookDeliveries } from './webhooks/deliveries.ts';
import { UrlSeal } from './webhooks/sealed-url.ts';
import { WebhookRewriter } from './webhooks/webhook-rewriter.ts';
import { WebhookTaps } from './webhooks/webhook-taps.ts';

/** Taps from one caller to one callee in one cell; their cards lead to one another. */
interface Family {
  readonly taps: Map<string, Promise<TapListener>>;
  readonly origins: Map<string, string>;
  closing: boolean;
}

/** Most further origins of one callee that get a tap of their own. */
const maxSiblings = 16;

/** Largest request that is held back to be searched for webhooks; messages with files may be larger than cards. */
const maxRequestBytes = 4 * 1024 * 1024;
/** Most bytes that all exchanges together hold back. */
const maxHeldBytes = 64 * 1024 * 1024;

class HttpInterposer implements RecordingInterposer {
  private readonly options: InterposerOptions;
  private readonly participants = new Map<string, Set<string>>();
  private readonly cardPaths = new Map<string, Set<string>>();
  /** By callee: canonical origins by which it calls itself, and where it is. */
  private readonly aliases = new Map<string, Map<string, string>>();
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
  private readonly forwardPorts = new Set<number>();
  private readonly webhookTaps = new WebhookTaps();
  private readonly forwards = new Map<string, Promise<ForwardListener>>();
  private readonly signer: CardSigner | undefined;
  private exchanges = 0;
  private connections = 0;
  private closed = false;

  constructor(options: InterposerOptions) {
    this.options = options;
    this.upstreams = new UpstreamOpening({ upstreamCa: options.upstreamCa, keyLog: options.keyLog });
    this.seal = new UrlSeal(options.webhookKey ?? randomBytes(32));
    if (options.signatures === 'resign') {
      const { signingKey } = options;
      this.signer = signingKey === undefined ? CardSigner.generate() : CardSigner.fromPem(signingKey);
    }
    for (const [name, participant] of options.participants ?? []) this.addParticipant(name, participant);
  }

  addParticipant(name: string, participant: ProxiedParticipant): void {
    const origins = this.participants.get(name) ?? new Set();
    for (const origin of participant.origins) origins.add(origin);
    this.participants.set(name, origins);
    const paths = this.cardPaths.get(name) ?? new Set();
    for (const path of participant.cardPaths ?? []) paths.add(path.replace(/[?#].*$/s, ''));
    if (paths.size > 0) this.cardPaths.set(name, paths);
    const aliases = this.aliases.get(name) ?? new Map();
    for (const [alias, origin] of participant.aliases ?? [])
      aliases.set(canonicalOrigin(alias) ?? alias, origin);
    if (aliases.size > 0) this.aliases.set(name, aliases);
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
    return new Set([...[...this.listeners.values()].map(({ port }) => port), ...this.forwardPorts]);
  }

  private listensOn(port: number): boolean {
    for (const listener of this.listeners.values()) if (listener.port === port) return true;
    return this.forwardPorts.has(port);
  }

  async openTap(spec: TapSpec): Promise<Tap> {
    const target = targetOf(spec.upstream);
    const family: Family = { taps: new Map(), origins: new Map(), closing: false };
    if ((spec.mode ?? this.options.mode) === 'forward') return this.openForward(spec, target, family);
    const listener = await this.openListener(spec, target, family);
    return {
      origin: listener.origin,
      assign: (to) => listener.assign(to),
      close: async () => {
        family.closing = true;
        const taps = await Promise.allSettled(family.taps.values());
        await Promise.all(
          taps.map((tap) => (tap.status === 'fulfilled' ? this.closeListener(tap.value) : undefined)),
        );
      },
    };
  }

  private async openForward(spec: TapSpec, target: UpstreamTarget, family: Family): Promise<Tap> {
    if (target.protocol === 'https:' && this.options.tls === undefined) {
      throw new PlugfestError('PLUGFEST_USAGE', `${spec.callee} is reached by https, through a tunnel`, {
        hint: 'To see what is in the tunnel, the proxy needs the lab CA, and the caller has to trust it: add --tls.',
      });
    }
    const canonical = canonicalOrigin(target.origin) ?? target.origin;
    // A caller has one proxy, whichever of its edges says where that listens.
    const key = JSON.stringify([spec.caller, spec.cell ?? '']);
    let opening = this.forwards.get(key);
    if (opening === undefined) {
      opening = this.listenForward(spec);
      this.forwards.set(key, opening);
      opening.catch(() => this.forwards.delete(key));
    }
    const forward = await opening;
    if (!forward.listensAt(spec.listen)) {
      const { host = '', port } = spec.listen ?? {};
      const asked = `${host}:${port ?? 0}`;
      const text = `The forward proxy of ${spec.caller} cannot listen on ${asked}: it has ${forward.origin} already`;
      throw new PlugfestError('PLUGFEST_LISTEN', text, {
        hint: 'A caller has one forward proxy for all its callees: give all its edges the same address, or none but the first.',
      });
    }
    const tap = await this.listen(spec, target, family, forward);
    forward.add(canonical, tap);
    return {
      origin: forward.origin,
      assign: (to) => tap.assign(to),
      close: async () => {
        family.closing = true;
        forward.remove(tap);
        this.tunnels.delete(tap);
        await tap.close();
        if (!forward.idle || this.forwards.get(key) !== opening) return;
        this.forwards.delete(key);
        this.forwardPorts.delete(forward.port);
        await forward.close();
      },
    };
  }

  private async listenForward(spec: TapSpec): Promise<ForwardListener> {
    const { options } = this;
    const forward = new ForwardListener({
      sink: options.sink,
      caller: spec.caller,
      host: spec.listen?.host ?? options.host ?? '127.0.0.1',
      port: spec.listen?.port ?? 0,
      advertise: options.advertise,
      headTimeoutMs: options.headTimeoutMs ?? 60_000,
      maxConnections: options.maxConnections ?? 2048,
    });
    await forward.listen();
    this.forwardPorts.add(forward.port);
    return forward;
  }

  private async openListener(spec: TapSpec, target: UpstreamTarget, family: Family): Promise<TapListener> {
    const key = canonicalOrigin(target.origin) ?? target.origin;
    let opening = family.taps.get(key);
    if (opening === undefined) {
      if (family.taps.size > maxSiblings) {
        const most = `${maxSiblings} further origins of ${spec.callee} are tapped already, which is the most`;
        throw new PlugfestError('PLUGFEST_LISTEN', most);
      }
      const started = this.listen(spec, target, family).then((listener) => {
        family.origins.set(key, listener.origin);
        return listener;
      });
      opening = started;
      family.taps.set(key, started);
      this.opening.add(started);
      started
        // One that failed may be tried again.
        .catch(() => family.taps.delete(key))
        .finally(() => this.opening.delete(started));
    }
    return opening;
  }

  /** `forward`: the proxy that the tap is reached through, instead of an address of its own. */
  private async listen(
    spec: TapSpec,
    target: UpstreamTarget,
    family: Family,
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
        ? this.rewriterFor(spec, target, family, {
            origin: () => listener.origin,
            tags: () => tags,
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
              cardPaths: () => this.cardPaths.get(spec.callee),
            }),
      deliveries,
      host: rewriting ? target.authority : undefined,
      isProxy: forward !== undefined,
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      holdTimeoutMs: options.headTimeoutMs ?? 60_000,
      faults: faults && (() => faults.at(assignment.place)),
      duplicates,
      cardPaths: () => this.cardPaths.get(spec.callee),
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

  private rewriterFor(
    spec: TapSpec,
    target: UpstreamTarget,
    family: Family,
    tap: { readonly origin: () => string; readonly tags: () => EntityTags },
  ): Rewriter {
    const { options } = this;
    const { sink } = options;
    const maxCardBytes = options.maxCardBytes ?? 1024 * 1024;
    const isListening = (port: number, host?: string): boolean =>
      host === undefined ? this.listensOn(port) : this.listeners.has(`${host}:${port}`);
    const reachedAt = (origin: string): string =>
      this.aliases.get(spec.callee)?.get(canonicalOrigin(origin) ?? origin) ?? origin;
    const { listen, ...withoutListen } = spec;
    // In the same network, on a port of its own.
    const siblingSpec =
      listen?.host === undefined
        ? withoutListen
        : { ...withoutListen, listen: { host: listen.host, port: 0 } };
    const cards = new CardRewriter({
      sink,
      callee: spec.callee,
      ...tap,
      maxCardBytes,
      keys: options.cardKeys ?? [],
      signer: this.signer,
      urls: {
        upstream: target.origin,
        calleeOrigins: () => [
          ...family.taps.keys(),
          ...(this.participants.get(spec.callee) ?? []),
          ...(this.aliases.get(spec.callee)?.keys() ?? []),
        ],
        otherOwner: (origin) => this.ownerOf(origin, spec.callee),
        isListening,
        advertise: options.advertise && hostOfListener('', options.advertise),
        trustLoopback: options.trustLoopback ?? false,
      },
      openSibling: async (origin) => {
        const upstream = reachedAt(origin);
        const sibling = await this.openListener({ ...siblingSpec, upstream }, targetOf(upstream), family);
        return sibling.origin;
      },
      siblingAt: (origin) => {
        const upstream = reachedAt(origin);
        return family.origins.get(canonicalOrigin(upstream) ?? upstream);
      },
    });
    const sender = WebhookTaps.keyOf(spec.callee, spec.cell);
    const webhooks = new WebhookRewriter({
      sink,
      agent: spec.callee,
      seal: this.seal,
      tapTo: (canonical) => this.webhookTaps.to(sender, canonical),
      isListening,
      advertise: options.advertise && hostOfListener('', options.advertise),
      maxBytes: maxRequestBytes,
    });
    return new Rewriter({
      cards,
      sink,
      cardPaths: () => this.cardPaths.get(spec.callee),
      webhooks: () => (this.webhookTaps.has(sender) ? webhooks : undefined),
      maxAnswerBytes: maxCardBytes,
      maxRequestBytes,
      heldBytes: this.heldBytes,
      signer: this.signer,
    });
  }

  private refuseWhenClosing(family: Family): void {
    if (this.closed) throw new PlugfestError('PLUGFEST_INTERNAL', 'A tap was opened on a closed interposer.');
    if (family.closing) throw new PlugfestError('PLUGFEST_LISTEN', 'The lab is closing this address.');
  }

  /** The participant other than `callee` that an origin is declared for. */
  private ownerOf(canonical: string, callee: string): string | undefined {
    for (const [name, origins] of this.participants) {
      if (name === callee) continue;
      for (const origin of origins) if (canonicalOrigin(origin) === canonical) return name;
    }
    return undefined;
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
    const forwards = await Promise.allSettled(this.forwards.values());
    await Promise.all(forwards.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Recording taps over HTTP/1.1 and HTTP/2. Nothing listens until a tap is opened. */
export function createInterposer(options: InterposerOptions): RecordingInterposer {
  return new HttpInterposer(options);
}
