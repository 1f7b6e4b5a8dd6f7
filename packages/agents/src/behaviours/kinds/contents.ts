import type { Part } from '@a2a-js/sdk';
import { dataPart, textPart } from '../../parts.ts';
import type { Behaviour } from '../behaviour.ts';

/** What `plugfest-modes` can answer with, by media type. */
const modes: Readonly<Record<string, (nonce: string) => Part>> = {
  'text/plain': textPart,
  'application/json': (nonce) => dataPart({ nonce }),
};

/** Parts and media types, as the client chose them. */
export default [
  {
    prefix: 'plugfest-parts',
    matches: 'text',
    run({ script, argument, parts }) {
      const contents = parts.filter((part) => part.content?.$case !== 'text');
      if (contents.length === 0) {
        script.rejected('plugfest-parts wants parts besides the text');
        return;
      }
      script.working();
      script.artifact('parts', ...contents);
      script.completed(argument);
    },
  },
  {
    prefix: 'plugfest-modes',
    matches: 'text',
    run({ script, argument, acceptedOutputModes }) {
      const accepted = acceptedOutputModes.length > 0 ? acceptedOutputModes : ['text/plain'];
      const part = accepted.map((mode) => modes[mode.toLowerCase()]).find((make) => make !== undefined);
      // What an executor throws becomes a FAILED task, so it cannot answer with ContentTypeNotSupportedError.
      if (!part) {
        script.rejected(`none of ${acceptedOutputModes.join(', ')} can be had`);
        return;
      }
      script.artifact('modes', part(argument));
      script.completed(argument);
    },
  },
] satisfies readonly Behaviour[];
