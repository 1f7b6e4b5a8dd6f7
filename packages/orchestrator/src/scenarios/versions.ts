import type { RawAnswer, ScenarioContext } from '../scenario/context.ts';
import { defineScenario, type ServerOffer } from '../scenario/define.ts';
import { toldBy } from '../scenario/raw-answer.ts';

export default defineScenario({
  id: 'versions',
  title: 'Versions',
  summary:
    'A version that does not exist is refused, a patch number makes no difference, and no version at all means 0.3.',
  clients: 'raw',
  versions: ['1.0'],
  needs: [],
  hops: [{ from: 'client', to: 'server', operation: 'GetTask', min: 3 }],
  run: async (context: ScenarioContext) => {
    // A task that nobody has: the version is looked at before the task.
    const ask = (version: string | undefined) =>
      context.probe.request(
        'GetTask',
        { id: `no-such-task-${context.random.hex(16)}` },
        { 'A2A-Version': version },
      );
    checkVersionRefused(context, 'version 99.0', await ask('99.0'));
    const plain = await ask('1.0');
    const patched = await ask('1.0.7');
    context.check(
      'version 1.0.7 is taken as 1.0 (A2A 1.0 section 3.6)',
      patched.errorName === plain.errorName && patched.status === plain.status,
      `1.0: ${toldBy(plain)}; 1.0.7: ${toldBy(patched)}`,
    );
    if (!speaks03(context.offers, context))
      checkVersionRefused(context, 'a call without a version', await ask(undefined));
  },
});

function checkVersionRefused(context: ScenarioContext, what: string, answer: RawAnswer): void {
  context.check(
    `${what} is refused with VersionNotSupportedError`,
    answer.errorName === 'VersionNotSupportedError',
    toldBy(answer),
  );
}

/** Then a call without a version is one of 0.3, and means whatever it means there. */
function speaks03(offers: ServerOffer, { dialect }: ScenarioContext): boolean {
  return offers.dialects.some(({ binding, version }) => binding === dialect.binding && version === '0.3');
}
