import type { Jwk } from '@plugfest/a2a';
import { type CaptureSink, type ExchangeId, header, isJsonObject } from '@plugfest/model';
import type { HeldBytes } from '../rewriting/held-bytes.ts';
import { cardRequestOf } from './card-request.ts';
import { decodeContent } from './content-coding.ts';
import { checkSignatures } from './signature-check.ts';

export interface CardWatchOptions {
  readonly sink: CaptureSink;
  readonly callee: string;
  readonly keys: readonly Jwk[];
  readonly maxCardBytes: number;
  /** What may be kept of cards at once, by all taps. */
  readonly heldBytes: HeldBytes;
  /** Where the callee serves its card beside the paths of the protocol. */
  readonly cardPaths: () => ReadonlySet<string> | undefined;
}

/** What of a card has gone by. */
export interface WatchedCard {
  readonly exchange: ExchangeId;
  readonly headers: readonly string[];
  readonly chunks: Buffer[];
  bytes: number;
}

/** Checks the signatures of cards that go by, of which no byte is altered: they stay. */
export class CardWatch {
  private readonly options: CardWatchOptions;

  constructor(options: CardWatchOptions) {
    this.options = options;
  }

  /** Undefined for a response that is no card. */
  begin(
    exchange: ExchangeId,
    method: string,
    target: string,
    status: number,
    headers: readonly string[],
  ): WatchedCard | undefined {
    if (method !== 'GET' || status !== 200) return undefined;
    const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
    if (cardRequestOf(method, path, this.options.cardPaths()) === undefined) return undefined;
    return { exchange, headers, chunks: [], bytes: 0 };
  }

  /** False where there is more of it than of any card that is looked at, or no room: it is watched no more. */
  more(card: WatchedCard, chunk: Buffer): boolean {
    const { sink, callee, maxCardBytes, heldBytes } = this.options;
    if (card.bytes + chunk.length <= maxCardBytes && heldBytes.take(chunk.length)) {
      card.bytes += chunk.length;
      card.chunks.push(chunk);
      return true;
    }
    this.leave(card);
    const text = `${callee}'s card is larger than the ${maxCardBytes} bytes that are looked at, or than there was room for; its signatures were not checked`;
    sink.record({ kind: 'note', topic: 'card-not-checked', text, exchange: card.exchange });
    return false;
  }

  /** Nothing more of it will be looked at. */
  leave(card: WatchedCard): void {
    this.options.heldBytes.give(card.bytes);
    card.bytes = 0;
    card.chunks.length = 0;
  }

  async end(card: WatchedCard): Promise<void> {
    try {
      await this.check(card);
    } finally {
      this.leave(card);
    }
  }

  private async check({ exchange, headers, chunks }: WatchedCard): Promise<void> {
    const { sink, callee, keys, maxCardBytes } = this.options;
    const coding = header(headers, 'content-encoding') ?? '';
    const bytes = await decodeContent(Buffer.concat(chunks), coding, maxCardBytes);
    let card: unknown;
    try {
      card = JSON.parse(bytes?.toString('utf8') ?? '');
    } catch {
      // No card; whoever judges the capture will say so.
      return;
    }
    const checked = isJsonObject(card) ? checkSignatures(card, keys) : undefined;
    if (checked === undefined) return;
    const text = `${callee} served its card with ${checked.text}, which was passed on as it is`;
    sink.record({ kind: 'note', topic: 'card-signatures', text, exchange });
  }
}
