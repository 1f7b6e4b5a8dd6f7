import { type CaptureSink, type Change, type ExchangeId, header, mediaType } from '@plugfest/model';
import { type CardRequest, cardCallOf } from './card-request.ts';
import { editCard, type InterfaceUrl, locateCard } from './card-text.ts';
import { decodeContent } from './content-coding.ts';
import type { EntityTags } from './entity-tag.ts';
import { atOrigin, placeOfUrl, type UrlMapOptions } from './url-map.ts';

export interface CardRewriterOptions {
  readonly sink: CaptureSink;
  readonly callee: string;
  /** Origin of the tap, which takes the place of the callee's. */
  readonly origin: () => string;
  readonly tags: () => EntityTags;
  readonly urls: UrlMapOptions;
  readonly maxCardBytes: number;
  /** Origin of a tap to another origin of the callee; opens it where there is none. */
  readonly openSibling: (origin: string) => Promise<string>;
  /** The same where it is open already. */
  readonly siblingAt: (origin: string) => string | undefined;
}

export interface RewrittenCard {
  readonly headers: string[];
  readonly body: Buffer;
  readonly changes: readonly Change[];
}

/** Fields that describe the bytes of a body (RFC 9110 section 8, RFC 9530). */
const describesBytes = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'trailer',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
  'accept-ranges',
]);

const isJson = (type: string): boolean => type === '' || type === 'text/plain' || /[/+]json$/.test(type);

/** Puts a tap's address into the cards that pass through it. */
export class CardRewriter {
  private readonly options: CardRewriterOptions;

  constructor(options: CardRewriterOptions) {
    this.options = options;
  }

  get maxCardBytes(): number {
    return this.options.maxCardBytes;
  }

  cardCall(body: Buffer): CardRequest | undefined {
    return cardCallOf(body);
  }

  /** Makes the callee understand a revalidation of a card that we rewrote. Edits `headers` in place. */
  mapConditions(headers: string[]): Change[] {
    const changes: Change[] = [];
    for (let i = headers.length - 2; i >= 0; i -= 2) {
      const where = headers[i] ?? '';
      if (where.toLowerCase() !== 'if-none-match') continue;
      const before = headers[i + 1] ?? '';
      const after = this.options.tags().inward(before);
      if (after === before) continue;
      if (after === undefined) headers.splice(i, 2);
      else headers[i + 1] = after;
      changes.push({
        side: 'request',
        place: 'header',
        where,
        before,
        ...(after === undefined ? {} : { after }),
        reason: 'etag',
      });
    }
    return changes;
  }

  /** Whether the response has to be held back, because there may be a card in it. */
  mayHoldCard(card: CardRequest, method: string, status: number, headers: readonly string[]): boolean {
    if (method === 'HEAD' || (status !== 200 && status !== 203)) return false;
    return isJson(mediaType(header(headers, 'content-type'))) && (card === 'get' || status === 200);
  }

  /**
   * Head of a response that is passed on: redirects lead back to a tap, and tags of cards are ours, also
   * where no card is sent (304, HEAD). Edits `headers` in place.
   */
  mapHead(
    exchange: ExchangeId,
    card: CardRequest | undefined,
    method: string,
    status: number,
    headers: string[],
  ): Change[] {
    const changes: Change[] = [];
    const aboutCard = card === 'get' && (status === 304 || (method === 'HEAD' && status === 200));
    for (let i = headers.length - 2; i >= 0; i -= 2) {
      const where = headers[i] ?? '';
      const before = headers[i + 1] ?? '';
      const side = 'response';
      if (where.length === 8 && where.toLowerCase() === 'location') {
        const after = this.location(exchange, before);
        if (after === undefined) continue;
        headers[i + 1] = after;
        changes.push({ side, place: 'header', where, before, after, reason: 'location' });
      } else if (aboutCard && where.toLowerCase() === 'etag') {
        const after = this.options.tags().outward(before);
        if (after === undefined) continue;
        headers[i + 1] = after;
        changes.push({ side, place: 'header', where, before, after, reason: 'etag' });
      } else if (aboutCard && where.toLowerCase() === 'content-length') {
        // What a GET would have brought is not known without doing one.
        headers.splice(i, 2);
        changes.push({ side, place: 'header', where, before, reason: 'card-url' });
      }
    }
    return changes;
  }

  private location(exchange: ExchangeId, url: string): string | undefined {
    const place = placeOfUrl(url, '', this.options.urls);
    const origin =
      place.kind === 'here'
        ? this.options.origin()
        : place.kind === 'sibling'
          ? this.options.siblingAt(place.origin)
          : undefined;
    if (origin !== undefined) return atOrigin(url, origin);
    if (place.kind !== 'ours' && place.kind !== 'none') {
      this.note(
        exchange,
        'uninterposed-url',
        `${this.options.callee} redirects to ${url}, which is not tapped`,
      );
    }
    return undefined;
  }

  /** The card with our URLs; undefined where nothing has to change, and then nothing may. */
  async rewrite(
    exchange: ExchangeId,
    card: CardRequest,
    headers: readonly string[],
    chunks: readonly Buffer[],
  ): Promise<RewrittenCard | undefined> {
    const text = await this.textOf(exchange, headers, chunks);
    const within = card === 'get' ? 'root' : 'result';
    const located = text === undefined ? undefined : locateCard(text, within);
    if (text === undefined || located === undefined) return undefined;

    const replacements = new Map<string, string>();
    for (const place of located.urls) {
      const origin = await this.originFor(exchange, place);
      if (origin !== undefined) replacements.set(place.url, atOrigin(place.url, origin));
    }
    const changes: Change[] = [];
    const side = 'response';
    const edited = editCard(text, within, (place) => {
      const after = place.binding.toUpperCase() === 'GRPC' ? undefined : replacements.get(place.url);
      if (after !== undefined && after !== place.url) {
        changes.push({
          side,
          place: 'body',
          where: place.pointer,
          before: place.url,
          after,
          reason: 'card-url',
        });
      }
      return after;
    });
    if (changes.length === 0) return undefined;
    changes.push({ side, place: 'body', before: text, after: edited.text, reason: 'card-url' });
    if (edited.removedSignatures !== undefined) {
      const where = within === 'root' ? '/signatures' : '/result/signatures';
      changes.push({
        side,
        place: 'body',
        where,
        before: edited.removedSignatures,
        reason: 'card-signatures',
      });
      this.note(
        exchange,
        'card-signatures-removed',
        `The signatures of ${this.options.callee}'s card cover its URLs, which were rewritten; they were removed`,
      );
    }
    const body = Buffer.from(edited.text, 'utf8');
    const mapped = this.headersFor(headers, body);
    return { headers: mapped.headers, body, changes: [...changes, ...mapped.changes] };
  }

  private async originFor(exchange: ExchangeId, place: InterfaceUrl): Promise<string | undefined> {
    const found = placeOfUrl(place.url, place.binding, this.options.urls);
    switch (found.kind) {
      case 'here':
        return this.options.origin();
      case 'sibling':
        try {
          return await this.options.openSibling(found.origin);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          this.note(exchange, 'uninterposed-url', `No tap to ${place.url} could be opened: ${why}`);
          return undefined;
        }
      case 'outside':
        this.note(
          exchange,
          'uninterposed-url',
          `${this.options.callee}'s card names ${place.url} at ${place.pointer}, which is not tapped: ${found.why}`,
        );
        return undefined;
      default:
        return undefined;
    }
  }

  private async textOf(
    exchange: ExchangeId,
    headers: readonly string[],
    chunks: readonly Buffer[],
  ): Promise<string | undefined> {
    const { callee, maxCardBytes } = this.options;
    const coding = header(headers, 'content-encoding') ?? '';
    const bytes = await decodeContent(Buffer.concat(chunks), coding, maxCardBytes);
    if (bytes === undefined) {
      this.note(
        exchange,
        'card-not-rewritten',
        `${callee}'s card could not be decoded (${coding}, at most ${maxCardBytes} bytes); it was passed on untouched`,
      );
      return undefined;
    }
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      this.note(exchange, 'card-not-rewritten', `${callee}'s card is no UTF-8; it was passed on untouched`);
      return undefined;
    }
  }

  /** Fields of the rewritten card: none that describes the bytes that were. */
  private headersFor(received: readonly string[], body: Buffer): { headers: string[]; changes: Change[] } {
    const headers: string[] = [];
    const changes: Change[] = [];
    const length = String(body.length);
    let hasLength = false;
    const side = 'response';
    for (let i = 0; i + 1 < received.length; i += 2) {
      const where = received[i] ?? '';
      const before = received[i + 1] ?? '';
      const name = where.toLowerCase();
      if (name === 'content-length') {
        hasLength = true;
        headers.push(where, length);
        if (before !== length) {
          changes.push({ side, place: 'header', where, before, after: length, reason: 'card-url' });
        }
      } else if (describesBytes.has(name)) {
        changes.push({ side, place: 'header', where, before, reason: 'card-url' });
      } else if (name === 'etag') {
        const after = this.options.tags().outward(before);
        if (after !== undefined) headers.push(where, after);
        changes.push({
          side,
          place: 'header',
          where,
          before,
          ...(after === undefined ? {} : { after }),
          reason: 'etag',
        });
      } else headers.push(where, before);
    }
    if (!hasLength) {
      headers.push('Content-Length', length);
      changes.push({ side, place: 'header', where: 'Content-Length', after: length, reason: 'card-url' });
    }
    return { headers, changes };
  }

  private note(exchange: ExchangeId, topic: string, text: string): void {
    this.options.sink.record({ kind: 'note', topic, text, exchange });
  }
}
