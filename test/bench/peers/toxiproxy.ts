// Toxiproxy without a toxic: it passes bytes on, in as many threads as there are cores, and reads and records nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toxiproxy } from '../../../tools/reference-tools.ts';
import { freePort, ownFolder, serveProgram } from './program.ts';

const [port, control] = [await freePort(), await freePort()];
const config = join(ownFolder(), 'proxies.json');
const upstream = `127.0.0.1:${process.argv[2]}`;
writeFileSync(
  config,
  JSON.stringify([{ name: 'callee', listen: `127.0.0.1:${port}`, upstream, enabled: true }]),
);
const { command } = await toxiproxy();
await serveProgram(command, ['-host', '127.0.0.1', '-port', String(control), '-config', config], port);
