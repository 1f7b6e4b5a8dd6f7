import { pointerToken } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { deliver, getCard, rest, v1 } from '@plugfest/verifier/examples';
import { camelCase, documentsOf, fieldNamed, placeIn, someObject, type TypedObject } from './documents.ts';
import { schema10 } from './schema.ts';
import { faultless03, faultless10, gotTask, withoutObjects } from './traffic-without-fault.ts';

/** Members that are a known field in the spelling of the proto. */
function snakeCased(objects: readonly TypedObject[]): readonly { name: string; pointer: string }[] {
  const found: { name: string; pointer: string }[] = [];
  for (const { type, value, pointer } of objects)
    for (const name in value)
      if (name.includes('_') && fieldNamed(schema10, type, name) !== undefined)
        found.push({ name, pointer: `${pointer}/${pointerToken(name)}` });
  return found;
}

export default defineRule({
  id: 'JSON-001',
  level: 'MUST',
  party: 'sender',
  summary: 'Members of protocol objects are named in camelCase, never as in the proto file.',
  spec: { '1.0': '5.5' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { snake: 'Member `{member}` is spelled as in the proto file ({count} such members)' },
  why: 'A peer that reads JSON by member name does not see the member at all: ids, states or whole parts are missing for it.',
  fix: 'Serialise with the JSON names of the fields (ProtoJSON without "preserve proto field names").',
  examples: {
    good: [faultless10.rpc, faultless10.rest, faultless10.stream, faultless10.webhook, faultless10.card],
    skip: [faultless03.rpc, withoutObjects],
    bad: [
      { example: gotTask({ contextId: undefined, context_id: 'ctx-1' }), messages: ['snake'] },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello', { messageId: undefined, message_id: 'm-1' }) },
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['snake'],
      },
      {
        example: [
          deliver({
            status_update: { task_id: 'task-1', context_id: 'ctx-1', status: v1.status('WORKING') },
          }),
        ],
        messages: ['snake'],
      },
      {
        example: [getCard(v1.card({ defaultInputModes: undefined, default_input_modes: ['text/plain'] }))],
        messages: ['snake'],
      },
    ],
  },
  when: (exchange) => someObject(exchange, () => true),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all) {
      const breaches = snakeCased(document.objects);
      const [first] = breaches;
      if (first === undefined) continue;
      report('snake', {
        data: { member: first.name, count: breaches.length },
        at: placeIn(document, first.pointer),
        expected: camelCase(first.name),
        actual: first.name,
      });
    }
  },
});
