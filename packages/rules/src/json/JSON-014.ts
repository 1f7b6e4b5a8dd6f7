import { defineRule } from '@plugfest/verifier';
import { rest, rpcStream, v1 } from '@plugfest/verifier/examples';
import { olderAnswer } from '../ver/shown-dialect.ts';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

const discriminated = new Set([
  ...['Part', 'Message', 'Task', 'TaskStatusUpdateEvent', 'TaskArtifactUpdateEvent'],
]);
const couldHaveKind = ({ type }: TypedObject): boolean => discriminated.has(type);
const hasKind = (object: TypedObject): boolean => couldHaveKind(object) && 'kind' in object.value;

export default defineRule({
  id: 'JSON-014',
  level: 'MUST',
  party: 'sender',
  summary: 'No 1.0 object carries a `kind` discriminator.',
  spec: { '1.0': 'A.2.1' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { kind: 'The {type} has a `kind` member, as in 0.3 ({count} such objects)' },
  why: 'Strict ProtoJSON parsers refuse the unknown member, and tolerant peers that look at `kind` take the traffic for 0.3.',
  fix: 'Leave `kind` out in 1.0: the name of the content or wrapper member says what the object is.',
  examples: {
    good: [faultless10.rpc, faultless10.rest, faultless10.stream, faultless10.webhook],
    skip: [
      faultless03.rpc,
      faultless10.card,
      [rest({ verb: 'GET', path: '/tasks/nope', status: 404, response: { error: { code: 404 } } })],
    ],
    bad: [
      { example: gotTask({ kind: 'task' }), messages: ['kind'] },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello', { parts: [{ kind: 'text', text: 'hello' }] }) },
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['kind'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED', { kind: 'status-update' })],
          }),
        ],
        messages: ['kind'],
      },
    ],
  },
  when: (exchange) => someObject(exchange, couldHaveKind),
  check: (exchange, { report }) => {
    // An answer that is an older version's as a whole is VER-005.
    const isOlder = exchange.kind === 'operation' && olderAnswer(exchange) !== undefined;
    for (const document of documentsOf(exchange).all) {
      if (isOlder && document.side === 'response') continue;
      const first = document.objects.find(hasKind);
      if (first === undefined) continue;
      report('kind', {
        data: { type: first.type, count: document.objects.filter(hasKind).length },
        at: placeIn(document, `${first.pointer}/kind`),
        expected: 'no kind',
        actual: first.value.kind,
      });
    }
  },
});
