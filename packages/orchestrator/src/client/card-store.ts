import type { HttpAnswer, HttpRequest } from './http.ts';

interface Stored {
  readonly answer: HttpAnswer;
  /** On the store's own clock. */
  readonly freshUntilMs: number;
}

/** More than any run has taps. */
const mostCards = 10_000;

/**
 * What a client may keep of the cards that it fetched (A2A 1.0 section 8.6.2; RFC 9111): one that is fresh is not
 * fetched again, and for another one it is asked whether it has changed. Cards of different taps are different ones.
 */
export class CardStore {
  readonly #cards = new Map<string, Stored>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The card as it may still be used, or as it comes by `fetch`. */
  async get(wanted: HttpRequest, fetch: (wanted: HttpRequest) => Promise<HttpAnswer>): Promise<HttpAnswer> {
    const key = JSON.stringify([wanted.url, wanted.headers]);
    const stored = this.#cards.get(key);
    if (stored !== undefined && this.#nowMs() < stored.freshUntilMs) return stored.answer;
    const conditions = stored === undefined ? {} : conditionsOf(stored.answer);
    // From when it was asked for, so that it is never taken for younger than it is.
    const askedMs = this.#nowMs();
    const answer = await fetch({ ...wanted, headers: { ...wanted.headers, ...conditions } });
    if (answer.status === 304 && stored !== undefined) {
      const { headers } = stored.answer;
      const updated = { ...stored.answer, headers: { ...headers, ...validated(answer.headers) } };
      this.#keep(key, updated, askedMs);
      return updated;
    }
    // An error says nothing about the card that is there.
    if (answer.status === 200 && !answer.cut) this.#keep(key, answer, askedMs);
    return answer;
  }

  #keep(key: string, answer: HttpAnswer, askedMs: number): void {
    const directives = directivesOf(answer);
    this.#cards.delete(key);
    if (directives.has('no-store') || this.#cards.size >= mostCards) return;
    const maxAgeS = directives.has('no-cache') ? 0 : seconds(directives.get('max-age'));
    const freshMs = Math.max(0, maxAgeS - seconds(answer.headers.age)) * 1000;
    this.#cards.set(key, { answer, freshUntilMs: askedMs + freshMs });
  }
}

function conditionsOf({ headers }: HttpAnswer): Record<string, string> {
  const { etag, 'last-modified': lastModified } = headers;
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  };
}

/** Header fields of a 304 that replace those of the stored answer (RFC 9111 section 3.2). */
function validated(headers: HttpAnswer['headers']): HttpAnswer['headers'] {
  const { age = '0', 'cache-control': control, etag } = headers;
  return {
    age,
    ...(control === undefined ? {} : { 'cache-control': control }),
    ...(etag === undefined ? {} : { etag }),
  };
}

function directivesOf({ headers }: HttpAnswer): ReadonlyMap<string, string> {
  const entries = (headers['cache-control'] ?? '').split(',').map((entry) => {
    const [name = '', value = ''] = entry.split('=', 2);
    return [name.trim().toLowerCase(), value.trim().replaceAll('"', '')] as const;
  });
  return new Map(entries);
}

const seconds = (text: string | undefined): number =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : 0;
