import { grpcCard, grpcUrlFields, type Jwk } from '@plugfest/a2a';
import { type CaptureSink, type Change, type ExchangeId, header, type JsonObject } from '@plugfest/model';
import type { Answer } from '../rewriting/answer.ts';
import { fieldsForBody } from '../rewriting/body-fields.ts';
import { editMessages } from '../rewriting/grpc-messages.ts';
import { editUrls, lengthDelimited } from '../rewriting/protobuf-edit.ts';
import type { RewrittenBody } from '../rewriting/rewritten-body.ts';
import { type CardSigner, jwksPath } from './card-signer.ts';
import { cardValue, editCard, type InterfaceUrl, locateCard } from './card-text.ts';
import { decodeContent } from './content-coding.ts';
import type { EntityTags } from './entity-tag.ts';
import { type CheckedCard, checkMessageSignatures, checkSignatures } from './signature-check.ts';
import { atOrigin, placeOfUrl, type UrlMapOptions } from './url-map.ts';

export interface CardRewriterOptions {
  readonly sink: CaptureSink;
  readonly callee: string;
  /** Origin of the tap, which takes the place of the callee's. */
  readonly origin: () => string;
  readonly tags: () => EntityTags;
  readonly urls: UrlMapOptions;
  readonly maxCardBytes: number;
  /** Keys that publishers are known to sign with. */
  readonly keys: readonly Jwk[];
  /** Signs what was signed and had to be changed; such signatures are removed where it is absent. */
  readonly signer: CardSigner | undefined;
  /** Origin of a tap to another origin of the callee; opens it where there is none. Throws where it may not. */
  readonly openSibling: (origin: string) => Promise<string>;
  /** The same where it is open already. */
  readonly siblingAt: (origin: string) => string | undefined;
}

/** Most interface URLs of a card that are looked at, and most notes about them; the rest is one note. */
const maxInterfaces = 256;
const maxNotes = 16;
const maxNotedUrlChars = 300;

const noted = (url: string): string =>
  url.length > maxNotedUrlChars ? `${url.slice(0, maxNotedUrlChars)}…` : url;

/** Puts a tap's address into the cards that pass through it. */
export class CardRewriter {
  private readonly options: CardRewriterOptions;

  constructor(options: CardRewriterOptions) {
    this.options = options;
  }

  /** Tag for the client in place of the callee's. */
  outwardTag(tag: string): string | undefined {
    return this.options.tags().outward(tag);
  }

  /** Makes the callee understand a revalidation of a card that we rewrote. Edits `headers` in place. */
  mapConditions(headers: string[]): Change[] {
    const changes: Change[] = [];
    for (let i = headers.length - 2; i >= 0; i -= 2) {
      const where = headers[i] ?? '';
      const name = where.toLowerCase();
      const before = headers[i + 1] ?? '';
      if (name === 'range' || name === 'if-range') {
        // A part of the callee's bytes is no part of ours; a range is a wish that need not be granted (RFC 9110 section 14.2).
        headers.splice(i, 2);
        changes.push({ side: 'request', place: 'header', where, before, reason: 'card-url' });
        continue;
      }
      if (name !== 'if-none-match') continue;
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

  /**
   * Head of a response that is passed on: redirects lead back to a tap, and tags of cards are ours, also
   * where no card is sent (304, HEAD). Edits `headers` in place.
   */
  mapHead(
    exchange: ExchangeId,
    answer: Answer | undefined,
    method: string,
    status: number,
    headers: string[],
  ): Change[] {
    const changes: Change[] = [];
    const aboutCard = answer?.within === 'root' && (status === 304 || (method === 'HEAD' && status === 200));
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
        `${this.options.callee} redirects to ${noted(url)}, which is not tapped`,
      );
    }
    return undefined;
  }

  /**
   * The card with our URLs; undefined where nothing has to change, and then nothing may. Gives up without one as soon
   * as `wanted` says that nobody waits for it.
   */
  async rewrite(
    exchange: ExchangeId,
    answer: Answer,
    headers: readonly string[],
    chunks: readonly Buffer[],
    wanted: () => boolean,
  ): Promise<RewrittenBody | undefined> {
    if (answer.within === 'grpc') return this.rewriteMessage(exchange, answer, headers, chunks, wanted);
    const text = await this.textOf(exchange, headers, chunks);
    const { within } = answer;
    const located = text === undefined ? undefined : locateCard(text, within);
    if (text === undefined || located === undefined) return undefined;

    const value = cardValue(text, within);
    const checked = value && this.checked(exchange, checkSignatures(value, this.options.keys));
    const replacements = await this.replacementsFor(exchange, located.urls, wanted);
    if (replacements === undefined) return undefined;
    const changes: Change[] = [];
    const side = 'response';
    let looked = 0;
    const replace = (place: InterfaceUrl): string | undefined => {
      if (++looked > maxInterfaces) return undefined;
      const after = replacements.get(place.url);
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
    };
    const edited = editCard(text, within, replace, (unsigned) => {
      const entry = this.resign(unsigned, checked);
      return entry === undefined ? undefined : [{ ...entry }];
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
      this.noteSignatures(exchange, edited.resigned === true, checked);
    }
    const body = Buffer.from(edited.text, 'utf8');
    const mapped = fieldsForBody(headers, body, {
      side,
      reason: 'card-url',
      decoded: true,
      framing: 'length',
      entityTag: (tag) => this.outwardTag(tag),
    });
    return { headers: mapped.headers, body, changes: [...changes, ...mapped.changes], keepsTrailers: false };
  }

  /** The same for a card in a message of gRPC. */
  private async rewriteMessage(
    exchange: ExchangeId,
    { rpc = '' }: Answer,
    headers: readonly string[],
    chunks: readonly Buffer[],
    wanted: () => boolean,
  ): Promise<RewrittenBody | undefined> {
    const { callee, maxCardBytes } = this.options;
    const found = grpcUrlFields(rpc, 'response');
    if (found === undefined) return undefined;
    const { fields } = found;
    const received = Buffer.concat(chunks);
    const encoding = header(headers, 'grpc-encoding');
    const urls: InterfaceUrl[] = [];
    let checked: CheckedCard | undefined;
    const looked = editMessages(received, encoding, maxCardBytes, (message) => {
      const card = grpcCard(rpc, message);
      checked = card && this.checked(exchange, checkMessageSignatures(card, this.options.keys));
      editUrls(message, fields, (place) => {
        urls.push(place);
        return undefined;
      });
      return undefined;
    });
    if (looked.kind === 'unreadable') {
      this.note(exchange, 'card-not-rewritten', `${callee}'s card was passed on untouched: ${looked.why}`);
      return undefined;
    }
    const replacements = await this.replacementsFor(exchange, urls, wanted);
    if (replacements === undefined) return undefined;
    const changes: Change[] = [];
    const side = 'response';
    let unsigned = false;
    let resigned = false;
    const resign = (message: Buffer): Buffer | undefined => {
      const card = grpcCard(rpc, message);
      const entry = card && this.resign(card, checked);
      resigned = entry !== undefined;
      // `protected` and `signature` of AgentCardSignature, in both packages.
      return (
        entry &&
        Buffer.concat([
          lengthDelimited(1, Buffer.from(entry.protected)),
          lengthDelimited(2, Buffer.from(entry.signature)),
        ])
      );
    };
    const edited = editMessages(received, encoding, maxCardBytes, (message) => {
      const replace = ({ pointer, url }: InterfaceUrl): string | undefined => {
        const after = replacements.get(url);
        if (after !== undefined && after !== url) {
          changes.push({ side, place: 'body', where: pointer, before: url, after, reason: 'card-url' });
        }
        return after;
      };
      const result = editUrls(message, fields, replace, resign);
      for (const signature of result?.removedSignatures ?? []) {
        unsigned = true;
        const before = signature.toString('base64');
        changes.push({ side, place: 'body', where: '/signatures', before, reason: 'card-signatures' });
      }
      return result?.bytes;
    });
    if (edited.kind !== 'edited') return undefined;
    if (unsigned) this.noteSignatures(exchange, resigned, checked);
    const mapped = fieldsForBody(headers, edited.body, {
      side,
      reason: 'card-url',
      decoded: false,
      framing: 'as-received',
      entityTag: (tag) => this.outwardTag(tag),
    });
    return {
      headers: mapped.headers,
      body: edited.body,
      changes: [...changes, ...mapped.changes],
      keepsTrailers: true,
    };
  }

  /** Says what became of a card's signatures, before anything of it is touched. */
  private checked(exchange: ExchangeId, checked: CheckedCard | undefined): CheckedCard | undefined {
    if (checked !== undefined) {
      this.note(exchange, 'card-signatures', `${this.options.callee} served its card with ${checked.text}`);
    }
    return checked;
  }

  private resign(
    card: JsonObject,
    checked: CheckedCard | undefined,
  ): { readonly protected: string; readonly signature: string } | undefined {
    if (checked?.mayResign === false) return undefined;
    return this.options.signer?.sign(card, this.options.origin() + jwksPath);
  }

  private noteSignatures(exchange: ExchangeId, resigned: boolean, checked: CheckedCard | undefined): void {
    const what = `The signatures of ${this.options.callee}'s card cover its URLs, which were rewritten`;
    if (resigned) this.note(exchange, 'card-signatures-replaced', `${what}; the lab's own took their place`);
    else {
      const forged = this.options.signer !== undefined && checked?.mayResign === false;
      const why = forged
        ? '; they were removed, and the card was not signed anew, since they were not in order'
        : '; they were removed';
      this.note(exchange, 'card-signatures-removed', what + why);
    }
  }

  /** From interface URL to what takes its place; undefined once it is not wanted any more. */
  private async replacementsFor(
    exchange: ExchangeId,
    places: readonly InterfaceUrl[],
    wanted: () => boolean,
  ): Promise<ReadonlyMap<string, string> | undefined> {
    const replacements = new Map<string, string>();
    const outside: string[] = [];
    for (const place of places.slice(0, maxInterfaces)) {
      if (!wanted()) return undefined;
      const found = await this.originFor(place);
      if (found === undefined) continue;
      if (found.origin !== undefined) replacements.set(place.url, atOrigin(place.url, found.origin));
      else outside.push(`names ${noted(place.url)} at ${place.pointer}, which is not tapped: ${found.why}`);
    }
    if (!wanted()) return undefined;
    const { callee } = this.options;
    for (const text of outside.slice(0, maxNotes))
      this.note(exchange, 'uninterposed-url', `${callee}'s card ${text}`);
    const unlooked = places.length - Math.min(places.length, maxInterfaces);
    const more = Math.max(0, outside.length - maxNotes) + unlooked;
    if (more > 0) {
      const text = `${callee}'s card names ${more} more URLs that are not tapped; of ${places.length}, the first ${maxInterfaces} are looked at`;
      this.note(exchange, 'uninterposed-url', text);
    }
    return replacements;
  }

  /** Origin to put into a URL, or why there is none; undefined where the URL may stay. */
  private async originFor(
    place: InterfaceUrl,
  ): Promise<{ readonly origin: string } | { readonly origin?: never; readonly why: string } | undefined> {
    const found = placeOfUrl(place.url, place.binding, this.options.urls);
    switch (found.kind) {
      case 'here':
        return { origin: this.options.origin() };
      case 'sibling':
        try {
          return { origin: await this.options.openSibling(found.origin) };
        } catch (error) {
          return { why: error instanceof Error ? error.message : String(error) };
        }
      case 'outside':
        return { why: found.why };
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

  private note(exchange: ExchangeId, topic: string, text: string): void {
    this.options.sink.record({ kind: 'note', topic, text, exchange });
  }
}
