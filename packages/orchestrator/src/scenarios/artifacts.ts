import type { DriveContent } from '../driver/drive.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireTask } from '../scenario/expect.ts';
import { carries } from '../scenario/parts.ts';
import { sameJson } from '../scenario/same-json.ts';

interface Wanted extends DriveContent {
  readonly prefix: string;
}

const kinds: readonly Wanted[] = [
  { prefix: 'tck-artifact-text', kind: 'text', content: 'Generated text content' },
  {
    prefix: 'tck-artifact-file',
    kind: 'raw',
    content: 'dGNr',
    filename: 'output.txt',
    mediaType: 'text/plain',
  },
  {
    prefix: 'tck-artifact-file-url',
    kind: 'url',
    content: 'https://example.com/output.txt',
    filename: 'output.txt',
    mediaType: 'text/plain',
  },
  { prefix: 'tck-artifact-data', kind: 'data', content: { key: 'value', count: 42 } },
];

export default defineScenario({
  id: 'artifacts',
  title: 'Artifacts',
  summary: 'Text, file by value, file by URL and data arrive as artifacts of finished tasks.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: kinds.length }],
  run: async (context: ScenarioContext) => {
    for (const { prefix, ...wanted } of kinds) {
      const task = requireTask(context, prefix, await context.send({ text: prefix }));
      checkState(context, `the task of ${prefix}`, task.state, 'TASK_STATE_COMPLETED');
      const [artifact, ...others] = task.artifacts;
      context.require(
        `${prefix} brings one artifact`,
        artifact !== undefined && others.length === 0,
        `it brings ${task.artifacts.length}`,
      );
      if (wanted.kind === 'text')
        context.check(`${prefix} brings its text`, artifact.text === wanted.content, clip(artifact.text));
      // An agent's drive result tells the text of artifacts only; what else is in them is in the capture.
      if (!artifact.contents) continue;
      const [content] = artifact.contents;
      context.check(
        `${prefix} brings ${wanted.kind}`,
        content?.kind === wanted.kind,
        content?.kind ?? 'no part',
      );
      context.check(
        `${prefix}: the content arrives`,
        sameJson(content?.content, wanted.content),
        clip(JSON.stringify(content?.content) ?? 'none'),
      );
      for (const member of ['filename', 'mediaType'] as const) {
        if (wanted[member] === undefined || !carries(context.dialect, wanted.kind, member)) continue;
        context.check(
          `${prefix}: the ${member} arrives`,
          content?.[member] === wanted[member],
          content?.[member] ?? 'none',
        );
      }
    }
  },
});
