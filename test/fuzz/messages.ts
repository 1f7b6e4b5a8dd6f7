import { type Fields, type Message, valuesOf } from '../hostile/reference/http1.ts';

/** Fields of one hop, and those that the proxy may set (RFC 9110 section 7.6.1). */
const ofOneHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'te',
  'trailer',
  'proxy-authorization',
  'host',
  'via',
]);

/** Fields that have to arrive as they were sent. */
function endToEnd(fields: Fields): string[] {
  const nominated = new Set(
    valuesOf(fields, 'connection')
      .flatMap((value) => value.split(','))
      .map((token) => token.trim().toLowerCase()),
  );
  for (const kept of ['content-length', 'transfer-encoding']) nominated.delete(kept);
  return fields
    .filter(([name]) => !ofOneHop.has(name.toLowerCase()) && !nominated.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`);
}

/** A request, or its forwarded form, in a form in which both are the same. */
export function essence({ line, fields, body, trailers }: Message): string {
  const [method = '', target = ''] = line.split(' ').filter((word) => word !== '');
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const path = rest === target || rest.startsWith('/') ? rest : `/${rest}`;
  return JSON.stringify([
    method,
    path,
    endToEnd(fields),
    body,
    trailers.map((trailer) => trailer.join(': ')),
  ]);
}

/** A response in a form in which what was sent and what arrived are the same. */
export function essenceOfResponse({ line, fields, body, trailers }: Message): string {
  return JSON.stringify([
    line.slice(9, 12),
    endToEnd(fields),
    body,
    trailers.map((trailer) => trailer.join(': ')),
  ]);
}
