import type { EdgeKind, InterpositionMode } from '@plugfest/model';
import { PlugfestError } from '@plugfest/model';

export type EdgeMode = Exclude<InterpositionMode, 'import'>;

/** An edge as given on the command line: `[MODE:]CALLER=CALLEE@URL`. */
export interface EdgeSpec {
  /** Where it differs from that of the others. */
  readonly mode?: EdgeMode;
  readonly caller: string;
  readonly callee: string;
  readonly upstream: string;
  readonly kind: EdgeKind;
}

const form =
  /^(?:(alias|rewrite|forward):)?([A-Za-z0-9][A-Za-z0-9._-]*)=([A-Za-z0-9][A-Za-z0-9._-]*)@(https?:\/\/.+)$/;

export function parseEdge(text: string, kind: EdgeKind): EdgeSpec {
  const [, mode, caller, callee, url] = form.exec(text) ?? [];
  if (caller === undefined || callee === undefined || url === undefined || !URL.canParse(url))
    throw new PlugfestError('PLUGFEST_USAGE', `"${text}" is no edge`, {
      hint: 'An edge is [MODE:]CALLER=CALLEE@URL, e.g. client=hotel@http://127.0.0.1:9000; modes are alias, rewrite and forward.',
    });
  return { caller, callee, upstream: url, kind, ...(mode === undefined ? {} : { mode: mode as EdgeMode }) };
}

/** A further address of a callee, as given on the command line: `CALLEE=URL`. */
export interface OriginSpec {
  readonly callee: string;
  readonly origin: string;
}

export function parseOrigin(text: string): OriginSpec {
  const [, callee, url] = /^([A-Za-z0-9][A-Za-z0-9._-]*)=(https?:\/\/.+)$/.exec(text) ?? [];
  if (callee === undefined || url === undefined || !URL.canParse(url))
    throw new PlugfestError('PLUGFEST_USAGE', `"${text}" is no address of a callee`, {
      hint: 'Give CALLEE=URL, e.g. hotel=http://127.0.0.1:9001.',
    });
  return { callee, origin: new URL(url).origin };
}

export interface ListenSpec {
  readonly host?: string;
  readonly port: number;
}

/** `PORT` or `HOST:PORT`, with IPv6 hosts in brackets. */
export function parseListen(text: string): ListenSpec {
  const [, host, digits = ''] = /^(?:(\[[0-9a-fA-F:.]+\]|[^:]+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535)
    throw new PlugfestError('PLUGFEST_USAGE', `"${text}" is no address to listen on`, {
      hint: 'Give PORT or HOST:PORT, e.g. 127.0.0.1:9100.',
    });
  return { ...(host === undefined ? {} : { host: host.replace(/^\[|\]$/g, '') }), port };
}

/** A path at which a callee serves its card, as given on the command line: `CALLEE=PATH`. */
export interface CardPathSpec {
  readonly callee: string;
  readonly path: string;
}

export function parseCardPath(text: string): CardPathSpec {
  const [, callee, path] = /^([A-Za-z0-9][A-Za-z0-9._-]*)=(\/[\x21-\x7e]*)$/.exec(text) ?? [];
  if (callee === undefined || path === undefined)
    throw new PlugfestError('PLUGFEST_USAGE', `"${text}" is no path of a card`, {
      hint: 'Give CALLEE=PATH, e.g. hotel=/agents/hotel.json.',
    });
  return { callee, path };
}

/** A host name or an IP address, in brackets or not. */
export function parseHost(text: string): string {
  if (/^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]+\]?)$/.test(text)) return text;
  throw new PlugfestError('PLUGFEST_USAGE', `"${text}" is no host`, {
    hint: 'Give a name or an address without scheme and port, e.g. plugfest.',
  });
}
