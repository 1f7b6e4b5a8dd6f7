import { mitmdump, mitmproxyVersion } from '../../../tools/reference-tools.ts';
import { freePort, startProcess } from '../child-process.ts';
import type { Forwarder } from '../forwarder.ts';

export default {
  name: 'mitmproxy, streaming',
  about: async () =>
    `\`mitmdump\` ${await mitmproxyVersion()} in reverse mode with \`stream_large_bodies=1\`, so that it keeps no bodies`,
  start: async (calleePort) => {
    const port = await freePort();
    const { command, args } = await mitmdump();
    const options = [
      '--set',
      'stream_large_bodies=1',
      '--quiet',
      '--mode',
      `reverse:http://127.0.0.1:${calleePort}`,
      '--listen-host',
      '127.0.0.1',
    ];
    return startProcess(command, [...args, ...options, '--listen-port', String(port)], port);
  },
} satisfies Forwarder;
