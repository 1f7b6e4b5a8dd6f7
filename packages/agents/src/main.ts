import { Console } from 'node:console';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadBehaviours } from './behaviours/table.ts';
import { type Fault, loadFaults } from './fault.ts';
import { type AgentOptions, readOptions, UsageError } from './options.ts';
import { createApp } from './server/app.ts';
import { paths } from './server/card.ts';

// Stdout carries the ready line only, and the SDK logs with console.info.
globalThis.console = new Console(process.stderr, process.stderr);

try {
  await start(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function start(options: AgentOptions): Promise<void> {
  const fault = await findFault(options.fault);
  const behaviours = await loadBehaviours();
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new UsageError(`cannot listen: ${error.message}`)));
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const everywhere = options.host === '0.0.0.0' || options.host === '::';
  const host = everywhere ? '127.0.0.1' : options.host;
  const own = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  // An agent bound to every address cannot know its name; whoever reads the card has just used it.
  const baseUrl = (reader: string | undefined) => (everywhere && reader ? `http://${reader}` : own);
  server.on('request', createApp({ options, behaviours, fault, baseUrl }));
  stopWithParent();
  process.stdout.write(`${JSON.stringify({ ready: true, name: options.name, card: own + paths.card })}\n`);
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
