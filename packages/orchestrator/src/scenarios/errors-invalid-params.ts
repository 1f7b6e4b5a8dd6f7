import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';

export default defineScenario({
  id: 'errors-invalid-params',
  title: 'Missing message',
  summary:
    'A send without a message is refused: -32602 over JSON-RPC, 400 over HTTP+JSON, INVALID_ARGUMENT over gRPC.',
  clients: 'raw',
  needs: [],
  hops: [{ from: 'client', to: 'server', min: 1 }],
  run: async (context: ScenarioContext) => {
    const { binding, version } = context.dialect;
    if (binding === 'GRPC') {
      const { grpcStatus = 'none' } = await context.probe.body('SendMessage', '');
      context.check(
        'the status is INVALID_ARGUMENT',
        grpcStatus === 'INVALID_ARGUMENT',
        `it is ${grpcStatus}`,
      );
      return;
    }
    const method = version === '1.0' ? 'SendMessage' : 'message/send';
    const body = binding === 'JSONRPC' ? { jsonrpc: '2.0', id: 1, method, params: {} } : {};
    const answer = await context.probe.body('SendMessage', JSON.stringify(body));
    const seen = `HTTP ${answer.status}, error code ${answer.errorCode ?? 'none'}`;
    if (binding === 'JSONRPC')
      context.check('the error is InvalidParamsError', answer.errorCode === -32602, seen);
    else context.check('the status is 400', answer.status === 400, seen);
  },
});
