import { isStreaming } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';

const subscribe = {
  method: 'SubscribeToTask',
  params: { id: 'task-1' },
  events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
} as const;

export default defineRule({
  id: 'SSE-035',
  level: 'INFO',
  party: 'client',
  summary: 'A client that lost a stream calls anew, and does not ask for the rest of it by `Last-Event-ID`.',
  spec: { '0.1': '7.7', '0.2': '7.9', '0.3': '7.9', '1.0': '3.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  about: ['SendStreamingMessage', 'SubscribeToTask'],
  messages: { resumes: 'The client asks for what came after the event {id}; A2A knows no such thing' },
  why: 'Ids of events mean nothing in A2A. A library that reconnects by itself repeats the whole call: a send is then carried out twice.',
  fix: 'Turn off the reconnection of the event source, and subscribe to the task by its own operation.',
  examples: {
    good: [
      [rpcStream(subscribe)],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [rpcStream({ ...subscribe, headers: { 'Last-Event-ID': '7' } })], messages: ['resumes'] },
    ],
  },
  when: ({ operation }) => isStreaming(operation),
  check: ({ captured }, { report }) => {
    const id = header(captured.request.headers, 'last-event-id');
    if (id === undefined) return;
    report('resumes', { data: { id }, at: { side: 'request', header: 'Last-Event-ID' }, actual: id });
  },
});
