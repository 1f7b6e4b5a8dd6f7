import { defineRule } from '@plugfest/verifier';
import { rest, restStream, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { comparedArtifacts, isJoined, isStreamCut, streamAndStore } from './assembled.ts';

const params = { message: v1.message('hello') };
const draft = v1.artifactUpdate('draft', { lastChunk: false });
const final = v1.artifactUpdate('final');
const events = [{ task: v1.task('WORKING') }, draft, final, v1.statusUpdate('COMPLETED')];
const stream = rpcStream({ method: 'SendStreamingMessage', params, events });
const stored = (text: string) => v1.task('COMPLETED', { artifacts: [v1.artifact(text)] });
const get = (text: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: stored(text) });

export default defineRule({
  id: 'ART-005',
  level: 'MUST',
  party: 'server',
  summary: 'An artifact that is sent again without `append` replaces what was sent of it before.',
  spec: { '0.2': '7.2.3', '0.3': '7.2.3', '1.0': '4.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    joined: 'Artifact {id} was sent again without `append`, and the stored one holds all pieces joined',
  },
  why: 'Clients keep the last piece only, as they are told, and show the end of the answer as the whole of it.',
  fix: 'Send `append: true` with every chunk but the first; without it send the artifact as a whole, and store it so.',
  examples: {
    good: [
      [stream, get('final')],
      [
        restStream({ verb: 'POST', path: '/message:stream', body: params, events }),
        rest({ verb: 'GET', path: '/tasks/task-1', response: stored('final') }),
      ],
    ],
    skip: [
      [stream],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params,
          events: [{ task: v1.task('WORKING') }, final, v1.statusUpdate('COMPLETED')],
        }),
        get('final'),
      ],
    ],
    bad: [
      { example: [stream, get('draftfinal')], messages: ['joined'] },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [
              v03.task('working'),
              v03.artifactUpdate('hel', { lastChunk: false }),
              v03.artifactUpdate('lo'),
              v03.statusUpdate('completed'),
            ],
          }),
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1' },
            result: v03.task('completed', { artifacts: [v03.artifact('hello')] }),
          }),
        ],
        messages: ['joined'],
      },
    ],
  },
  when: (task, { conversation }) => {
    const comparison = streamAndStore(task);
    if (comparison === undefined) return false;
    if (!comparedArtifacts(comparison).some(({ sent }) => sent.replaced)) return false;
    return isStreamCut(comparison, conversation) ? 'undecidable' : true;
  },
  check: (task, { report }) => {
    const comparison = streamAndStore(task);
    if (comparison === undefined) return;
    for (const { id, sent, parts, at } of comparedArtifacts(comparison))
      if (isJoined(sent, parts))
        report('joined', {
          exchange: comparison.stored.exchange,
          at,
          data: { id },
          expected: 'the piece that was sent last',
        });
  },
});
