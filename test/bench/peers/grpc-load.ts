// The gRPC caller of the benchmarks: grpc-js, one call after the other on each connection.
import { Client, credentials } from '@grpc/grpc-js';
import { unary } from './grpc-unary.ts';
import type { Order, Ready } from './messages.ts';
import { summary } from './summary.ts';

const ask = Buffer.alloc(820, 'x');

async function calls({ port, connections, durationMs }: Order): Promise<void> {
  const samples: number[] = [];
  const started = performance.now();
  const deadline = started + durationMs;
  const one = async (): Promise<void> => {
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
      // Else clients of one process share a connection.
      'grpc.use_local_subchannel_pool': 1,
    });
    const call = (): Promise<void> =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          unary.path,
          unary.requestSerialize,
          unary.responseDeserialize,
          ask,
          (error) => (error === null ? resolve() : reject(error)),
        );
      });
    await call();
    while (performance.now() < deadline) {
      const at = performance.now();
      await call();
      samples.push((performance.now() - at) * 1000);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, one));
  process.send?.(summary(samples, performance.now() - started));
}

process.on('message', (order: Order) => {
  calls(order).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ type: 'ready', port: 0 } satisfies Ready);
