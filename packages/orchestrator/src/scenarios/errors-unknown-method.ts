import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';

export default defineScenario({
  id: 'errors-unknown-method',
  title: 'Unknown method',
  summary:
    'An operation that does not exist is refused: -32601 over JSON-RPC, 404 or 405 over HTTP+JSON, UNIMPLEMENTED over gRPC.',
  clients: 'raw',
  needs: [],
  hops: [{ from: 'client', to: 'server', min: 1 }],
  run: async (context: ScenarioContext) => {
    const answer = await context.probe.unknownMethod(`plugfestNoSuchMethod${context.random.hex(6)}`);
    if (context.dialect.binding === 'GRPC') {
      const { grpcStatus = 'none' } = answer;
      context.check('the status is UNIMPLEMENTED', grpcStatus === 'UNIMPLEMENTED', `it is ${grpcStatus}`);
      return;
    }
    const seen = `HTTP ${answer.status}, error code ${answer.errorCode ?? 'none'}`;
    if (context.dialect.binding === 'JSONRPC')
      context.check('the error is MethodNotFoundError', answer.errorCode === -32601, seen);
    else context.check('the status is 404 or 405', answer.status === 404 || answer.status === 405, seen);
    context.check('it is no server fault', answer.status < 500, seen);
  },
});
