import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { errorText, requireOk } from '../scenario/expect.ts';

export default defineScenario({
  id: 'asked',
  title: 'Asked in words',
  summary:
    "The client agent is asked in the lab's words to send the server a message; where it does not call, Plugfest stands in.",
  clients: 'words',
  needs: [],
  // Which dialect it takes is the agent's own choice, so one cell is enough.
  mixed: true,
  applies: (_, dialect, { dialects }) => dialect === dialects[0],
  timeoutMs: 90_000,
  hops: [{ from: 'plugfest', to: 'client', operation: 'SendMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    const text = `plugfest-echo ${context.nonce()}`;
    const { answer, calls } = await context.ask(`send it the message "${text}"`);
    context.check(`${context.client} answers the one who asked`, answer.ok, errorText(answer.error));
    if (calls > 0) {
      context.check(`${context.client} calls ${context.server}`, true);
      return;
    }
    const standIn = await context.standIn();
    requireOk(
      context,
      `the send of plugfest in the place of ${context.client}`,
      await standIn.send({ text }),
    );
  },
});
