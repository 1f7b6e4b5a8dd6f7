import type { Jwk } from '@plugfest/a2a';
import { type CaptureSink, type ExchangeId, header, isJsonObject } from '@plugfest/model';
import { cardRequestOf } from './card-request.ts';
import { decodeContent } from './content-coding.ts';
import { checkSignatures } from './signature-check.ts';

export interface CardWatchOptions {
  readonly sink: CaptureSink;
  readonly callee: string;
  readonly keys: readonly Jwk[];
  readonly maxCardBytes: number;
  /** Where the callee serves its card beside the paths of the protocol. */
  readonly cardPaths: () => ReadonlySet<string> | undefined;
}

/** What of a card has gone by. */
export interface WatchedCard {
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
  begin(method: string, target: string, status: number, headers: readonly string[]): WatchedCard | undefined {
    if (method !== 'GET' || status !== 200) return undefined;
    const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
    if (cardRequestOf(method, path, this.options.cardPaths()) === undefined) return undefined;
    return { headers, chunks: [], bytes: 0 };
  }

  /** False where there is more of it than of any card that is looked at. */
  more(card: WatchedCard, chunk: Buffer): boolean {
    card.bytes += chunk.length;
    card.chunks.push(chunk);
    return card.bytes <= this.options.maxCardBytes;
  }

  async end(exchange: ExchangeId, { headers, chunks }: WatchedCard): Promise<void> {
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
