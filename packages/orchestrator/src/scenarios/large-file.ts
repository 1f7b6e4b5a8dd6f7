import { createHash } from 'node:crypto';
import type { DrivePart } from '../driver/drive.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { errorText } from '../scenario/expect.ts';
import { checkPartsReturn, checkPartsReturned } from '../scenario/parts.ts';

const sizeBytes = 2 * 1024 * 1024;

export default defineScenario({
  id: 'large-file',
  title: 'Large file',
  summary: 'A file of 2 MiB goes to the server by value and comes back unchanged, or is refused.',
  // An agent is told by a message, which would have to carry the file first.
  clients: 'raw',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    const bytes = bytesFrom(context.nonce());
    const nonce = context.nonce();
    const parts = partsOf(bytes);
    const result = await context.send({ text: `plugfest-parts ${nonce}`, parts });
    // A2A 1.0 section 13.4 wants limits and gives no number: an agent whose limit is lower is within its rights.
    context.advise('a file of 2 MiB is within the limits of the server', result.ok, {
      section: '13.4',
      detail: errorText(result.error),
    });
    if (result.ok) return checkPartsReturned(context, 'a file of 2 MiB', { nonce, parts, result });
    // It was refused for its size only if a small one of the same bytes is taken.
    await checkPartsReturn(context, 'a file of 256 bytes', partsOf(bytes.subarray(0, 256)));
  },
});

function partsOf(bytes: Buffer): readonly DrivePart[] {
  const raw = bytes.toString('base64');
  return [{ raw, mediaType: 'text/plain;charset=iso-8859-1', filename: 'large.txt' }];
}

/** The same for the same text, and nothing that compresses. */
function bytesFrom(text: string): Buffer {
  const blocks = Array.from({ length: sizeBytes / 64 }, (_, index) =>
    createHash('sha512').update(`${text}/${index}`).digest(),
  );
  return Buffer.concat(blocks);
}
