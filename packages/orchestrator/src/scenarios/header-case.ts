import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { toldBy } from '../scenario/raw-answer.ts';

export default defineScenario({
  id: 'header-case',
  title: 'Header case',
  summary: 'The name of the version header is read in whatever case it is written.',
  clients: 'raw',
  versions: ['1.0'],
  // Names of gRPC metadata are in lower case on the wire.
  bindings: ['JSONRPC', 'HTTP+JSON'],
  needs: [],
  hops: [{ from: 'client', to: 'server', operation: 'GetTask', min: 4 }],
  run: async (context: ScenarioContext) => {
    const ask = (name: string, version: string) =>
      context.probe.request('GetTask', { id: `no-such-task-${context.random.hex(16)}` }, { [name]: version });
    for (const version of ['1.0', '99.0']) {
      const usual = await ask('A2A-Version', version);
      for (const name of ['a2a-version', 'A2A-VERSION', 'a2A-vErSiOn']) {
        const answer = await ask(name, version);
        // A2A 1.0 section 3.2.6.
        context.check(
          `${name}: ${version} is read as A2A-Version: ${version} is`,
          answer.status === usual.status && answer.errorName === usual.errorName,
          `${toldBy(answer)}, where it was ${toldBy(usual)}`,
        );
      }
      if (version === '99.0')
        context.check(
          'the version is looked at',
          usual.errorName === 'VersionNotSupportedError',
          toldBy(usual),
        );
    }
  },
});
