import type { JsonObject } from '@plugfest/model';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkPartsReturn } from '../scenario/parts.ts';

/** Whatever JSON can say that survives a double: the protocol carries data as google.protobuf.Value. */
function everythingJsonSays(nonce: string): JsonObject {
  return {
    nonce,
    text: 'é € 😀 "quoted" \\ \n',
    numbers: [0, -1, 1.5, 1e21, 2 ** 53 - 1, Number.MIN_VALUE],
    flags: [true, false],
    nothing: null,
    empty: { object: {}, list: [], text: '' },
    deep: { a: { b: { c: [{ d: [[1], [2, [3]]] }] } } },
    'a key with spaces, é and .': 'x',
  };
}

export default defineScenario({
  id: 'structured-data',
  title: 'Structured data',
  summary: 'Nested data with every kind of JSON value goes to the server and comes back unchanged.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    await checkPartsReturn(context, 'structured data', [
      { data: everythingJsonSays(context.nonce()), mediaType: 'application/json' },
    ]);
  },
});
