import { createHash } from 'node:crypto';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkPartsReturn } from '../scenario/parts.ts';

const sizeBytes = 2 * 1024 * 1024;

export default defineScenario({
  id: 'large-file',
  title: 'Large file',
  summary: 'A file of 2 MiB goes to the server by value and comes back unchanged.',
  // An agent is told by a message, which would have to carry the file first.
  clients: 'raw',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    const raw = bytesFrom(context.nonce()).toString('base64');
    await checkPartsReturn(context, 'a file of 2 MiB', [
      { raw, mediaType: 'text/plain;charset=iso-8859-1', filename: 'large.txt' },
    ]);
  },
});

/** The same for the same text, and nothing that compresses. */
function bytesFrom(text: string): Buffer {
  const blocks = Array.from({ length: sizeBytes / 64 }, (_, index) =>
    createHash('sha512').update(`${text}/${index}`).digest(),
  );
  return Buffer.concat(blocks);
}
