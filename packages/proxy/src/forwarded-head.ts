import type { Change, RawHeaders, Side } from '@plugfest/model';

/** Header fields as sent on, and what was altered to get there. */
export interface ForwardedHead {
  readonly headers: string[];
  /** Empty where `headers` is what was received. */
  readonly changes: readonly Change[];
}

export interface HeadOptions {
  readonly side: Side;
  /** Value that replaces that of `Host`; absent leaves it alone. */
  readonly host?: string | undefined;
  /** Value that replaces that of HTTP/2's `:scheme`; absent leaves it alone. */
  readonly scheme?: string | undefined;
  /** Drop `Transfer-Encoding`, because the peer speaks HTTP/1.0. */
  readonly withoutTransferEncoding?: boolean;
  /** Keep what asks for another protocol, or agrees to it: the connection becomes the peer's. */
  readonly keepsUpgrade?: boolean;
}

const keepAliveOrClose = /^[\t ,]*(?:(?:keep-alive|close)[\t ,]*)+$/i;
/** Tokens of `Connection` that manage the connection itself. */
const manages = /^(?:close|keep-alive|te)$/i;
const managesUpgrade = /^(?:close|keep-alive|te|upgrade)$/i;
const noChanges: readonly Change[] = [];

const tokensOf = (value: string): string[] =>
  value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');

/** Lower-case names that this message's `Connection` fields nominate, apart from the two that manage the connection. */
function nominated(headers: RawHeaders): ReadonlySet<string> | undefined {
  let names: Set<string> | undefined;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue;
    const value = headers[i + 1] ?? '';
    if (keepAliveOrClose.test(value)) continue;
    for (const token of tokensOf(value.toLowerCase())) {
      if (token !== 'close' && token !== 'keep-alive') {
        names ??= new Set();
        names.add(token);
      }
    }
  }
  return names;
}

/**
 * True for a field that belongs to one hop (RFC 9110 section 7.6.1). `Transfer-Encoding` is not here: the
 * body is framed again in the same way. `TE: trailers` stays, because this proxy does carry trailers.
 */
function isHopByHop(name: string, value: string, names: ReadonlySet<string> | undefined): boolean {
  switch (name.length) {
    case 2:
      if (name.toLowerCase() === 'te') return value.trim().toLowerCase() !== 'trailers';
      break;
    case 7:
      if (name.toLowerCase() === 'upgrade') return true;
      break;
    case 10:
      if (name.toLowerCase() === 'keep-alive') return true;
      break;
    case 16:
      if (name.toLowerCase() === 'proxy-connection') return true;
      break;
  }
  if (names === undefined) return false;
  const lower = name.toLowerCase();
  // Fields that frame, route or end the message are no hop-by-hop fields, whoever nominates them.
  if (lower === 'te' || lower === 'host' || lower === 'content-length' || lower === 'transfer-encoding')
    return false;
  return lower !== 'connection' && names.has(lower);
}

/**
 * Header fields to send on: order, case and duplicates as received; hop-by-hop fields removed; `Connection`
 * reduced to what manages the connection itself, which is mirrored because each inbound connection has one
 * upstream connection of its own.
 */
export function forwardHead(received: RawHeaders, options: HeadOptions): ForwardedHead {
  const names = nominated(received);
  const headers: string[] = [];
  let changes: Change[] | undefined;
  const { side } = options;
  for (let i = 0; i + 1 < received.length; i += 2) {
    const name = received[i] ?? '';
    const value = received[i + 1] ?? '';
    switch (name.length) {
      case 4:
        if (options.host !== undefined && value !== options.host && name.toLowerCase() === 'host') {
          headers.push(name, options.host);
          changes ??= [];
          changes.push({
            side,
            place: 'header',
            where: name,
            before: value,
            after: options.host,
            reason: 'host',
          });
          continue;
        }
        break;
      case 7:
        if (options.keepsUpgrade === true && name.toLowerCase() === 'upgrade') {
          headers.push(name, value);
          continue;
        }
        if (options.scheme !== undefined && name === ':scheme' && value !== options.scheme) {
          headers.push(name, options.scheme);
          changes ??= [];
          const after = options.scheme;
          changes.push({ side, place: 'header', where: name, before: value, after, reason: 'scheme' });
          continue;
        }
        break;
      case 10:
        if (options.host !== undefined && name === ':authority' && value !== options.host) {
          headers.push(name, options.host);
          changes ??= [];
          const after = options.host;
          changes.push({ side, place: 'header', where: name, before: value, after, reason: 'host' });
          continue;
        }
        if (name.toLowerCase() === 'connection' && !keepAliveOrClose.test(value)) {
          const managing = options.keepsUpgrade === true ? managesUpgrade : manages;
          const tokens = tokensOf(value);
          const kept = tokens.filter((token) => managing.test(token));
          if (kept.length === tokens.length) {
            headers.push(name, value);
            continue;
          }
          changes ??= [];
          changes.push({
            side,
            place: 'header',
            where: name,
            before: value,
            ...(kept.length > 0 ? { after: kept.join(', ') } : {}),
            reason: 'hop-by-hop',
          });
          if (kept.length > 0) headers.push(name, kept.join(', '));
          continue;
        }
        break;
      case 17:
        if (options.withoutTransferEncoding === true && name.toLowerCase() === 'transfer-encoding') {
          changes ??= [];
          changes.push({ side, place: 'header', where: name, before: value, reason: 'http-1.0' });
          continue;
        }
        break;
    }
    if (isHopByHop(name, value, names)) {
      changes ??= [];
      changes.push({ side, place: 'header', where: name, before: value, reason: 'hop-by-hop' });
      continue;
    }
    headers.push(name, value);
  }
  return { headers, changes: changes ?? noChanges };
}
