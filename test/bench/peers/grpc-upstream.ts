// The gRPC callee of the benchmarks: grpc-js, answering a unary call with bytes.
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { unary } from './grpc-unary.ts';
import type { Ready } from './messages.ts';

const answer = Buffer.alloc(1740, 'x');
const server = new Server();
server.addService(
  { GetTask: unary },
  {
    GetTask: (_call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => done(null, answer),
  },
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.send?.({ type: 'ready', port } satisfies Ready);
});
process.on('disconnect', () => process.exit(0));
