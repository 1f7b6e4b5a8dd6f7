import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { clip, describe, requireOk } from '../scenario/expect.ts';

export default defineScenario({
  id: 'direct-message',
  title: 'Message',
  summary: 'The server answers with a message and no task.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    const result = await context.send({ text: 'tck-message-response' });
    requireOk(context, 'SendMessage', result);
    const [message] = result.events;
    context.require(
      'SendMessage answers with a message',
      message?.kind === 'message',
      `got ${describe(message)}`,
    );
    context.check('the message has an id', message.messageId !== '', 'messageId is empty');
    context.check('the agent speaks', message.role === 'ROLE_AGENT', message.role);
    context.check('the text arrives', message.text === 'Direct message response', clip(message.text));
  },
});
