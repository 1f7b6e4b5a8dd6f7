import { bytesPart, dataPart, textPart, urlPart } from '../../parts.ts';
import type { Behaviour } from '../behaviour.ts';

/** One artifact of each kind of part, then completed. */
const contents = {
  'tck-artifact-text': () => textPart('Generated text content'),
  'tck-artifact-file': () => bytesPart(Buffer.from('tck'), 'output.txt', 'text/plain'),
  'tck-artifact-file-url': () => urlPart('https://example.com/output.txt', 'output.txt', 'text/plain'),
  'tck-artifact-data': () => dataPart({ key: 'value', count: 42 }),
};

export default Object.entries(contents).map(
  ([prefix, part]): Behaviour => ({
    prefix,
    run({ script }) {
      script.artifact(prefix, part());
      script.completed();
    },
  }),
);
