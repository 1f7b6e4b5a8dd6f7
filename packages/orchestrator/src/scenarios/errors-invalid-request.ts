import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';

export default defineScenario({
  id: 'errors-invalid-request',
  title: 'No request',
  summary: 'JSON that is no JSON-RPC request is refused with -32600.',
  clients: 'raw',
  bindings: ['JSONRPC'],
  needs: [],
  hops: [{ from: 'client', to: 'server', min: 1 }],
  run: async (context: ScenarioContext) => {
    const answer = await context.probe.body('SendMessage', '{"not":"a request"}');
    const seen = `HTTP ${answer.status}, error code ${answer.errorCode ?? 'none'}`;
    context.check('the error is InvalidRequestError', answer.errorCode === -32600, seen);
  },
});
