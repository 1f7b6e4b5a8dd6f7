import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { clip, describe, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'auth-nobody',
  title: 'No credentials',
  summary: 'A client without credentials is refused and says so; with them, the same call succeeds.',
  clients: 'any',
  needs: ['auth', 'behaviours', 'streaming'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 2 },
    { from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const nobody = context.probing.with({ as: 'nobody' });
    const text = `plugfest-echo ${context.nonce()}`;
    const sent = await nobody.send({ text });
    context.check(
      'a send without credentials is refused',
      !sent.ok,
      `it succeeded with ${describe(sent.events[0])}`,
    );
    const streamed = await nobody.stream({ text });
    context.check(
      'a stream without credentials is refused',
      !streamed.ok,
      `it succeeded with ${describe(streamed.events[0])}`,
    );
    const nonce = context.nonce();
    const task = requireTask(
      context,
      'a send with credentials',
      await context.send({ text: `plugfest-echo ${nonce}` }),
    );
    context.check('it is carried out', task.text === nonce, clip(task.text) || 'no text');
  },
});
