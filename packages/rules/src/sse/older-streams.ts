import { v1, v03 } from '@plugfest/verifier/examples';

const done01 = {
  id: 'task-1',
  status: { state: 'completed', timestamp: '2026-01-01T00:00:09Z' },
  final: true,
};
const send03 = {
  version: '0.3',
  method: 'message/stream',
  params: { message: v03.message('hello') },
} as const;
const events03 = [v03.task('working'), v03.statusUpdate('completed')] as const;

/** For examples: a streaming call over JSON-RPC in each version before 1.0, with the two events that answer it. */
export const olderStreams = [
  {
    call: {
      version: '0.3',
      method: 'tasks/sendSubscribe',
      params: {
        id: 'task-1',
        sessionId: 's-1',
        message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
      },
    },
    events: [
      { id: 'task-1', status: { state: 'working', timestamp: '2026-01-01T00:00:02Z' }, final: false },
      done01,
    ],
  },
  { call: { ...send03, headers: { 'A2A-Version': '0.2' } }, events: events03 },
  { call: send03, events: events03 },
] as const;

/** The same over HTTP+JSON, in 0.3 and 1.0. */
export const restStreams = [
  {
    call: {
      verb: 'POST',
      path: '/v1/message:stream',
      headers: { 'A2A-Version': undefined, 'Content-Type': 'application/json' },
      body: { message: v03.message('hello') },
    },
    events: events03,
  },
  {
    call: { verb: 'POST', path: '/message:stream', body: { message: v1.message('hello') } },
    events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
  },
] as const;
