import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { deliver, v1 } from '@plugfest/verifier/examples';
import { answeredAtSeconds, bearerClaims, exampleJwt } from '../hook/bearer-jwt.ts';

const delivered = (date: string, status = 200) =>
  deliver(v1.statusUpdate('COMPLETED'), {
    status,
    headers: {
      Authorization: `Bearer ${exampleJwt({
        iss: 'https://agent.example',
        aud: 'https://hook.example/push',
        iat: 1767225600,
        exp: 1767225900,
        jti: 'notification-1',
      })}`,
    },
    responseHeaders: { Date: date },
  });
const fresh = 'Thu, 01 Jan 2026 00:00:10 GMT';
const stale = 'Thu, 01 Jan 2026 01:00:00 GMT';

export default defineRule({
  id: 'GUIDE-006',
  level: 'SHOULD',
  party: 'webhook-receiver',
  summary: 'A receiver refuses a delivery whose JWT has run out.',
  spec: { '1.0': 'Guide: Push notifications' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  about: ['webhook'],
  messages: { stale: 'The receiver accepts a delivery whose JWT ran out {seconds} s before' },
  why: 'Whoever once saw a delivery can send it again for ever: the client acts a second time on what was true a while ago.',
  fix: 'Check issuer, audience, end and id of the token, answer 401 where one of them is wrong, and remember the ids of tokens until they run out.',
  examples: {
    good: [[delivered(fresh)]],
    skip: [[deliver(v1.statusUpdate('COMPLETED'))]],
    bad: [{ example: [delivered(stale)], messages: ['stale'] }],
  },
  when: (exchange) => ageOf(exchange) !== undefined,
  check: (exchange, { report }) => {
    const age = ageOf(exchange);
    const status = exchange.response?.status ?? 0;
    if (age === undefined || age <= skewSeconds || status < 200 || status > 299) return;
    report('stale', {
      data: { seconds: Math.round(age) },
      at: { side: 'response' },
      expected: '401',
      actual: status,
    });
  },
});

/** Clocks differ. */
const skewSeconds = 60;

/** Seconds from the end of the delivery's JWT to its answer; negative where it was still good. */
function ageOf({ kind, captured }: DecodedExchange): number | undefined {
  if (kind !== 'webhook' || captured.response === undefined) return undefined;
  const exp = bearerClaims(captured.request.headers)?.exp;
  const now = answeredAtSeconds(captured.response.headers);
  return typeof exp === 'number' && now !== undefined ? now - exp : undefined;
}
