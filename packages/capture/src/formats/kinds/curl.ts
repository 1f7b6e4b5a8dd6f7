import { isUtf8 } from 'node:buffer';
import type { CapturedExchange, RawHeaders } from '@plugfest/model';
import { absoluteUrl } from '../../absolute-url.ts';
import type { CaptureFormat } from '../format.ts';

const curl: CaptureFormat = {
  format: 'curl',
  about: 'the requests as a shell script of curl commands',
  *write(source) {
    yield '#!/bin/sh\n';
    yield '# Requests of a capture. Text like ‹hmac:…› stands for a secret: put the right one in its place.\n';
    for (const exchange of source.exchanges()) yield `\n${commandOf(exchange)}`;
  },
};

export default curl;

/** What curl writes itself, or what belongs to the connection (RFC 9110 section 7.6.1). */
const own = new Set([
  ...['host', 'content-length', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...['proxy-connection', 'expect'],
]);

/** Control characters but tab and line feed: a terminal may obey them, and a header cannot have them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/;

function commandOf(exchange: CapturedExchange): string {
  const { id, edge, cell, request } = exchange;
  const about = `${id}: ${edge.caller} -> ${edge.callee}${cell === undefined ? '' : `, cell ${cell}`}`;
  const notes = [about];
  const url = absoluteUrl(exchange);
  if (!/^https?:\/\//i.test(url) || controls.test(url) || url.includes('\n'))
    return `${commentOf(about)}${commentOf(`no command: ${JSON.stringify(url.slice(0, 200))} is no URL of HTTP`)}`;
  const words: string[] = ['--globoff', '--path-as-is', '--include', '--no-buffer'];
  if (request.httpVersion.startsWith('2'))
    words.push(/^https:/i.test(url) ? '--http2' : '--http2-prior-knowledge');
  words.push(`--request ${quoted(request.method)}`);
  const { fields, left } = fieldsOf(request.headers);
  for (const field of fields) words.push(`--header ${quoted(field)}`);
  if (left > 0)
    notes.push(`${left} header field${left === 1 ? '' : 's'} that curl would not send as they were`);
  const body = Buffer.concat(request.body.chunks.map(({ bytes }) => bytes));
  if (request.body.storedBytes < request.body.totalBytes) notes.push('the body is incomplete in the capture');
  let feed = '';
  if (body.byteLength > 0) {
    const text = isUtf8(body) ? body.toString('utf8') : undefined;
    if (text !== undefined && !controls.test(text)) words.push(`--data-raw ${quoted(text)}`);
    else {
      feed = `printf %s ${quoted(body.toString('base64'))} | base64 -d | `;
      words.push('--data-binary @-');
    }
    // Otherwise curl says that it is a form.
    if (!fields.some((field) => /^content-type[:;]/i.test(field))) words.push(`--header 'Content-Type:'`);
  }
  words.push(`--url ${quoted(url)}`);
  return `${notes.map(commentOf).join('')}${feed}curl ${words.join(' \\\n  ')}\n`;
}

/** One line, whatever is in it. */
const commentOf = (text: string): string => `# ${text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')}\n`;

/** A word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Fields as `--header` takes them; `Name;` is one with no value. */
function fieldsOf(headers: RawHeaders): { readonly fields: readonly string[]; readonly left: number } {
  const fields: string[] = [];
  let left = 0;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const [name = '', value = ''] = [headers[i], headers[i + 1]];
    if (own.has(name.toLowerCase()) || name.startsWith(':')) continue;
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || controls.test(value) || value.includes('\n'))
      left += 1;
    else fields.push(value === '' ? `${name};` : `${name}: ${value}`);
  }
  return { fields, left };
}
