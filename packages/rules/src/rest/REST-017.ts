import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { isEncoded, rawQuery } from './raw-query.ts';

const list = (query: string) =>
  rest({
    verb: 'GET',
    path: `/tasks${query}`,
    response: { tasks: [], nextPageToken: '', pageSize: 10, totalSize: 0 },
  });

/** A date-time with an offset whose plus sign stands as it is, where form decoders read a blank. */
const plainOffset = /^\d{4}-\d{2}-\d{2}T[\d.:%A-Fa-f]{1,40}\+\d{2}/;

export default defineRule({
  id: 'REST-017',
  level: 'MUST',
  party: 'client',
  summary: 'Values in the query are percent-encoded as RFC 3986 asks for.',
  spec: { '1.0': '11.5' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    character: 'The value of {name} holds a character, or a percent sign, that is not encoded: {found}',
    plus: 'The value of {name} holds a plain `+`, which most servers read as a blank: {found}',
  },
  why: 'The server sees another value than the client meant, or refuses the request line. RFC 3986 itself lets a plus sign stand as it is, so in a page token it is a warning: there it may be a blank that a form encoder wrote.',
  fix: 'Encode every value by itself before the query is put together: `+` as `%2B`, `%` as `%25`, blanks as `%20`.',
  examples: {
    good: [
      [list('?pageToken=a%2Fb%2Bc%3D&pageSize=10')],
      [list('?statusTimestampAfter=2026-01-01T00%3A00%3A00Z&pageSize=10')],
      [list('?statusTimestampAfter=2026-01-01T00:00:00Z&pageSize=10')],
      [list('?contextId=my+context&pageSize=10')],
    ],
    skip: [
      [list('')],
      [list('?&')],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [list('?pageToken=100%&pageSize=10')], messages: ['character'] },
      { example: [list('?pageToken={"offset":10}&pageSize=10')], messages: ['character'] },
      {
        example: [list('?statusTimestampAfter=2026-01-01T01:00:00+01:00&pageSize=10')],
        messages: ['plus'],
        outcomes: ['fail'],
      },
      { example: [list('?pageToken=ab+c&pageSize=10')], messages: ['plus'], outcomes: ['warn'] },
    ],
  },
  when: (exchange) => rawQuery(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const [name, found] of rawQuery(exchange)) {
      const finding = { data: { name, found }, at: { side: 'request' }, actual: found } as const;
      if (!isEncoded(found))
        report('character', { ...finding, expected: encodeURIComponent(decoded(found)) });
      else if (plainOffset.test(found)) report('plus', { ...finding, expected: found.replace('+', '%2B') });
      else if (name === 'pageToken' && found.includes('+'))
        report('plus', { ...finding, outcome: 'warn', expected: '`%2B`, or `%20` for a blank' });
    }
  },
});

/** The value as it was meant, where some of it is encoded; a text that cannot be decoded, or encoded, as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text).toWellFormed();
  } catch {
    return text.toWellFormed();
  }
}
