import type { TapSpec } from '@plugfest/model';
import type { CardSigner } from '../cards/card-signer.ts';
import type { EntityTags } from '../cards/entity-tag.ts';
import { CardRewriter } from '../cards/rewriter.ts';
import { canonicalOrigin } from '../cards/url-map.ts';
import type { InterposerOptions } from '../interposer-options.ts';
import { hostOfListener } from '../listener-origin.ts';
import type { Participants } from '../participants.ts';
import type { TapFamily } from '../tap-family.ts';
import type { UrlSeal } from '../webhooks/sealed-url.ts';
import { WebhookRewriter } from '../webhooks/webhook-rewriter.ts';
import { WebhookTaps } from '../webhooks/webhook-taps.ts';
import type { HeldBytes } from './held-bytes.ts';
import { Rewriter } from './rewriter.ts';

/** Largest request that is held back to be searched for webhooks; messages with files may be larger than cards. */
const maxRequestBytes = 4 * 1024 * 1024;

/** What the rewriters of a session share. */
export interface RewritingSession {
  readonly options: InterposerOptions;
  readonly participants: Participants;
  readonly webhookTaps: WebhookTaps;
  readonly seal: UrlSeal;
  readonly heldBytes: HeldBytes;
  readonly signer: CardSigner | undefined;
  /** Whether a tap or a forward proxy listens on a port, on any address or on this one. */
  isListening(port: number, host?: string): boolean;
}

/** The tap that rewrites. */
interface RewritingTap {
  readonly spec: TapSpec;
  /** Origin of the callee. */
  readonly upstream: string;
  readonly family: TapFamily;
  /** Asked once it listens. */
  origin(): string;
  tags(): EntityTags;
  /** Opens a tap to another origin of the callee. */
  openSibling(spec: TapSpec): Promise<string>;
}

/** What a tap in `rewrite` mode towards an agent rewrites with. */
export function rewriterOf(session: RewritingSession, tap: RewritingTap): Rewriter {
  const { options, participants, webhookTaps, seal, heldBytes, signer } = session;
  const { sink } = options;
  const { spec, upstream, family } = tap;
  const { callee } = spec;
  const maxCardBytes = options.maxCardBytes ?? 1024 * 1024;
  const isListening = (port: number, host?: string): boolean => session.isListening(port, host);
  const advertise = options.advertise && hostOfListener('', options.advertise);
  const { listen, ...withoutListen } = spec;
  // In the same network, on a port of its own.
  const siblingSpec =
    listen?.host === undefined ? withoutListen : { ...withoutListen, listen: { host: listen.host, port: 0 } };
  const cards = new CardRewriter({
    sink,
    callee,
    origin: () => tap.origin(),
    tags: () => tap.tags(),
    maxCardBytes,
    keys: options.cardKeys ?? [],
    signer,
    urls: {
      upstream,
      calleeOrigins: () => [...family.calleeOrigins, ...participants.originsOf(callee)],
      otherOwner: (origin) => participants.ownerOf(origin, callee),
      isListening,
      advertise,
      trustLoopback: options.trustLoopback ?? false,
    },
    openSibling: (origin) =>
      tap.openSibling({ ...siblingSpec, upstream: participants.reachedAt(callee, origin) }),
    siblingAt: (origin) => {
      const reached = participants.reachedAt(callee, origin);
      return family.openAt(canonicalOrigin(reached) ?? reached);
    },
  });
  const sender = WebhookTaps.keyOf(callee, spec.cell);
  const webhooks = new WebhookRewriter({
    sink,
    agent: callee,
    seal,
    tapTo: (canonical) => webhookTaps.to(sender, canonical),
    isListening,
    advertise,
    maxBytes: maxRequestBytes,
  });
  return new Rewriter({
    cards,
    sink,
    cardPaths: () => participants.cardPathsOf(callee),
    webhooks: () => (webhookTaps.has(sender) ? webhooks : undefined),
    maxAnswerBytes: maxCardBytes,
    maxRequestBytes,
    heldBytes,
    signer,
  });
}
