import { v1 } from '@plugfest/verifier/examples';
import { type Mutation, server } from '../mutation.ts';

const artifact = 'result/artifacts/0';

const mutations: readonly Mutation[] = [
  server('ART-001', 'an artifact has no id', (session) =>
    session.drop('pollAgain', `${artifact}/artifactId`),
  ),
  server('ART-002', 'two artifacts of a task have one id', (session) =>
    session.push('send', 'result/task/artifacts', v1.artifact('another answer')),
  ),
  server('ART-003', 'an artifact has no parts', (session) =>
    session.set('send', 'result/task/artifacts/0/parts', []),
  ),
  server('ART-004', 'a chunk continues an artifact that was never sent', (session) =>
    session.set('stream', 'event2/artifactUpdate/append', true),
  ),
  server('ART-006', 'a chunk follows the last one', (session) =>
    session.set('stream', 'event2/artifactUpdate/lastChunk', true),
  ),
  server('ART-007', 'the last chunk is never marked', (session) =>
    session.set('stream', 'event3/artifactUpdate/lastChunk', false),
  ),
  server('ART-008', 'a streamed chunk is missing in the stored artifact', (session) =>
    session.drop('streamed', `${artifact}/parts/1`),
  ),
  server(
    'ART-009',
    'an artifact has a media type that the card does not declare',
    (session) =>
      session.push('pollAgain', 'result/artifacts/0/parts', {
        url: 'https://files.example/a.png',
        mediaType: 'image/png',
      }),
    { versions: ['0.3', '1.0'] },
  ),
  server(
    'ART-013',
    'the flags of a 0.1 chunk stand beside the artifact',
    (session) => {
      session.drop('watched', 'response/sse/1/data/result/artifact/lastChunk');
      session.set('watched', 'response/sse/1/data/result/lastChunk', true);
    },
    { level: 'wire' },
  ),
  server('ART-005', 'an artifact that was sent again is joined', (session) =>
    session.set('redoneGet', 'result/artifacts/0/parts', [{ text: 'A draft' }, { text: 'The answer' }]),
  ),
  server('ART-015', 'the metadata of an artifact gets lost', (session) =>
    session.drop('notedGet', 'result/artifacts/0/metadata'),
  ),
  server('ART-011', 'an artifact has an extension that is not declared', (session) =>
    session.push('placed', 'result/task/artifacts/0/extensions', 'https://extensions.example/other/v1'),
  ),
];

export default mutations;
