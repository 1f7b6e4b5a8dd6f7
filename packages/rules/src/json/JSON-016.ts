import { defineRule } from '@plugfest/verifier';
import { deliver, restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { faultless03, faultless10 } from './traffic-without-fault.ts';

/** Members of events that older versions or drafts had. */
const removed: Readonly<Record<string, string>> = {
  TaskStatusUpdateEvent: 'final',
  TaskArtifactUpdateEvent: 'index',
};
const isEvent = ({ type }: TypedObject): boolean => type in removed;

const send = { method: 'SendStreamingMessage', params: { message: v1.message('hello') } } as const;

export default defineRule({
  id: 'JSON-016',
  level: 'MUST',
  party: 'sender',
  summary: 'Status events have no `final` and artifact events no `index`.',
  spec: { '1.0': '4.2.1' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { removed: 'The {type} has `{member}`, which 1.0 does not have' },
  why: 'Strict parsers refuse the event, and a client that goes by `final` misreads every peer that rightly leaves it out.',
  fix: 'Leave the member out: in 1.0 a terminal state ends the stream, and `append` and `lastChunk` order chunks.',
  examples: {
    good: [
      faultless10.stream,
      faultless10.webhook,
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: { message: v1.message('hello') },
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    skip: [faultless03.stream, faultless10.rpc, faultless10.card],
    bad: [
      {
        example: [
          rpcStream({
            ...send,
            events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED', { final: true })],
          }),
        ],
        messages: ['removed'],
      },
      { example: [deliver(v1.artifactUpdate('x', { index: 0 }))], messages: ['removed'] },
    ],
  },
  when: (exchange) => someObject(exchange, isEvent),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const { type, value, pointer } of document.objects) {
        const member = removed[type];
        if (member === undefined || !(member in value)) continue;
        report('removed', {
          data: { type, member },
          at: placeIn(document, `${pointer}/${member}`),
          expected: `no ${member}`,
          actual: value[member],
        });
      }
  },
});
