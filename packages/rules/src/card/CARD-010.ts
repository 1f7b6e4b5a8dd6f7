import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';
import { isHttp } from './http-interface.ts';
import { askedOrigin, reachOf } from './network-place.ts';

const at = (url: string) =>
  v1.card({ supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] });

const httpCardUrl = 'http://agent.example/.well-known/agent-card.json';

export default defineRule({
  id: 'CARD-010',
  level: 'MUST',
  party: 'server',
  summary:
    'Interface URLs of HTTP bindings are absolute, reachable for those who can read the card, and https in production.',
  spec: { '0.3': '5.5.5', '1.0': '4.4.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    relative: 'The interface URL {url} is no absolute HTTP URL',
    unroutable: 'The interface URL {url} leads nowhere for a client that got the card from {host}',
    downgrade: 'The interface URL {url} is not https, though the card was served over https',
    insecure: 'The interface URL {url} is not https',
  },
  why: 'Clients call exactly this URL: a healthy agent cannot be reached, or is called without encryption. Whether plain HTTP is meant for production is not to be seen from outside, so there it is a warning.',
  fix: 'Publish the URL under which the agent is known outside, behind a proxy too, not the address that it listens on.',
  examples: {
    good: [
      [getCard(v1.card())],
      [getCard(v03.card())],
      [
        getCard(at('http://localhost:4000/a2a'), {
          url: 'http://127.0.0.1:4000/.well-known/agent-card.json',
        }),
      ],
      [
        getCard(at('http://localhost:4000/a2a'), {
          url: 'http://localhost:4000/.well-known/agent-card.json',
        }),
      ],
      [getCard(at('http://hotel:9999/'), { url: 'http://hotel:9999/.well-known/agent-card.json' })],
    ],
    skip: [
      [
        getCard(
          v1.card({
            supportedInterfaces: [
              { url: 'grpc.agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
            ],
          }),
        ),
      ],
    ],
    bad: [
      { example: [getCard(at('/a2a'))], messages: ['relative'] },
      {
        example: [getCard(v03.card({ url: '/a2a', additionalInterfaces: undefined }))],
        messages: ['relative'],
      },
      {
        example: [getCard(v03.card({ url: 'http://agent.example/a2a', additionalInterfaces: undefined }))],
        messages: ['downgrade'],
      },
      {
        example: [
          getCard(v03.card({ url: 'http://agent.example/a2a', additionalInterfaces: undefined }), {
            url: httpCardUrl,
          }),
        ],
        messages: ['insecure'],
      },
      { example: [getCard(at('https://0.0.0.0:8000/'))], messages: ['unroutable'] },
      {
        example: [
          getCard(v03.card({ url: 'http://[::]:8080/', additionalInterfaces: undefined }), {
            url: 'http://worker:8080/.well-known/agent-card.json',
          }),
        ],
        messages: ['unroutable'],
      },
      { example: [getCard(at('https://localhost:8000/'))], messages: ['unroutable'] },
      ...[
        'https://a.localhost/',
        'https://127.0.0.2/',
        'https://[::1]/',
        'https://[fe80::1]/',
        'https://a.svc/',
      ].map((url) => ({ example: [getCard(at(url))], messages: ['unroutable'] as const })),
      {
        example: [
          getCard(at('http://localhost:8000/'), { url: 'http://hotel:9999/.well-known/agent-card.json' }),
        ],
        messages: ['unroutable'],
      },
      { example: [getCard(at('ftp://agent.example/a2a'))], messages: ['relative'] },
      { example: [getCard(at('https://10.0.0.7:8080/a2a'))], messages: ['unroutable'] },
      { example: [getCard(at('http://agent.example/a2a'))], messages: ['downgrade'] },
      { example: [getCard(at('http://agent.example/a2a'), { url: httpCardUrl })], messages: ['insecure'] },
    ],
  },
  when: ({ card }) => card.interfaces.some(isHttp),
  check: (subject, { report }) => {
    const asked = askedOrigin(subject.exchange);
    const from = asked.hostname === undefined ? undefined : reachOf(asked.hostname);
    for (const entry of subject.card.interfaces) {
      if (!isHttp(entry)) continue;
      const { url = '', pointer } = entry;
      const place = {
        data: { url, host: asked.hostname },
        at: inCard(subject, `${pointer}/url`),
        actual: url,
      };
      const parsed = URL.parse(url);
      if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
        report('relative', { ...place, expected: 'https://…' });
        continue;
      }
      const reach = reachOf(parsed.hostname);
      const tooNear =
        reach === 'nowhere' ||
        (reach === 'machine' && (from === 'network' || from === 'anywhere')) ||
        (reach === 'network' && from === 'anywhere');
      if (tooNear) report('unroutable', { ...place, expected: 'a host that clients can reach' });
      else if (parsed.protocol === 'http:' && reach === 'anywhere') {
        if (asked.scheme === 'https') report('downgrade', { ...place, expected: 'https' });
        // Whether this is production nobody can tell from here.
        else report('insecure', { ...place, outcome: 'warn', expected: 'https' });
      }
    }
  },
});
