import type { ExchangeId } from '@plugfest/model';
import type { InterfaceUrl } from './card-text.ts';
import type { CardRewriterOptions } from './rewriter-options.ts';
import { atOrigin, placeOfUrl } from './url-map.ts';

/** Most interface URLs of a card that are looked at, and most notes about them; the rest is one note. */
export const maxInterfaces = 256;
const maxNotes = 16;
const maxNotedUrlChars = 300;

const noted = (url: string): string =>
  url.length > maxNotedUrlChars ? `${url.slice(0, maxNotedUrlChars)}…` : url;

/** Which tap takes the place of each address that a callee names. What leads past all taps is a note. */
export class InterfaceOrigins {
  private readonly options: CardRewriterOptions;

  constructor(options: CardRewriterOptions) {
    this.options = options;
  }

  /** The URL that a redirect has for the client; undefined where it may stay. Opens no tap. */
  location(exchange: ExchangeId, url: string): string | undefined {
    const place = placeOfUrl(url, '', this.options.urls);
    const origin =
      place.kind === 'here'
        ? this.options.origin()
        : place.kind === 'sibling'
          ? this.options.siblingAt(place.origin)
          : undefined;
    if (origin !== undefined) return atOrigin(url, origin);
    if (place.kind !== 'ours' && place.kind !== 'none')
      this.note(exchange, `redirects to ${noted(url)}, which is not tapped`);
    return undefined;
  }

  /** From interface URL to what takes its place; undefined once it is not wanted any more. */
  async replacementsFor(
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
    for (const text of outside.slice(0, maxNotes)) this.note(exchange, text, "'s card");
    const unlooked = places.length - Math.min(places.length, maxInterfaces);
    const more = Math.max(0, outside.length - maxNotes) + unlooked;
    if (more > 0) {
      const text = `names ${more} more URLs that are not tapped; of ${places.length}, the first ${maxInterfaces} are looked at`;
      this.note(exchange, text, "'s card");
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

  private note(exchange: ExchangeId, text: string, whose = ''): void {
    const { sink, callee } = this.options;
    sink.record({ kind: 'note', topic: 'uninterposed-url', text: `${callee}${whose} ${text}`, exchange });
  }
}
