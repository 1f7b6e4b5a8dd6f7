export type { Example, ExampleExchange } from './example.ts';
export type { More } from './protocol-objects.ts';
export { v1, v03 } from './protocol-objects.ts';
export { deliver, getCard, rest, restError, restStream, restV03, rpc, rpcStream } from './traffic.ts';
