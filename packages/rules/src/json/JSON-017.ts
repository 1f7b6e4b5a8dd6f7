import { defineRule } from '@plugfest/verifier';
import { deliver, restStream, v1 } from '@plugfest/verifier/examples';
import { camelCase, documentsOf, type ProtocolDocument, placeIn, someObject } from './documents.ts';
import { schema10 } from './schema.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

/** The payload members of a StreamResponse that are set, in either spelling. */
function payloadMembers({ objects }: ProtocolDocument): readonly string[] {
  const fields = schema10.get('StreamResponse');
  const found: string[] = [];
  const value = objects[0]?.value ?? {};
  for (const name in value)
    if (value[name] !== null && fields?.has(camelCase(name)) === true) found.push(name);
  return found;
}

export default defineRule({
  id: 'JSON-017',
  level: 'MUST',
  party: 'sender',
  summary: 'A StreamResponse, of a stream or of a delivery, does not hold several payloads.',
  spec: { '1.0': '3.2.3' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { several: 'The StreamResponse holds {found} at once' },
  why: 'The one member tells what the object is; readers keep either of two, and the other is lost. What holds none is the matter of SSE-004 and HOOK-002, and the answer to a send that of SEND-003.',
  fix: 'Make several events or deliveries of several payloads.',
  examples: {
    good: [faultless10.stream, faultless10.webhook],
    skip: [faultless10.rpc, faultless10.rest, faultless03.rpc, faultless10.card, gotTask({})],
    bad: [
      {
        example: [
          restStream({
            verb: 'POST',
            path: '/message:stream',
            body: { message: v1.message('hello') },
            events: [
              { task: v1.task('WORKING'), ...v1.statusUpdate('WORKING') },
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['several'],
      },
      { example: [deliver({ task: v1.task('WORKING'), message: v1.reply('hi') })], messages: ['several'] },
    ],
  },
  when: (exchange) => {
    const { all } = documentsOf(exchange);
    return all.some((document) => isStreamResponse(document)) || someObject(exchange, () => false);
  },
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all) {
      if (!isStreamResponse(document)) continue;
      const [root] = document.objects;
      const found = payloadMembers(document);
      if (root === undefined || found.length < 2) continue;
      report('several', {
        data: { found: found.join(' and ') },
        at: placeIn(document, root.pointer),
        expected: 'exactly one of task, message, statusUpdate, artifactUpdate',
        actual: Object.keys(root.value),
      });
    }
  },
});

const isStreamResponse = ({ type }: ProtocolDocument): boolean => type === 'StreamResponse';
