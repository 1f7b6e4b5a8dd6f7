// mitmproxy recording to a file: `mitmdump -w` in reverse mode.
import { join } from 'node:path';
import { mitmdump } from '../../../tools/reference-tools.ts';
import { freePort, ownFolder, serveProgram } from './program.ts';

const callee = `http://127.0.0.1:${process.argv[2]}`;
const port = await freePort();
const { command, args } = await mitmdump();
const recording = ['-q', '--mode', `reverse:${callee}`, '-w', join(ownFolder(), 'flows')];
await serveProgram(command, [...args, ...recording, '--listen-host', '127.0.0.1', '-p', String(port)], port);
