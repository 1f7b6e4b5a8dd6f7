import { type Change, type ExchangeId, header } from '@plugfest/model';
import type { Answer } from '../rewriting/answer.ts';
import { fieldsForBody } from '../rewriting/body-fields.ts';
import type { RewrittenBody } from '../rewriting/rewritten-body.ts';
import { cardValue, editCard, type InterfaceUrl, locateCard } from './card-text.ts';
import { decodeContent } from './content-coding.ts';
import { type InterfaceOrigins, maxInterfaces } from './interface-origins.ts';
import type { CardRewriterOptions } from './rewriter-options.ts';
import type { RewrittenSignatures } from './rewritten-signatures.ts';
import { checkSignatures } from './signature-check.ts';

/** Puts a tap's address into cards that are JSON, of which all else stays as it was written. */
export class JsonCardRewriter {
  private readonly options: CardRewriterOptions;
  private readonly origins: InterfaceOrigins;
  private readonly signatures: RewrittenSignatures;

  constructor(options: CardRewriterOptions, origins: InterfaceOrigins, signatures: RewrittenSignatures) {
    this.options = options;
    this.origins = origins;
    this.signatures = signatures;
  }

  /** As `CardRewriter.rewrite`. */
  async rewrite(
    exchange: ExchangeId,
    within: Exclude<Answer['within'], 'grpc'>,
    headers: readonly string[],
    chunks: readonly Buffer[],
    wanted: () => boolean,
  ): Promise<RewrittenBody | undefined> {
    const { keys, tags } = this.options;
    const { signatures } = this;
    const text = await this.textOf(exchange, headers, chunks);
    const located = text === undefined ? undefined : locateCard(text, within);
    if (text === undefined || located === undefined) return undefined;

    const value = cardValue(text, within);
    const checked = value && signatures.checked(exchange, checkSignatures(value, keys));
    const replacements = await this.origins.replacementsFor(exchange, located.urls, wanted);
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
      const entry = signatures.resign(unsigned, checked);
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
      signatures.removed(exchange, edited.resigned === true, checked);
    }
    const body = Buffer.from(edited.text, 'utf8');
    const mapped = fieldsForBody(headers, body, {
      side,
      reason: 'card-url',
      decoded: true,
      framing: 'length',
      entityTag: (tag) => tags().outward(tag),
    });
    return { headers: mapped.headers, body, changes: [...changes, ...mapped.changes], keepsTrailers: false };
  }

  private async textOf(
    exchange: ExchangeId,
    headers: readonly string[],
    chunks: readonly Buffer[],
  ): Promise<string | undefined> {
    const { maxCardBytes } = this.options;
    const coding = header(headers, 'content-encoding') ?? '';
    const bytes = await decodeContent(Buffer.concat(chunks), coding, maxCardBytes);
    if (bytes === undefined)
      return this.untouched(exchange, `could not be decoded (${coding}, at most ${maxCardBytes} bytes)`);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return this.untouched(exchange, 'is no UTF-8');
    }
  }

  private untouched(exchange: ExchangeId, why: string): undefined {
    const text = `${this.options.callee}'s card ${why}; it was passed on untouched`;
    this.options.sink.record({ kind: 'note', topic: 'card-not-rewritten', text, exchange });
  }
}
