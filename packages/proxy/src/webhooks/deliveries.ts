import type { Change } from '@plugfest/model';
import { atOrigin, canonicalOrigin } from '../cards/url-map.ts';
import { sealedPath, type UrlSeal } from './sealed-url.ts';

export interface WebhookDeliveriesOptions {
  /** The agent that delivers. */
  readonly sender: string;
  readonly seal: UrlSeal;
  /** Where the receiver is; a URL that leads elsewhere is not called. */
  readonly upstream: string;
  /** Of the tap. */
  readonly origin: () => string;
}

export interface OpenedTarget {
  /** In origin form. */
  readonly target: string;
  /** Value of `Host`. */
  readonly host: string;
}

/** Where the deliveries go that come to a webhook tap. */
export class WebhookDeliveries {
  private readonly options: WebhookDeliveriesOptions;

  constructor(options: WebhookDeliveriesOptions) {
    this.options = options;
  }

  /** What a sealed target stands for; undefined for any other, which goes to the receiver as it is. */
  open(target: string): OpenedTarget | undefined {
    const opened = this.urlOf(target);
    if (opened === undefined) return undefined;
    const [, authority = '', path = '', ownQuery = ''] =
      /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(opened.url) ?? [];
    // A sender may add to the query: 0.1 senders prove a URL by `?validationToken=…`.
    const addedQuery = (own: string): string =>
      own === '' ? opened.query : own + opened.query.replace('?', '&');
    const written = `${path === '' ? '/' : path}${addedQuery(ownQuery)}`;
    const host = authority.slice(authority.lastIndexOf('@') + 1);
    if (/^[\x21-\x7e]+ [\x21-\x7e]+$/.test(`${written} ${host}`)) return { target: written, host };
    // Whatever a client registered, it must not end the line that it is written into: so it goes as every sender
    // would write it (RFC 3986 section 2.1).
    const url = URL.parse(opened.url);
    if (url === null) return undefined;
    return { target: `${url.pathname}${addedQuery(url.search)}`, host: url.host };
  }

  /** True for a sealed target that this tap did not give out, or that leads to another place than the receiver. */
  refuses(target: string): boolean {
    return target.includes(sealedPath) && isSealed(target) && this.urlOf(target) === undefined;
  }

  /** Redirects within the receiver stay on the tap. Edits `headers` in place. */
  mapLocation(target: string, status: number, headers: string[]): Change[] {
    const changes: Change[] = [];
    if (status < 300 && status !== 201) return changes;
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const where = headers[i] ?? '';
      const before = headers[i + 1] ?? '';
      if (where.length !== 8 || where.toLowerCase() !== 'location') continue;
      // Relative to what the receiver was asked for, which the sender does not know.
      const base = this.urlOf(target)?.url ?? this.options.upstream;
      const absolute = URL.parse(before, base)?.href;
      if (absolute === undefined || canonicalOrigin(absolute) !== canonicalOrigin(this.options.upstream))
        continue;
      const after = atOrigin(absolute, this.options.origin());
      if (after === before || (before.startsWith('/') && !before.startsWith('//'))) continue;
      headers[i + 1] = after;
      changes.push({ side: 'response', place: 'header', where, before, after, reason: 'location' });
    }
    return changes;
  }

  private urlOf(target: string): { readonly url: string; readonly query: string } | undefined {
    const form = originForm(target);
    if (!form.startsWith(sealedPath)) return undefined;
    const at = form.indexOf('?');
    const [path, query] = at === -1 ? [form, ''] : [form.slice(0, at), form.slice(at)];
    const url = this.options.seal.open(this.options.sender, path);
    if (url === undefined || canonicalOrigin(url) !== canonicalOrigin(this.options.upstream))
      return undefined;
    return { url, query };
  }
}

const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?#]*/i, '');

const isSealed = (target: string): boolean => originForm(target).startsWith(sealedPath);
