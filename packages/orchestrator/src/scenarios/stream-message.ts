import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { clip, describe, requireOk } from '../scenario/expect.ts';

export default defineScenario({
  id: 'stream-message',
  title: 'Message stream',
  summary: 'A streaming send is answered with one message, and the stream ends.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    const result = await context.stream({ text: 'tck-message-response' });
    requireOk(context, 'SendStreamingMessage', result);
    const said = result.events.filter(({ kind }) => kind !== 'closed');
    const [message] = said;
    context.require('the stream tells a message', message?.kind === 'message', `got ${describe(message)}`);
    context.check('it is the only event', said.length === 1, `${said.length} events`);
    context.check('the text arrives', message.text === 'Direct message response', clip(message.text));
  },
});
