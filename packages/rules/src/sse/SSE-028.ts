import { defineRule } from '@plugfest/verifier';
import { rest, restStream, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { isStreamCut, streamAndStore } from '../art/assembled.ts';
import { wasBornHere } from '../birth.ts';

const params = { message: v1.message('hello') };
const events = [{ task: v1.task('WORKING') }, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')];
const stream = rpcStream({ method: 'SendStreamingMessage', params, events });
const silent = rpcStream({
  method: 'SendStreamingMessage',
  params,
  events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
});
const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') });

export default defineRule({
  id: 'SSE-028',
  level: 'MUST',
  party: 'server',
  summary: 'The stream that made a task, played onto its first Task, gives all that Get Task shows later.',
  spec: { '1.0': '3.1.2, 3.1.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { unsent: 'Get Task shows artifact {id}, which the stream never brought' },
  why: 'A client that listens to the stream believes that it has the whole result, and misses a part of it.',
  fix: 'Send an artifact event for every artifact before the terminal status, whatever else stores it.',
  examples: {
    good: [
      [stream, get],
      [
        restStream({ verb: 'POST', path: '/message:stream', body: params, events }),
        rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('COMPLETED') }),
      ],
      // A last snapshot may bring them (section 11.7).
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params,
          events: [
            { task: v1.task('WORKING') },
            v1.statusUpdate('COMPLETED'),
            { task: v1.task('COMPLETED') },
          ],
        }),
        get,
      ],
    ],
    skip: [
      [stream],
      // What 0.x shows of it is up to the agent.
      [
        silent,
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('completed') }),
      ],
      [get],
      // Of a task that was there before, what it had may be older than the stream.
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params: { message: v1.message('more', { taskId: 'task-1' }) },
          events,
        }),
        get,
      ],
    ],
    bad: [{ example: [silent, get], messages: ['unsent'] }],
  },
  when: (task, { conversation }) => {
    const comparison = streamAndStore(task);
    if (comparison === undefined) return false;
    const { events, streamed, stored } = comparison;
    const [first] = events;
    if (first?.version !== '1.0' || stored.version !== '1.0') return false;
    if (first?.exchange.id !== task.observations[0]?.exchange.id || !wasBornHere(task)) return false;
    if (streamed.size === 0 && (stored.artifacts?.length ?? 0) === 0) return false;
    return isStreamCut(comparison, conversation) ? 'undecidable' : true;
  },
  check: (task, { report }) => {
    // That its states and contents agree is judged by LIFE-002, LIFE-011 and ART-008.
    const { streamed, stored } = streamAndStore(task) ?? {};
    if (streamed === undefined || stored === undefined) return;
    stored.artifacts?.forEach(({ artifactId }, i) => {
      if (artifactId === undefined || streamed.has(artifactId)) return;
      report('unsent', {
        exchange: stored.exchange,
        at: { side: stored.side, pointer: `${stored.pointer}/artifacts/${i}` },
        data: { id: artifactId },
        expected: 'an artifact that the stream brought',
      });
    });
  },
});
