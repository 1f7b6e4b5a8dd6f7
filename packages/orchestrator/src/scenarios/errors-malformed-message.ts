import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'errors-malformed-message',
  title: 'Malformed message',
  summary: 'Bytes that are no protobuf message are refused with a status of gRPC, and the server goes on.',
  clients: 'raw',
  bindings: ['GRPC'],
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', min: 3 }],
  run: async (context: ScenarioContext) => {
    for (const [what, bytes] of [
      ['a field of a wire type that ends a group', '\u0074'],
      ['text', 'plugfest says hello'],
    ] as const) {
      const { grpcStatus = 'none' } = await context.probe.body('SendMessage', bytes);
      // gRPC leaves it to the implementation: INTERNAL by most, also INVALID_ARGUMENT.
      context.check(
        `${what} gets a status that is no success`,
        !['none', 'OK'].includes(grpcStatus),
        grpcStatus,
      );
    }
    requireTask(
      context,
      'the send after that',
      await context.send({ text: `plugfest-echo ${context.nonce()}` }),
    );
  },
});
