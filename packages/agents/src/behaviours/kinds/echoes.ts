import { randomUUID } from 'node:crypto';
import { textPart } from '../../parts.ts';
import type { Behaviour } from '../behaviour.ts';

/** The nonce comes back in two chunks, so a lost, doubled or crossed chunk shows in the text. */
export default [
  {
    prefix: 'plugfest-echo',
    matches: 'text',
    run({ script, argument }) {
      const symbols = Array.from(argument);
      const middle = Math.ceil(symbols.length / 2);
      const artifact = { artifactId: randomUUID(), name: 'echo' };
      script.working();
      script.chunk(textPart(symbols.slice(0, middle).join('')), {
        ...artifact,
        append: false,
        lastChunk: false,
      });
      script.chunk(textPart(symbols.slice(middle).join('')), { ...artifact, append: true, lastChunk: true });
      script.completed(argument);
    },
  },
] satisfies readonly Behaviour[];
