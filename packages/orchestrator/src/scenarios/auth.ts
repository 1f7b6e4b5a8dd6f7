import type { RawAnswer, ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { toldBy } from '../scenario/raw-answer.ts';

export default defineScenario({
  id: 'auth',
  title: 'Credentials',
  summary:
    'Calls without credentials, in another scheme or with a token that nobody was given are refused; the card is there for all.',
  clients: 'raw',
  needs: ['auth'],
  hops: [{ from: 'client', to: 'server', operation: 'GetTask', min: 4 }],
  run: async (context: ScenarioContext) => {
    const [principal = ''] = context.principals;
    const card = await context.call({ op: 'GetAgentCard' });
    context.check('the card comes without credentials', card.ok, card.error?.message ?? 'it did not');
    const bad: readonly (readonly [string, string | undefined])[] = [
      ['without credentials', undefined],
      ['with the scheme Basic', `Basic ${Buffer.from(`${principal}:${context.nonce()}`).toString('base64')}`],
      ['with a token that nobody was given', `Bearer ${context.random.hex(32)}`],
      ['with an empty token', 'Bearer '],
    ];
    const id = `no-such-task-${context.random.hex(16)}`;
    const message = (text: string) => ({
      message: { messageId: context.messageId(), role: 'ROLE_USER', parts: [{ text }] },
    });
    for (const [what, authorization] of bad) {
      checkRefused(
        context,
        `GetTask ${what}`,
        await context.probe.request('GetTask', { id }, { authorization }),
      );
      const sent = message(`plugfest-echo ${context.nonce()}`);
      checkRefused(
        context,
        `SendMessage ${what}`,
        await context.probe.request('SendMessage', sent, { authorization }),
      );
    }
    const good = await context.probe.request('GetTask', { id }, context.credentials(principal));
    context.check(
      'with its credentials the same call gets to the task that is not there',
      good.errorName === 'TaskNotFoundError',
      toldBy(good),
    );
  },
});

/** A2A 1.0 section 3.3.2; JSON-RPC may say it in an error of its own, over HTTP 200. */
function checkRefused(context: ScenarioContext, what: string, answer: RawAnswer): void {
  context.check(`${what} is refused`, !answer.ok, toldBy(answer));
  context.check(
    `${what} is not answered as if somebody were known`,
    answer.errorName !== 'TaskNotFoundError',
    toldBy(answer),
  );
  if (context.dialect.binding === 'HTTP+JSON')
    context.check(`${what} is answered with 401`, answer.status === 401, toldBy(answer));
  if (context.dialect.binding === 'GRPC')
    context.check(
      `${what} ends with UNAUTHENTICATED`,
      answer.grpcStatus === 'UNAUTHENTICATED',
      toldBy(answer),
    );
}
