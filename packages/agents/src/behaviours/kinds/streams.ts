import { randomUUID } from 'node:crypto';
import { bytesPart, textPart } from '../../parts.ts';
import type { Act, Behaviour } from '../behaviour.ts';

const text =
  (content: string): Act =>
  ({ script }) => {
    script.working();
    script.artifact('stream', textPart(content));
    script.completed();
  };

const chunked: Act = ({ script }) => {
  const artifact = { artifactId: randomUUID(), name: 'stream' };
  script.working();
  script.chunk(textPart('chunk-1 '), { ...artifact, append: false, lastChunk: false });
  script.chunk(textPart('chunk-2'), { ...artifact, append: true, lastChunk: true });
  script.completed();
};

/** Short streams, each of one shape. */
export default [
  { prefix: 'tck-stream-001', run: text('Stream hello from TCK') },
  { prefix: 'tck-stream-002', run: ({ script }) => script.completed() },
  { prefix: 'tck-stream-003', run: text('Stream task lifecycle') },
  { prefix: 'tck-stream-ordering-001', run: text('Ordered output') },
  { prefix: 'tck-stream-basic', run: text('Stream hello from TCK') },
  { prefix: 'tck-stream-artifact-text', run: text('Streamed text content') },
  {
    prefix: 'tck-stream-artifact-file',
    run({ script }) {
      script.working();
      script.artifact('stream', bytesPart(Buffer.from('tck'), 'output.txt', 'text/plain'));
      script.completed();
    },
  },
  { prefix: 'tck-stream-artifact-chunked', run: chunked },
  { prefix: 'tck-stream-chunked', run: chunked },
] satisfies readonly Behaviour[];
