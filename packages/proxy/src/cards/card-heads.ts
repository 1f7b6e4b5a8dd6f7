import type { Change, ExchangeId } from '@plugfest/model';
import type { Answer } from '../rewriting/answer.ts';
import type { InterfaceOrigins } from './interface-origins.ts';
import type { CardRewriterOptions } from './rewriter-options.ts';

/** Head fields that are about a card, or lead to where one is: a rewritten card is another one than the callee's. */
export class CardHeads {
  private readonly tags: CardRewriterOptions['tags'];
  private readonly origins: InterfaceOrigins;

  constructor({ tags }: CardRewriterOptions, origins: InterfaceOrigins) {
    this.tags = tags;
    this.origins = origins;
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
      const after = this.tags().inward(before);
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
        const after = this.origins.location(exchange, before);
        if (after === undefined) continue;
        headers[i + 1] = after;
        changes.push({ side, place: 'header', where, before, after, reason: 'location' });
      } else if (aboutCard && where.toLowerCase() === 'etag') {
        const after = this.tags().outward(before);
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
}
