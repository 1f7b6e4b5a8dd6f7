import { defineRule } from '@plugfest/verifier';
import { restStream, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

const send = { method: 'SendStreamingMessage', params: { message: v1.message('hello') } } as const;
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];

export default defineRule({
  id: 'SSE-002',
  level: 'MUST',
  party: 'server',
  summary: 'The data of each stream event is one complete JSON document.',
  spec: { '0.1': '7.2', '0.2': '3.3', '0.3': '3.3.1', '1.0': '9.4.2, 11.7' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'stream',
  messages: {
    empty: 'Event {event} has empty data',
    invalid: 'The data of event {event} is not JSON: {problem}',
  },
  why: 'A client that cannot parse an event gives up the whole stream, or drops the event and misses what it said.',
  fix: 'Write each message as one JSON document into one event; use comment lines to keep the connection alive.',
  examples: {
    good: [
      [rpcStream({ ...send, events, raw: ': keep-alive\n\n' })],
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: { message: v1.message('hello') },
          events,
        }),
      ],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working')],
          raw: `data: {"jsonrpc":"2.0","id":1,\ndata: "result":${JSON.stringify(v03.statusUpdate('completed'))}}\n\n`,
        }),
      ],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [rpcStream({ ...send, events, raw: 'data: \n\n' })], messages: ['empty'] },
      { example: [rpcStream({ ...send, events, raw: 'data: [DONE]\n\n' })], messages: ['invalid'] },
    ],
  },
  when: ({ events }) => {
    const readable = events.filter(({ json, terminated }) => terminated && !isUnread(json.state));
    return readable.length > 0 ? true : events.length > 0 ? 'undecidable' : false;
  },
  check: ({ events }, { report }) => {
    for (const { index, json, terminated } of events) {
      // Clients drop an event that no blank line ended, and so does this rule.
      if (!terminated || json.state === 'ok' || isUnread(json.state)) continue;
      const at = { side: 'response', event: index } as const;
      if (json.text.trim() === '')
        report('empty', { data: { event: index }, at, expected: 'a JSON document' });
      else
        report('invalid', {
          data: { event: index, problem: json.problem },
          at,
          expected: 'a JSON document',
          actual: json.text,
        });
    }
  },
});
