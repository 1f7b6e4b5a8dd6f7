import { defineRule } from '@plugfest/verifier';
import { rest } from '@plugfest/verifier/examples';
import { inputsInQuery, isBodiless } from './query-parameters.ts';
import { fitsQuery, queryFormat } from './query-values.ts';

const list = (query: string) =>
  rest({
    verb: 'GET',
    path: `/tasks${query}`,
    response: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 },
  });

export default defineRule({
  id: 'REST-016',
  level: 'MUST',
  party: 'client',
  summary: 'Query values are `true` or `false`, decimal numbers, enum names and ISO 8601 times.',
  spec: { '1.0': '11.5' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: { value: 'The query parameter {name} is {found} instead of {expected}' },
  why: 'The server refuses the call, or takes the value for the default and answers something else than was asked. A `+` in a time is the usual case: it has to be written %2B.',
  fix: 'Write the value in the form of section 11.5, and percent-encode it.',
  examples: {
    good: [
      [
        list(
          '?status=TASK_STATE_WORKING&includeArtifacts=true&statusTimestampAfter=2026-01-01T00%3A00%3A00Z',
        ),
      ],
      [list('?includeArtifacts=false&pageToken=&status=')],
    ],
    skip: [[list('')], [list('?status=')], [list('?contextId=ctx-1')]],
    bad: [
      { example: [list('?status=working')], messages: ['value'] },
      { example: [list('?includeArtifacts=True&pageSize=ten')], messages: ['value', 'value'] },
      { example: [list('?pageSize=n10')], messages: ['value'] },
      { example: [list('?pageSize=10n')], messages: ['value'] },
      { example: [list('?statusTimestampAfter=2026-01-01T00:00:00+01:00')], messages: ['value'] },
    ],
  },
  when: (exchange) =>
    isBodiless(exchange) &&
    inputsInQuery(exchange).some(({ type, value }) => type !== 'string' && value !== ''),
  check: (exchange, { report }) => {
    for (const { name, type, value } of inputsInQuery(exchange)) {
      const text = queryFormat(type);
      if (value === '' || fitsQuery(type, value)) continue;
      report('value', {
        data: { name, found: value, expected: text },
        at: { side: 'request' },
        expected: text,
        actual: value,
      });
    }
  },
});
