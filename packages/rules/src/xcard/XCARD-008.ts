import type { Json, JsonObject } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { isHttp } from '../card/http-interface.ts';
import { askedOrigin, reachOf } from '../card/network-place.ts';
import { secretsIn } from '../card/secret-values.ts';
import { isLabHost } from '../lab-host.ts';

const headers = { Authorization: 'Bearer t-1' } as const;
const call = { method: 'GetExtendedAgentCard', headers } as const;
const scheme = (tokenUrl: string) => ({
  securitySchemes: {
    oauth: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl, scopes: { read: 'Read' } } } } },
  },
});

/** The agent was asked at a public host, so what it names should be reachable from there, too. */
function isPublic({ exchange }: CardSubject): boolean {
  const { hostname } = askedOrigin(exchange);
  return hostname !== undefined && reachOf(hostname) === 'anywhere' && !isLabHost(hostname);
}

interface PlacedUrl {
  readonly url: string;
  readonly pointer: string;
}

/** URLs of the card's own members. What extensions have in `params` is theirs; what examples say is text. */
function urlsIn(card: JsonObject): readonly PlacedUrl[] {
  const found: PlacedUrl[] = [];
  const visit = (value: Json, pointer: string): void => {
    if (found.length >= 256) return;
    if (typeof value === 'string') {
      if (/^https?:\/\//i.test(value)) found.push({ url: value, pointer });
    } else if (Array.isArray(value))
      value.forEach((item: Json, index) => {
        visit(item, `${pointer}/${index}`);
      });
    else if (isJsonObject(value))
      for (const [name, member] of Object.entries(value))
        if (name !== 'params' && name !== 'signatures' && name !== 'examples')
          visit(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  };
  visit(card, '');
  return found;
}

export default defineRule({
  id: 'XCARD-008',
  level: 'SHOULD',
  party: 'server',
  summary: 'The extended card gives away neither secrets nor addresses of internal services.',
  spec: { '1.0': '13.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    secret: 'The extended card holds what looks like {kind}',
    internal: 'The extended card names {url}, which is inside the network of the agent',
  },
  why: 'The card is read by every customer, and by whoever gets hold of one session: it shows them where to go on.',
  fix: 'Leave secrets and internal addresses out of the card, and name public addresses only.',
  examples: {
    good: [
      [rpc({ ...call, result: v1.card(scheme('https://auth.example/token')) })],
      [
        rest({
          verb: 'GET',
          path: '/extendedAgentCard',
          headers,
          response: v1.card(),
          responseHeaders: { 'Cache-Control': 'private' },
        }),
      ],
    ],
    skip: [
      [getCard(v1.card())],
      [rpc({ ...call, error: { code: -32004, message: 'There is no such card' } })],
    ],
    bad: [
      {
        example: [rpc({ ...call, result: v1.card({ description: `Key: sk-${'a1b2'.repeat(8)}` }) })],
        messages: ['secret'],
      },
      {
        example: [rpc({ ...call, result: v1.card(scheme('https://10.1.2.3/token')) })],
        messages: ['internal'],
      },
      {
        example: [rpc({ ...call, result: v1.card({ documentationUrl: 'http://wiki.internal/agent' }) })],
        messages: ['internal'],
      },
    ],
  },
  when: ({ extended }) => extended,
  check: (subject, { report }) => {
    const { value } = subject.card;
    for (const { pointer, kind } of secretsIn(value))
      report('secret', { data: { kind }, at: inCard(subject, pointer), expected: 'no secret values' });
    if (!isPublic(subject)) return;
    for (const { url, pointer } of urlsIn(value)) {
      // Where clients are to call is CARD-010.
      if (subject.card.interfaces.some((entry) => isHttp(entry) && pointer === `${entry.pointer}/url`))
        continue;
      const hostname = URL.parse(url)?.hostname;
      if (hostname === undefined || reachOf(hostname) === 'anywhere') continue;
      report('internal', {
        data: { url },
        at: inCard(subject, pointer),
        expected: 'a public address',
        actual: url,
      });
    }
  },
});
