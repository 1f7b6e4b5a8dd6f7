import type { Dialect, DriveError } from '../driver/drive.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { clip, describe, errorText, requireTask } from '../scenario/expect.ts';
import { sameJson } from '../scenario/same-json.ts';

export default defineScenario({
  id: 'output-modes',
  title: 'Output modes',
  summary:
    'The artifact comes as text or as JSON, as the client accepts it; what the server cannot make is refused.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 3 }],
  run: async (context: ScenarioContext) => {
    for (const mode of ['text/plain', 'application/json'] as const) {
      const nonce = context.nonce();
      const result = await context.send({ text: `plugfest-modes ${nonce}` }, { acceptedOutputModes: [mode] });
      const task = requireTask(context, `a send that accepts ${mode}`, result);
      const [artifact, ...others] = task.artifacts;
      context.require(
        `one artifact comes for ${mode}`,
        artifact !== undefined && others.length === 0,
        `${task.artifacts.length} come`,
      );
      if (mode === 'text/plain')
        context.check('the text is the nonce', artifact.text === nonce, clip(artifact.text) || 'no text');
      else context.check('no text comes where JSON is accepted', artifact.text === '', clip(artifact.text));
      // A client may tell the text of artifacts only; what else is in them is in the capture.
      const [content, ...more] = artifact.contents ?? [];
      if (content === undefined) continue;
      context.check(`the artifact for ${mode} has one part`, more.length === 0, `${more.length + 1} parts`);
      context.check(
        `the part is of ${mode}`,
        mode === 'text/plain' ? content.kind === 'text' : content.kind === 'data',
        content.kind,
      );
      if (content.kind === 'data')
        context.check(
          'the data has the nonce',
          sameJson(content.content, { nonce }),
          clip(JSON.stringify(content.content) ?? 'none'),
        );
    }
    const result = await context.send(
      { text: `plugfest-modes ${context.nonce()}` },
      { acceptedOutputModes: ['image/x-plugfest-none'] },
    );
    const [event] = result.events;
    const rejected = event?.kind === 'task' && event.state === 'TASK_STATE_REJECTED';
    // The one where the SDK lets an agent refuse before there is a task, the other where it does not.
    context.check(
      'a mode that nobody can make is refused or rejected',
      rejected || (!result.ok && refuses(context.dialect, result.error)),
      result.ok ? `it succeeded with ${describe(event)}` : errorText(result.error),
    );
  },
});

/** 0.3 gives the error a code in JSON-RPC (section 8.2), and nothing in the other bindings. */
function refuses({ binding, version }: Dialect, error: DriveError | undefined): boolean {
  if (version === '0.3' && binding !== 'JSONRPC') return error !== undefined;
  return error?.name === 'ContentTypeNotSupportedError' || error?.code === -32005;
}
