import type { DriveResult } from '../driver/drive.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, errorText, requireOk, requireTask, viewStream } from '../scenario/expect.ts';
import { anotherVersion } from '../scenario/extension-version.ts';
import { toldBy } from '../scenario/raw-answer.ts';

export default defineScenario({
  id: 'extension-required',
  title: 'Required extension',
  summary:
    'The card requires an extension: messages that do not ask for it are refused, and those that do are served.',
  clients: 'any',
  needs: ['streaming', 'behaviours', 'requiresExtension'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 2 },
    { from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 2 },
  ],
  run: async (context: ScenarioContext) => {
    const [uri = ''] = context.offers.requiredExtensions;
    const text = () => ({ text: `plugfest-echo ${context.nonce()}` });
    const unaware = context.probing.with({ ignoresRequired: true });
    checkRefusal(context, 'a send without it', await unaware.send(text()));
    checkRefusal(context, 'a stream without it', await unaware.stream(text()));
    // A2A 1.0 section 4.6.3: no agent falls back to another version of an extension.
    const other = context.probing.with({ ignoresRequired: true, extensions: [anotherVersion(uri)] });
    checkRefusal(context, 'a send with another version of it', await other.send(text()));

    const nonce = context.nonce();
    const sent = await context.send({ text: `plugfest-echo ${nonce}` });
    const task = requireTask(context, 'a send that asks for it', sent);
    context.check('it is carried out', task.text === nonce, clip(task.text) || 'no text');
    const streamed = await context.stream(text());
    requireOk(context, 'a stream that asks for it', streamed);
    const { lastState } = viewStream(streamed.events);
    checkState(context, 'the last state', lastState ?? 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_COMPLETED');
    if (context.client === 'plugfest') await checkActivation(context, uri);
  },
});

/**
 * 1.0 has an error for it (section 3.3.4). In 0.3 it is a topic beside the text, which wants an error that is
 * appropriate and names none.
 */
function checkRefusal(context: ScenarioContext, what: string, result: DriveResult): void {
  context.require(`${what} is refused`, !result.ok, 'it was served');
  const { error } = result;
  context.require(`${what} reaches the server`, error?.name !== 'NoMatchingInterface', errorText(error));
  if (context.dialect.version !== '1.0') return;
  const isIt = error?.name === 'ExtensionSupportRequiredError' || error?.code === -32008;
  context.check(`${what} is refused with ExtensionSupportRequiredError`, isIt, errorText(error));
}

/** Only Plugfest's own client shows headers. That the answer names what is active is a SHOULD of the topic Extensions. */
async function checkActivation(context: ScenarioContext, uri: string): Promise<void> {
  // 0.3 had the name with the X.
  const name = context.dialect.version === '1.0' ? 'A2A-Extensions' : 'X-A2A-Extensions';
  const parts = [{ text: `plugfest-echo ${context.nonce()}` }];
  const message = { messageId: context.messageId(), role: 'ROLE_USER', parts };
  const answer = await context.probe.request('SendMessage', { message }, { [name]: uri });
  context.check(`a call with ${name} succeeds`, answer.ok, toldBy(answer));
  const active = answer.headers[name.toLowerCase()] ?? '';
  const listed = active.split(',').map((each) => each.trim());
  context.advise(`the answer names the extension in ${name}`, listed.includes(uri), {
    section: '4.6 (topic Extensions)',
    detail: clip(active) || 'there is no such header',
  });
}
