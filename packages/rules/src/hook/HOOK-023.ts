import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { deliver, v1 } from '@plugfest/verifier/examples';
import { answeredAtSeconds, bearerClaims, exampleJwt } from './bearer-jwt.ts';

const claims = {
  iss: 'https://agent.example',
  aud: 'https://hook.example/push',
  iat: 1767225600,
  exp: 1767225900,
  jti: 'notification-1',
};
const delivered = (more: JsonObject, date = 'Thu, 01 Jan 2026 00:00:10 GMT') =>
  deliver(v1.statusUpdate('COMPLETED'), {
    headers: { Authorization: `Bearer ${exampleJwt({ ...claims, ...more })}` },
    responseHeaders: { Date: date },
  });
const withToken = (token: string) =>
  deliver(v1.statusUpdate('COMPLETED'), { headers: { Authorization: `Bearer ${token}` } });
const [head = '', payload = '', signature = ''] = exampleJwt(claims).split('.');
const encoded = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const notJwts = [
  `${head}.${payload}`,
  `${head}.${payload}.${signature}.more`,
  `${head}..${signature}`,
  `.${payload}.${signature}`,
  `${encoded({ kid: 'key-1' })}.${payload}.${signature}`,
  `${encoded('ES256')}.${payload}.${signature}`,
  `${head}.${encoded(['claims'])}.${signature}`,
  `${head}.${payload.slice(0, 8)}.${signature}`,
  `${head}.%${payload}.${signature}`,
];
const names = ['iss', 'aud', 'iat', 'exp', 'jti'] as const;

export default defineRule({
  id: 'HOOK-023',
  level: 'SHOULD',
  party: 'webhook-sender',
  summary:
    'A JWT that authenticates a delivery says who made it, for whom, when, until when and under which id.',
  spec: { '1.0': 'Streaming and asynchronous operations (topic page)' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  about: ['webhook'],
  messages: {
    claim: 'The JWT of the delivery has no `{name}`',
    stale: 'The JWT of the delivery had run out when it was received',
    future: 'The JWT of the delivery was issued after it was received',
  },
  why: 'A token without audience or end can be taken from one delivery and used for another, at another receiver, at any time.',
  fix: 'Sign a new JWT for every delivery with `iss`, `aud` (the webhook), `iat`, `exp` a few minutes later, and a `jti` of its own.',
  examples: {
    good: [
      [delivered({})],
      // Clocks differ.
      [delivered({}, 'Thu, 01 Jan 2026 00:05:30 GMT')],
      [delivered({}, 'Wed, 31 Dec 2025 23:59:30 GMT')],
      [withToken(exampleJwt(claims))],
    ],
    skip: [
      [deliver(v1.statusUpdate('COMPLETED'))],
      // Another scheme, or what only looks like a JWT.
      [deliver(v1.statusUpdate('COMPLETED'), { headers: { Authorization: `Basic ${exampleJwt(claims)}` } })],
      notJwts.map(withToken),
    ],
    bad: [
      { example: [delivered({ jti: '' })], messages: ['claim'] },
      { example: [delivered({ jti: null })], messages: ['claim'] },
      { example: [withToken(exampleJwt({ ...claims, jti: null, exp: 'soon' }))], messages: ['claim'] },
      { example: [delivered({}, 'Thu, 01 Jan 2026 01:00:00 GMT')], messages: ['stale'] },
      { example: [delivered({}, 'Wed, 31 Dec 2025 23:00:00 GMT')], messages: ['future'] },
    ],
  },
  when: (exchange) => claimsOf(exchange) !== undefined,
  check: (exchange, { report }) => {
    const found = claimsOf(exchange);
    if (!isJsonObject(found)) return;
    const at = { side: 'request', header: 'authorization' } as const;
    for (const name of names) {
      const value = found[name];
      if (value !== undefined && value !== null && value !== '') continue;
      report('claim', { data: { name }, at, expected: `the claim ${name}` });
    }
    const { iat, exp } = found;
    const now = answeredAtSeconds(exchange.captured.response?.headers ?? []);
    if (now === undefined) return;
    if (typeof exp === 'number' && exp + skewSeconds < now)
      report('stale', { at, expected: 'an `exp` that lies ahead', actual: exp });
    if (typeof iat === 'number' && iat - skewSeconds > now)
      report('future', { at, expected: 'an `iat` that lies behind', actual: iat });
  },
});

/** Clocks differ. */
const skewSeconds = 60;

const claimsOf = ({ kind, captured }: DecodedExchange): JsonObject | undefined =>
  kind === 'webhook' ? bearerClaims(captured.request.headers) : undefined;
