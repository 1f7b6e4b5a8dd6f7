import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { versionOf } from '../../../tools/reference-tools.ts';
import { freePort, startProcess } from '../child-process.ts';
import type { Forwarder } from '../forwarder.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

export default {
  name: 'httpxy',
  about: async () =>
    `httpxy ${versionOf(join(modules, 'httpxy'))} with a keep-alive agent and an error listener`,
  start: async (calleePort) => {
    const port = await freePort();
    const script = fileURLToPath(new URL('../references/httpxy.mjs', import.meta.url));
    return startProcess(process.execPath, [script, String(port), String(calleePort)], port);
  },
} satisfies Forwarder;
