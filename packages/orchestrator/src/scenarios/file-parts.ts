import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkPartsReturn } from '../scenario/parts.ts';

/** A type that lab agents declare, and in which every byte is a character. */
const latin1 = 'text/plain;charset=iso-8859-1';

/** Every value that a byte can have, so that no text encoding of them goes unnoticed. */
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, value) => value));

export default defineScenario({
  id: 'file-parts',
  title: 'File parts',
  summary: 'Files by value and by URL, with names beyond ASCII, go to the server and come back unchanged.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 2 }],
  run: async (context: ScenarioContext) => {
    await checkPartsReturn(context, 'a file by value', [
      { raw: everyByte.toString('base64'), mediaType: latin1, filename: 'übung 1.txt' },
    ]);
    await checkPartsReturn(context, 'a file by URL and one by value', [
      { url: 'https://example.com/a?b=c&d=%C3%A9', mediaType: 'application/json', filename: 'data.json' },
      { raw: everyByte.subarray(0, 1).toString('base64'), mediaType: 'text/plain', filename: 'nul.txt' },
    ]);
  },
});
