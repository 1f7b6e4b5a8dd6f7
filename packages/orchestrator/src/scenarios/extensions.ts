import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireOk, requireTask, viewStream } from '../scenario/expect.ts';
import { anotherVersion } from '../scenario/extension-version.ts';
import { toldBy } from '../scenario/raw-answer.ts';

export default defineScenario({
  id: 'extensions',
  title: 'Extensions',
  summary:
    'The client asks for extensions that the server does not have, or not in that version: they are ignored, and the calls go on.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const wanted = ['v1', 'v2'].map((version) => `https://plugfest.example/${context.nonce()}/${version}`);
    const wishing = context.with({ extensions: wanted });
    const nonce = context.nonce();
    // A2A 1.0 section 4.6.3: an extension that is not supported is ignored, unless the card requires it.
    const task = requireTask(
      context,
      'a send that asks for extensions',
      await wishing.send({ text: `plugfest-echo ${nonce}` }),
    );
    context.check('it is carried out', task.text === nonce, clip(task.text) || 'no text');
    const streamed = await wishing.stream({ text: `plugfest-echo ${context.nonce()}` });
    requireOk(context, 'a stream that asks for extensions', streamed);
    const { lastState } = viewStream(streamed.events);
    checkState(context, 'the last state', lastState ?? 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_COMPLETED');
    if (context.client === 'plugfest' && context.dialect.version === '1.0')
      await checkAnswer(context, wanted);
    const [offered] = context.offers.offeredExtensions;
    if (offered !== undefined) await checkVersions(context, offered);
  },
});

/** An agent that has another version than the one that is asked for leaves it inactive (A2A 1.0 section 4.6.3). */
async function checkVersions(context: ScenarioContext, offered: string): Promise<void> {
  const other = anotherVersion(offered);
  const text = () => ({ text: `plugfest-echo ${context.nonce()}` });
  const wishing = context.with({ extensions: [other] });
  requireTask(context, 'a send that asks for another version', await wishing.send(text()));
  requireOk(context, 'a stream that asks for another version', await wishing.stream(text()));
  const asking = context.with({ extensions: [offered] });
  requireTask(context, 'a send that asks for what the card offers', await asking.send(text()));
  if (context.client !== 'plugfest' || context.dialect.version !== '1.0') return;
  const active = await activeFor(context, 'a call that asks for another version', [other]);
  context.check('no other version is said to be in use', !active.includes(offered), clip(active.join(', ')));
}

/** Only Plugfest's own client shows headers; a server that names an extension there says that it is in use. */
async function checkAnswer(context: ScenarioContext, wanted: readonly string[]): Promise<void> {
  const active = await activeFor(context, 'a call that asks for extensions', wanted);
  context.check(
    'none of them is said to be in use',
    !wanted.some((uri) => active.includes(uri)),
    clip(active.join(', ')),
  );
}

/** The extensions that the answer to a send says are in use, where these are asked for. */
async function activeFor(
  context: ScenarioContext,
  what: string,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const message = {
    messageId: context.messageId(),
    role: 'ROLE_USER',
    parts: [{ text: `plugfest-echo ${context.nonce()}` }],
  };
  const headers = { 'A2A-Extensions': [...context.offers.requiredExtensions, ...wanted].join(', ') };
  const answer = await context.probe.request('SendMessage', { message }, headers);
  context.check(`${what} succeeds`, answer.ok, toldBy(answer));
  return (answer.headers['a2a-extensions'] ?? '').split(',').map((uri) => uri.trim());
}
