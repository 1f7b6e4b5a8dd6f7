export type { Example, ExampleExchange, GrpcExampleExchange, HttpExampleExchange } from './example.ts';
export { grpc, grpcBytes, grpcError, grpcFrame, grpcStream } from './grpc-traffic.ts';
export type { More } from './protocol-objects.ts';
export { v1, v03 } from './protocol-objects.ts';
export { exampleText } from './text.ts';
export { timed } from './timed.ts';
export {
  deliver,
  getCard,
  rest,
  restError,
  restStream,
  restV03,
  rpc,
  rpcStream,
  unanswered,
} from './traffic.ts';
export { dialects, type Target, translate, whyNot } from './translation/index.ts';
