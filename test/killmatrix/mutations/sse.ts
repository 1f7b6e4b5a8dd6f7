import { v1 } from '@plugfest/verifier/examples';
import { artifactEvent, statusEvent, task } from '../episodes/words.ts';
import { client, type Mutation, server } from '../mutation.ts';

const wire = { level: 'wire' as const };

const mutations: readonly Mutation[] = [
  server(
    'SSE-001',
    'a stream is not labelled as one',
    (session) => session.set('stream', 'response/headers/Content-Type', 'application/x-ndjson'),
    wire,
  ),
  server('SSE-002', 'an event is no JSON', (session) =>
    session.push('stream', 'response/sse', { raw: 'data: [DONE]\n\n' }),
  ),
  server(
    'SSE-003',
    'an event has the id of another request',
    (session) => session.set('stream', 'response/sse/1/data/id', 999),
    wire,
  ),
  server('SSE-004', 'an event has a payload of no kind', (session) =>
    session.set('stream', 'event1', { progress: 0.5 }),
  ),
  server('SSE-005', 'a stream begins with a status', (session) =>
    session.set('stream', 'event0', statusEvent('stream', 'SUBMITTED', 40)),
  ),
  server('SSE-006', 'something follows a message', (session) =>
    session.push('spoken', 'response/sse', {
      data: {
        jsonrpc: '2.0',
        id: session.get('spoken', 'request/body/id'),
        result: { message: v1.reply('and more', { contextId: 'ctx-spoken' }) },
      },
    }),
  ),
  server('SSE-007', 'a task comes in the middle of a stream', (session) =>
    session.set('stream', 'event1', { task: task('stream', 'WORKING', 41) }),
  ),
  server('SSE-008', 'a message comes in a stream of a task', (session) =>
    session.set('stream', 'event1', {
      message: v1.reply('Looking', { contextId: 'ctx-stream', taskId: 'task-stream' }),
    }),
  ),
  server('SSE-010', 'an event follows the end', (session) => {
    session.set('stream', 'event3', statusEvent('stream', 'COMPLETED', 44));
    session.set(
      'stream',
      'event4',
      artifactEvent('stream', 'is 4', { artifact: v1.artifact('is 4'), append: true, lastChunk: true }),
    );
  }),
  server('SSE-011', 'a stream ends before its task', (session) => {
    session.drop('watched', 'response/sse/2');
    session.drop('subscribed', 'response/sse/2');
  }),
  server('SSE-014', 'a status event names no context', (session) =>
    session.drop('stream', 'event1/statusUpdate/contextId'),
  ),
  server('SSE-015', 'an artifact event names no task', (session) =>
    session.drop('pay', 'event3/artifactUpdate/taskId'),
  ),
  server('SSE-016', 'an event speaks of another task', (session) => {
    session.set('stream', 'event1/statusUpdate/taskId', 'task-other');
    session.set('stream', 'event1/statusUpdate/status/message/taskId', 'task-other');
  }),
  server('SSE-017', 'the timestamps of a stream go back', (session) =>
    session.set('stream', 'event1/statusUpdate/status/timestamp', '2026-01-01T00:00:39.250Z'),
  ),
  server('SSE-018', 'one of two streams brings another event', (session) =>
    session.set('subscribed', 'event1/artifactUpdate/artifact/parts/0/text', 'another answer'),
  ),
  server(
    'SSE-026',
    'a stream comes with a length',
    (session) => session.set('stream', 'response/headers/Content-Length', '1234'),
    wire,
  ),
  server('SSE-028', 'an artifact is in the task and never was in the stream', (session) =>
    session.push('streamed', 'result/artifacts', v1.artifact('more', { artifactId: 'artifact-2' })),
  ),
  server(
    'SSE-030',
    'a 0.x status event has no final',
    (session) => session.drop('stream', 'response/sse/1/data/result/final'),
    wire,
  ),
  server(
    'SSE-031',
    'a 0.x stream never says final',
    (session) => session.set('stream', 'response/sse/4/data/result/final', false),
    wire,
  ),
  server(
    'SSE-033',
    'a 0.1 stream never says final',
    (session) => session.set('stream', 'response/sse/4/data/result/final', false),
    wire,
  ),
  server(
    'SSE-036',
    'a stream may be cached',
    (session) => session.set('stream', 'response/headers/Cache-Control', 'max-age=600'),
    wire,
  ),
  server(
    'SSE-009',
    'a stream stays open after the end',
    (session) => session.set('stream', 'response/end', 'open'),
    {
      bindings: ['JSONRPC', 'HTTP+JSON'],
    },
  ),
  client(
    'SSE-037',
    'a request for a stream takes no stream',
    (session) => session.set('stream', 'request/headers/Accept', 'application/json'),
    wire,
  ),
  server(
    'SSE-023',
    'a stream fails with an error of its own form',
    (session) => {
      for (const index of [4, 3, 2]) session.drop('stream', `response/sse/${index}`);
      session.push('stream', 'response/sse', {
        raw: `data: {"jsonrpc":"2.0","id":${session.get('stream', 'request/body/id')},"error":"gone"}\n\n`,
      });
      session.without('streamed');
    },
    {
      level: 'wire',
      bindings: ['JSONRPC'],
    },
  ),
  server(
    'SSE-027',
    'events are held back',
    (session) => {
      for (const index of [0, 1, 2, 3, 4])
        session.set('stream', `response/sse/${index}/at`, '2026-01-01T00:00:49.000Z');
      session.without('streamed');
    },
    { bindings: ['JSONRPC', 'HTTP+JSON'] },
  ),
  server(
    'SSE-032',
    'a gRPC stream of 0.3 begins with a status',
    (session) => session.drop('stream', 'grpc/response/0'),
    {
      level: 'wire',
      bindings: ['GRPC'],
      versions: ['0.3'],
    },
  ),
  server(
    'SSE-027',
    'events are held back',
    (session) =>
      session.set(
        'stream',
        'grpc/response_at',
        [49, 49, 49, 49, 49].map(() => '2026-01-01T00:00:49.000Z'),
      ),
    { level: 'wire', bindings: ['GRPC'], versions: ['1.0'] },
  ),
  server('SSE-013', 'a stream ends where its task waits for an authorization', (session) => {
    for (const index of [4, 3, 2]) session.drop('pay', `response/sse/${index}`);
    session.copy('granted', 'paid');
    const paid = session.exchanges().get('paid');
    session.without('paid');
    if (paid !== undefined) session.insert('pay', 'paid', paid);
    session.set('paid', 'at', '2026-01-01T00:03:38.000Z');
    session.set('paid', 'params/id', 'task-paid');
    session.set('paid', 'result', task('paid', 'COMPLETED', 215));
  }),
  server('SSE-021', 'an agent that declares no streaming streams', (session) => {
    session.set('muteStream', 'response', session.get('spoken', 'response'));
    session.set('muteStream', 'response/sse/0/data/id', session.get('muteStream', 'request/body/id'));
    session.set('muteStream', 'request/headers/Accept', 'text/event-stream');
  }),
];

export default mutations;
