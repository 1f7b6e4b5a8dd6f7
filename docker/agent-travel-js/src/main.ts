import { Console } from 'node:console';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { type Options, readOptions, UsageError } from './options.ts';
import { appOf, cardOf, cardPath, listenGrpc, requestHandlerOf } from './server.ts';

// Stdout carries the ready line only, and the SDK logs with console.info.
globalThis.console = new Console(process.stderr, process.stderr);

try {
  await start(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`travel agent: ${error.message}\n`);
  // At once: what listens already must not keep the process.
  process.exit(2);
}

async function start(options: Options): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new UsageError(`cannot listen: ${error.message}`)));
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const grpc = options.bindings.includes('GRPC') ? await listenGrpc(options) : undefined;
  // An agent that listens on all addresses is reached by its machine's name, as in a compose network.
  const host = options.host === '0.0.0.0' || options.host === '::' ? hostname() : options.host;
  const named = host.includes(':') ? `[${host}]` : host;
  const address = { base: `http://${named}:${port}`, grpc: grpc && `${named}:${grpc.port}` };
  const card = cardOf(options, address);
  const requestHandler = requestHandlerOf(options, card);
  grpc?.serve(requestHandler);
  server.on('request', appOf(options, card, requestHandler));
  stopWithParent();
  const origins = address.grpc === undefined ? {} : { origins: [`http://${address.grpc}`] };
  const ready = { ready: true, name: options.name, card: address.base + cardPath, ...origins };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

/** A parent that dies without a signal closes our stdin. */
function stopWithParent(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
  if (process.env.PLUGFEST_PARENT !== 'stdin') return;
  process.stdin.resume();
  for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => process.exit(0));
}
