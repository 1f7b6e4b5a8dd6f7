import { defineRule } from '@plugfest/verifier';
import { deliver, rest, restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { camelCase, documentsOf, type ProtocolDocument, placeIn, someObject } from './documents.ts';
import { schema10 } from './schema.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

const wrapperTypes = new Set(['SendMessageResponse', 'StreamResponse']);

/** The payload members of a wrapper that are set, in either spelling. */
function payloadMembers({ type = '', objects }: ProtocolDocument): readonly string[] {
  const fields = schema10.get(type);
  return Object.entries(objects[0]?.value ?? {})
    .filter(([name, value]) => value !== null && fields?.has(camelCase(name)) === true)
    .map(([name]) => name);
}

export default defineRule({
  id: 'JSON-017',
  level: 'MUST',
  party: 'sender',
  summary: 'A SendMessageResponse or StreamResponse holds exactly one payload.',
  spec: { '1.0': '3.2.3' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: {
    none: 'The {type} holds none of its payloads, but {found}',
    several: 'The {type} holds several payloads: {found}',
    bare: 'A bare {type} stands where a wrapper around it belongs',
  },
  why: 'The one member tells what the object is; without it readers see an empty response, and with two they keep either.',
  fix: 'Send `{"task": …}`, `{"message": …}`, `{"statusUpdate": …}` or `{"artifactUpdate": …}`, and make several responses of several payloads.',
  examples: {
    good: [faultless10.rpc, faultless10.rest, faultless10.stream, faultless10.webhook],
    skip: [faultless03.rpc, faultless10.card, gotTask({})],
    bad: [
      ...[{}, { task: null }].map((response) => ({
        example: [
          rest({ verb: 'POST', path: '/message:send', body: { message: v1.message('hello') }, response }),
        ],
        messages: ['none'] as const,
      })),
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
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello') },
            response: v1.task('COMPLETED'),
          }),
        ],
        messages: ['bare'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [{ task: v1.task('WORKING') }, { progress: 50 }, v1.statusUpdate('COMPLETED')],
          }),
        ],
        messages: ['none'],
      },
      { example: [deliver({ task: v1.task('WORKING'), message: v1.reply('hi') })], messages: ['several'] },
    ],
  },
  when: (exchange) => {
    const { all } = documentsOf(exchange);
    return all.some((document) => isWrapper(document)) || someObject(exchange, () => false);
  },
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all) {
      if (!isWrapper(document)) continue;
      const { type = '', objects } = document;
      const [root] = objects;
      if (root === undefined) continue;
      const found = payloadMembers(document);
      if (found.length === 1 && wrapperTypes.has(type)) continue;
      const message = !wrapperTypes.has(type) ? 'bare' : found.length === 0 ? 'none' : 'several';
      report(message, {
        data: { type, found: (found.length === 0 ? Object.keys(root.value) : found).join(', ') || 'nothing' },
        at: placeIn(document, root.pointer),
        expected: 'exactly one of task, message, statusUpdate, artifactUpdate',
        actual: Object.keys(root.value),
      });
    }
  },
});

/** Is a wrapper here, or something in its place? */
function isWrapper({ expected }: ProtocolDocument): boolean {
  return expected !== undefined && wrapperTypes.has(expected);
}
