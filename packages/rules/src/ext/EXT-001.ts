import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { cite, geo, requested } from './extensions.ts';

const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const asking = (value: string) => rpc({ ...get, headers: { 'A2A-Extensions': value } });

/** RFC 3986 section 4.3: a scheme and no fragment; with `//` and a host where the scheme has one. */
function fault(uri: string): 'relative' | 'host' | undefined {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:./.test(uri)) return 'relative';
  return /^https?:(?!\/\/[^/?#])/i.test(uri) ? 'host' : undefined;
}

export default defineRule({
  id: 'EXT-001',
  level: 'MUST',
  party: 'client',
  summary: 'Extensions are asked for by absolute URIs.',
  spec: { '1.0': '3.2.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    relative: '`A2A-Extensions` asks for {found}, which is no absolute URI',
    host: '`A2A-Extensions` asks for {found}, a URL without a host',
  },
  why: 'The URI is the name of the extension: relative to something, it names another one for each agent.',
  fix: 'Send the whole URI as the card or the specification of the extension has it.',
  examples: {
    good: [
      [asking(`${geo}, urn:example:cite`)],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          headers: { 'A2A-Extensions': cite },
          response: v1.task('WORKING'),
        }),
      ],
    ],
    skip: [[rpc(get)], [asking('')]],
    bad: [
      { example: [asking('/extensions/geo/v1')], messages: ['relative'] },
      { example: [asking('geo')], messages: ['relative'] },
      { example: [asking(`<${geo}>`)], messages: ['relative'] },
      { example: [asking('https:/extensions.example/geo/v1')], messages: ['host'] },
      { example: [asking('http:geo')], messages: ['host'] },
    ],
  },
  when: (exchange) => requested(exchange).size > 0,
  check: (exchange, { report }) => {
    for (const found of requested(exchange)) {
      const key = fault(found);
      if (key === undefined) continue;
      report(key, {
        data: { found },
        at: { side: 'request', header: 'A2A-Extensions' },
        expected: 'an absolute URI',
        actual: found,
      });
    }
  },
});
