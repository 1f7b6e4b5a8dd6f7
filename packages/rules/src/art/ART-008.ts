import { defineRule } from '@plugfest/verifier';
import { rest, restStream, rpc, rpcStream, timed, v1, v03 } from '@plugfest/verifier/examples';
import { isJoined, isSameContent, isStreamCut, streamAndStore } from './assembled.ts';

const params = { message: v1.message('hello') };
const events = [
  { task: v1.task('WORKING') },
  v1.artifactUpdate('hel', { lastChunk: false }),
  v1.artifactUpdate('lo', { append: true }),
  v1.statusUpdate('COMPLETED'),
];
const stream = rpcStream({ method: 'SendStreamingMessage', params, events });
const get = (artifacts: readonly (typeof events)[number][] | undefined) =>
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED', { artifacts }) });

const data = { data: { price: 12 } };
const streamOf = (...updates: readonly ReturnType<typeof v1.artifactUpdate>[]) =>
  rpcStream({
    method: 'SendStreamingMessage',
    params,
    events: [{ task: v1.task('WORKING') }, ...updates, v1.statusUpdate('COMPLETED')],
  });

export default defineRule({
  id: 'ART-008',
  level: 'MUST',
  party: 'server',
  summary: 'The chunks of an artifact, put together, are what Get Task shows of it.',
  spec: { '0.2': '7.2.3', '0.3': '7.2.3', '1.0': '4.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    missing: 'Get Task shows no artifact {id}, which was streamed',
    differs: 'Get Task shows another content of artifact {id} than was streamed',
  },
  why: 'A client that polls gets another result than one that streams, and cannot know which one is right.',
  fix: 'Apply every chunk to the stored task as well: replace the artifact, or append to it, in the order of sending.',
  examples: {
    good: [
      [stream, get([v1.artifact('hello')])],
      [stream, get([v1.artifact('', { parts: [{ text: 'hel' }, { text: 'lo' }] })])],
      [stream, get([v1.artifact('', { parts: [{ text: 'hello' }, data] })])],
      [
        restStream({ verb: 'POST', path: '/message:stream', body: params, events }),
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          response: v1.task('COMPLETED', { artifacts: [v1.artifact('hello')] }),
        }),
      ],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.artifactUpdate('answer'), v03.statusUpdate('completed')],
        }),
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('completed') }),
      ],
    ],
    skip: [
      [stream],
      [get([v1.artifact('hello')])],
      // A look while the stream goes on, or at an unfinished task; a list, which may leave artifacts out.
      [timed(stream, 1, [2, 3, 8, 9]), timed(get([v1.artifact('lo')]), 5)],
      [stream, rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [
        stream,
        rpc({
          method: 'ListTasks',
          params: {},
          result: {
            tasks: [v1.task('COMPLETED', { artifacts: undefined })],
            nextPageToken: '',
            pageSize: 50,
            totalSize: 1,
          },
        }),
      ],
      // Without the opening Task one does not know what was there before, and with a gap not what came.
      [rpcStream({ method: 'SendStreamingMessage', params, events: events.slice(1) }), get(undefined)],
      [
        timed(stream, 1, [2, 3, 6, 7]),
        timed(
          rpcStream({
            method: 'SubscribeToTask',
            params: { id: 'task-9' },
            events: [],
            raw: 'data: {',
            end: 'reset',
          }),
          4,
        ),
        timed(get(undefined), 9),
      ],
    ],
    bad: [
      {
        example: [
          rpcStream({ method: 'SubscribeToTask', params: { id: 'task-1' }, events }),
          get([v1.artifact('lo')]),
        ],
        messages: ['differs'],
      },
      // The text is the same, and the data are gone.
      {
        example: [
          streamOf(
            v1.artifactUpdate('', { artifact: v1.artifact('', { parts: [{ text: 'hello' }, data] }) }),
          ),
          get([v1.artifact('hello')]),
        ],
        messages: ['differs'],
      },
      // Neither the piece that was sent last, nor all of them.
      {
        example: [
          streamOf(v1.artifactUpdate('draft', { lastChunk: false }), v1.artifactUpdate('final')),
          get([v1.artifact('something else')]),
        ],
        messages: ['differs'],
      },
      // What the opening Task showed is part of the result.
      {
        example: [
          rpcStream({
            method: 'SubscribeToTask',
            params: { id: 'task-1' },
            events: [
              {
                task: v1.task('WORKING', { artifacts: [v1.artifact('early', { artifactId: 'artifact-2' })] }),
              },
              ...events.slice(1),
            ],
          }),
          get([v1.artifact('hello')]),
        ],
        messages: ['missing'],
      },
      { example: [stream, get(undefined)], messages: ['missing'] },
      { example: [stream, get([v1.artifact('lo')])], messages: ['differs'] },
    ],
  },
  when: (task, { conversation }) => {
    const comparison = streamAndStore(task);
    if (comparison === undefined || comparison.streamed.size === 0) return false;
    return isStreamCut(comparison, conversation) ? 'undecidable' : true;
  },
  check: (task, { report }) => {
    const comparison = streamAndStore(task);
    if (comparison === undefined) return;
    const { streamed, stored } = comparison;
    const { exchange, side, pointer } = stored;
    const shown = new Map((stored.artifacts ?? []).map((artifact) => [artifact.artifactId, artifact]));
    for (const [id, assembled] of streamed) {
      const artifact = shown.get(id);
      const at = { side, pointer: `${pointer}/artifacts` };
      if (artifact === undefined) report('missing', { exchange, at, data: { id } });
      else if (
        assembled.whole &&
        !isSameContent(assembled.parts, artifact.parts) &&
        // Pieces that were to replace each other, and are joined, are the matter of ART-005.
        !isJoined(assembled, artifact.parts)
      )
        report('differs', { exchange, at, data: { id } });
    }
  },
});
