import { header } from '@plugfest/model';
import { defineRule, sentCaching } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';

const headers = { Authorization: 'Bearer t-1' };
const byRest = (cacheControl: string | undefined) =>
  rest({
    verb: 'GET',
    path: '/extendedAgentCard',
    headers,
    response: v1.card(),
    responseHeaders: { 'Cache-Control': cacheControl },
  });
const byRpc = (cacheControl: string | undefined) =>
  rpc({
    method: 'GetExtendedAgentCard',
    headers,
    result: v1.card(),
    responseHeaders: { 'Cache-Control': cacheControl },
  });

export default defineRule({
  id: 'CACHE-009',
  level: 'SHOULD',
  party: 'server',
  summary: 'The extended card comes with caching headers that keep it out of shared caches.',
  spec: { '1.0': '13.3' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  messages: {
    missing: 'The response with the extended card has no `Cache-Control`',
    shared: '`Cache-Control` of the extended card is {found}: caches may give it to other callers',
  },
  why: 'A cache on the way may hand the card of one customer to the next, or the client may use it when its session is long over. (That an answer to JSON-RPC lacks the header is for information only: answers to POST are not cached without it.)',
  fix: 'Send `Cache-Control: private, max-age=N`, or `no-store`, with the extended card.',
  examples: {
    good: [[byRest('private, max-age=300')], [byRpc('no-store')]],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [
        rpc({
          method: 'GetExtendedAgentCard',
          headers,
          error: { code: -32004, message: 'There is no such card' },
        }),
      ],
    ],
    bad: [
      { example: [byRest(undefined)], messages: ['missing'], outcomes: ['warn'] },
      { example: [byRpc(undefined)], messages: ['missing'], outcomes: ['info'] },
      { example: [byRest('public, max-age=300')], messages: ['shared'], outcomes: ['warn'] },
      { example: [byRest('s-maxage=300')], messages: ['shared'], outcomes: ['warn'] },
    ],
  },
  when: ({ payloads }) => payloads.some(({ kind }) => kind === 'card'),
  check: ({ captured, dialect }, { report }) => {
    const { response } = captured;
    if (response === undefined) return;
    const { directives, hasCacheControl } = sentCaching(response);
    const at = { side: 'response', header: 'cache-control' } as const;
    const expected = 'private, with a max-age, or no-store';
    if (!hasCacheControl) {
      const isPost = dialect.binding === 'JSONRPC';
      report('missing', { at, ...(isPost ? { outcome: 'info' as const } : {}), expected });
      return;
    }
    // Without `public` or `s-maxage` no shared cache keeps what was asked for with Authorization (RFC 9111 section 3.5).
    if (!directives.has('public') && !directives.has('s-maxage')) return;
    const found = header(response.headers, 'cache-control');
    report('shared', { data: { found }, at, expected, actual: found });
  },
});
