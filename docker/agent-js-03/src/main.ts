import { Console } from 'node:console';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressesOf } from './address.ts';
import { bearerAuthentication } from './authentication.ts';
import { agentCard, paths } from './card.ts';
import { type AgentOptions, readOptions, UsageError } from './options.ts';
import { createApp, createRequestHandler, listenGrpc } from './server.ts';
import { signCard } from './signing.ts';

// Stdout carries the ready line only, and the SDK logs with console.info.
globalThis.console = new Console(process.stderr, process.stderr);

try {
  await start(readOptions(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  // At once: what listens already must not keep the process.
  process.exit(2);
}

async function start(options: AgentOptions): Promise<void> {
  const authentication = options.auth ? bearerAuthentication(options.principals) : undefined;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new UsageError(`cannot listen: ${error.message}`)));
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const grpc = options.bindings.includes('GRPC') ? await listenGrpc(options, authentication) : undefined;
  const addresses = addressesOf(options.host, port, grpc?.port);
  const card = agentCard(options, addresses);
  const signed = options.signCard ? await signCard(card, addresses.baseUrl + paths.keys) : undefined;
  const requestHandler = createRequestHandler(options, card, signed);
  grpc?.serve(requestHandler);
  server.on('request', createApp(options, requestHandler, authentication, signed?.keys));
  stopWithParent();
  const ready = {
    ready: true,
    name: options.name,
    card: addresses.baseUrl + paths.card,
    ...(addresses.grpc && { origins: [`http://${addresses.grpc}`] }),
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

/** A parent that dies without a signal closes our stdin. */
function stopWithParent(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
  if (process.env.PLUGFEST_PARENT !== 'stdin') return;
  process.stdin.resume();
  for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => process.exit(0));
}
