import { defineRule } from '@plugfest/verifier';
import { rest, restStream, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { type Assembled, comparedArtifacts, streamAndStore, textOf } from './assembled.ts';

const params = { message: v1.message('hello') };
const events = [
  { task: v1.task('WORKING') },
  v1.artifactUpdate('hel', { lastChunk: false }),
  v1.artifactUpdate('lo', { append: true }),
  v1.statusUpdate('COMPLETED'),
];
const stream = rpcStream({ method: 'SendStreamingMessage', params, events });
const stored = (...texts: readonly string[]) =>
  v1.task('COMPLETED', { artifacts: [v1.artifact('', { parts: texts.map((text) => ({ text })) })] });
const get = (...texts: readonly string[]) =>
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: stored(...texts) });

export default defineRule({
  id: 'ART-014',
  level: 'INFO',
  party: 'server',
  summary: 'The parts of an appended chunk are added to the list of parts, or joined with the last one.',
  spec: { '1.0': '4.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    joined: 'The stored artifact {id} has {stored} parts, of {streamed} that were streamed: texts are joined',
  },
  why: 'What to append means for parts is not laid down, so agents differ, and both ways are right. It is noted for the reader, because a client that counts parts gets different numbers.',
  fix: 'Nothing needs to change; clients should not rely on how many parts a text has.',
  examples: {
    good: [
      [stream, get('hel', 'lo')],
      [
        restStream({ verb: 'POST', path: '/message:stream', body: params, events }),
        rest({ verb: 'GET', path: '/tasks/task-1', response: stored('hel', 'lo') }),
      ],
    ],
    skip: [
      [stream],
      [get('hello')],
      // The start of the artifact was not streamed.
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params,
          events: [
            { task: v1.task('WORKING') },
            v1.artifactUpdate('hel', { append: true, lastChunk: false }),
            v1.artifactUpdate('lo', { append: true }),
            v1.statusUpdate('COMPLETED'),
          ],
        }),
        get('hello'),
      ],
    ],
    bad: [{ example: [stream, get('hello')], messages: ['joined'], outcomes: ['info'] }],
  },
  when: (task) => {
    const comparison = streamAndStore(task);
    return comparison !== undefined && comparedArtifacts(comparison).some(isAppended);
  },
  check: (task, { report }) => {
    const comparison = streamAndStore(task);
    if (comparison === undefined) return;
    for (const { id, sent, parts, at } of comparedArtifacts(comparison).filter(isAppended)) {
      if (parts.length >= sent.parts.length) continue;
      if (textOf(parts) === undefined || textOf(parts) !== textOf(sent.parts)) continue;
      report('joined', {
        exchange: comparison.stored.exchange,
        at: { ...at, pointer: `${at.pointer}/parts` },
        data: { id, stored: parts.length, streamed: sent.parts.length },
      });
    }
  },
});

const isAppended = ({ sent }: { readonly sent: Assembled }): boolean => sent.whole && sent.appended > 0;
