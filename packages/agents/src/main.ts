import { Console } from 'node:console';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadBehaviours } from './behaviours/table.ts';
import { type Fault, loadFaults } from './fault.ts';
import { type AgentOptions, readOptions, UsageError } from './options.ts';
import { addressesOf } from './server/address.ts';
import { createApp } from './server/app.ts';
import { bearerAuthentication } from './server/authentication.ts';
import { paths } from './server/card.ts';
import { listenGrpc } from './server/grpc.ts';
import { createRequestHandler } from './server/request-handler.ts';

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
  const fault = await findFault(options.fault);
  const behaviours = await loadBehaviours();
  const authentication = options.auth ? bearerAuthentication(options.principals) : undefined;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new UsageError(`cannot listen: ${error.message}`)));
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const grpc = options.bindings.includes('GRPC') ? await listenGrpc(options, authentication) : undefined;
  const addresses = addressesOf(options.host, port, grpc?.port);
  const requestHandler = createRequestHandler(options, addresses, behaviours);
  grpc?.serve(requestHandler);
  server.on('request', createApp({ options, requestHandler, authentication, fault, addresses }));
  stopWithParent();
  const ready = {
    ready: true,
    name: options.name,
    card: addresses.baseUrl + paths.card,
    ...(addresses.grpc && { origins: [`http://${addresses.grpc}`] }),
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

async function findFault(name: string | undefined): Promise<Fault | undefined> {
  if (name === undefined) return undefined;
  const faults = await loadFaults();
  const fault = faults.find((candidate) => candidate.name === name);
  if (!fault)
    throw new UsageError(`--fault ${name}: not one of ${faults.map((known) => known.name).join(', ')}`);
  return fault;
}

/** A parent that dies without a signal closes our stdin. */
function stopWithParent(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
  if (process.env.PLUGFEST_PARENT !== 'stdin') return;
  process.stdin.resume();
  for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => process.exit(0));
}
