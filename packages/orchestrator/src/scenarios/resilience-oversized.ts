import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { clip, describe, requireTask } from '../scenario/expect.ts';

const sizeBytes = 6 * 1024 * 1024;
const burst = 32;

export default defineScenario({
  id: 'resilience-oversized',
  title: 'Oversized',
  summary: 'Neither a message of 6 MiB, refused or not, nor a burst of sends keeps the server from others.',
  // An agent is told by a message, which would have to carry the other one first.
  clients: 'raw',
  versions: ['1.0'],
  needs: ['behaviours'],
  faults: true,
  timeoutMs: 60_000,
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 2 }],
  run: async (context: ScenarioContext) => {
    const text = `plugfest-echo ${'x'.repeat(sizeBytes)}`;
    const large = await context.probing.send({ text }, { historyLength: 0 });
    // Limits are recommended, without a number. How an agent says so is its own matter, a broken connection included.
    context.advise('a message of 6 MiB is refused', !large.ok, {
      section: '13.4',
      detail: `it succeeded with ${describe(large.events[0])}`,
    });
    const nonce = context.nonce();
    const [answer] = await Promise.all([
      context.send({ text: `plugfest-echo ${nonce}` }),
      // Whether some of these are refused is up to the server; it is not to fall over them.
      ...Array.from({ length: burst }, () =>
        context.probing.send({ text: `plugfest-echo ${context.nonce()}` }),
      ),
    ]);
    const task = requireTask(context, 'a send beside the burst', answer);
    context.check('it is carried out', task.text === nonce, clip(task.text) || 'no text');
  },
});
