import { pointerToken } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { deliver, rest, v1 } from '@plugfest/verifier/examples';
import { documentsOf, fieldNamed, placeIn, someObject, type TypedObject } from './documents.ts';
import { schema10 } from './schema.ts';
import { faultless03, faultless10, gotTask, withoutObjects } from './traffic-without-fault.ts';

const pageToken = schema10.get('ListTasksResponse')?.get('nextPageToken');

/** Optional members that are null. Required ones count as missing, and free-form ones may be null. */
function nullMembers(objects: readonly TypedObject[]): readonly { name: string; pointer: string }[] {
  const found: { name: string; pointer: string }[] = [];
  for (const { type, value, pointer } of objects)
    for (const name in value) {
      if (value[name] !== null) continue;
      const field = fieldNamed(schema10, type, name);
      if (field === undefined || field.required || field.type === 'free') continue;
      // That the last page has an empty token is LIST-002.
      if (type === 'ListTasksResponse' && field === pageToken) continue;
      found.push({ name, pointer: `${pointer}/${pointerToken(name)}` });
    }
  return found;
}

export default defineRule({
  id: 'JSON-019',
  level: 'SHOULD',
  party: 'sender',
  summary: 'A member that is not set is left out rather than written as null.',
  spec: { '1.0': '5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { null: '`{member}` is null instead of absent ({count} such members)' },
  why: 'ProtoJSON parsers read null as absent, but typed readers written by hand expect a string or an object there and fail.',
  fix: 'Leave unset members out when serialising.',
  examples: {
    good: [faultless10.rpc, faultless10.rest, faultless10.webhook, faultless10.card],
    skip: [faultless03.rpc, withoutObjects],
    bad: [
      { example: gotTask({ history: null, artifacts: null }), messages: ['null'] },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello'), configuration: null },
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['null'],
      },
      { example: [deliver(v1.artifactUpdate('x', { append: null }))], messages: ['null'] },
    ],
  },
  when: (exchange) => someObject(exchange, () => true),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all) {
      const found = nullMembers(document.objects);
      const [first] = found;
      if (first === undefined) continue;
      report('null', {
        data: { member: first.name, count: found.length },
        at: placeIn(document, first.pointer),
        expected: 'no member',
        actual: null,
      });
    }
  },
});
