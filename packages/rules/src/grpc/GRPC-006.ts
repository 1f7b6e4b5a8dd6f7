import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { grpc, v1 } from '@plugfest/verifier/examples';
import { elsewhere, faultless03, faultless10 } from './calls.ts';

const keys = ['a2a-version', 'a2a-extensions'] as const;
const get = { method: 'GetTask', request: { id: 'task-1' }, response: v1.task('WORKING') } as const;
const geo = 'https://extensions.example/geo/v1';

const metadataKeys = ({ captured }: DecodedExchange): readonly string[] =>
  captured.request.headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());

/** The service parameter that a key means, however it is spelled. */
function meant(key: string): (typeof keys)[number] | undefined {
  const plain = key.replace(/^x-/, '').replace(/-bin$/, '').replaceAll(/[-_.]/g, '');
  return keys.find((name) => plain === name.replace('-', '') || `${plain}s` === name.replace('-', ''));
}

const isInQuery = ({ request }: DecodedExchange): boolean =>
  request.query.some(([name]) => meant(name.toLowerCase()) !== undefined);

export default defineRule({
  id: 'GRPC-006',
  level: 'MUST',
  party: 'client',
  summary: 'Service parameters are metadata with the keys a2a-version and a2a-extensions.',
  spec: { '1.0': '10.2' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: {
    key: 'The metadata have {found} instead of {expected}',
    query: 'The path of the call has a query with service parameters',
  },
  why: 'The agent looks for the keys alone: it takes a call without a2a-version for one of 0.3, and leaves extensions off.',
  fix: 'Send `a2a-version` and `a2a-extensions` as text metadata of the call.',
  examples: {
    good: [faultless10.get, [grpc({ ...get, metadata: { 'a2a-extensions': geo, 'x-a2a-extensions': geo } })]],
    skip: [
      faultless03.get,
      elsewhere,
      [
        grpc({
          ...get,
          metadata: { 'a2a-version': undefined },
          method: '/lf.a2a.v1.A2AService/GetTask?trace=1',
        }),
      ],
    ],
    bad: [
      { example: [grpc({ ...get, metadata: { 'a2a-extension': geo } })], messages: ['key'] },
      { example: [grpc({ ...get, metadata: { 'a2a-extensions-bin': 'Z2Vv' } })], messages: ['key'] },
      {
        example: [grpc({ ...get, metadata: { 'a2a-version': undefined, a2a_version: '1.0' } })],
        messages: ['key'],
      },
      {
        example: [grpc({ ...get, method: '/lf.a2a.v1.A2AService/GetTask?A2A-Version=1.0' })],
        messages: ['query'],
      },
    ],
  },
  when: (exchange) => metadataKeys(exchange).some((key) => meant(key) !== undefined) || isInQuery(exchange),
  check: (exchange, { report }) => {
    const found = metadataKeys(exchange);
    for (const name of keys) {
      // Older names beside the right one serve older agents.
      const other = found.includes(name)
        ? undefined
        : // The name of before 1.0 is HDR-006.
          found.find((key) => meant(key) === name && key !== `x-${name}`);
      if (other !== undefined)
        report('key', {
          data: { found: other, expected: name },
          at: { side: 'request', header: other },
          expected: name,
          actual: other,
        });
    }
    if (isInQuery(exchange))
      report('query', { at: { side: 'request' }, actual: exchange.captured.request.target });
  },
});
