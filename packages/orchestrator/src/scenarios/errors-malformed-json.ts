import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';

export default defineScenario({
  id: 'errors-malformed-json',
  title: 'Malformed JSON',
  summary: 'A body that is no JSON is refused: -32700 over JSON-RPC, 400 over HTTP+JSON.',
  clients: 'raw',
  bindings: ['JSONRPC', 'HTTP+JSON'],
  needs: [],
  hops: [{ from: 'client', to: 'server', min: 2 }],
  run: async (context: ScenarioContext) => {
    for (const [what, body] of [
      ['a cut-off object', '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{'],
      ['text that is no JSON', 'plugfest says hello'],
    ] as const) {
      const answer = await context.probe.body('SendMessage', body);
      const seen = `HTTP ${answer.status}, error code ${answer.errorCode ?? 'none'}`;
      if (context.dialect.binding === 'JSONRPC')
        context.check(`${what} gets JSONParseError`, answer.errorCode === -32700, seen);
      else context.check(`${what} gets the status 400`, answer.status === 400, seen);
    }
  },
});
