import { defineRule } from '@plugfest/verifier';
import { grpc, rest, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { isUndeclaredExtension } from '../art/artifact-extensions.ts';
import { sentMessage } from '../sent-message.ts';
import { freshOutput } from './extended-objects.ts';
import { activated, extensionsOf, geo, requested } from './extensions.ts';
import { otherVersions } from './other-versions.ts';

const headers = { 'A2A-Extensions': geo } as const;
const reply = { message: v1.reply('There you are', { extensions: [geo] }) } as const;
const send = {
  method: 'SendMessage',
  params: { message: v1.message('Where am I?') },
} as const;
const chunk = v1.artifactUpdate('Rome', { artifact: v1.artifact('Rome', { extensions: [geo] }) });
const more = v1.artifactUpdate(', Italy', {
  artifact: v1.artifact(', Italy', { artifactId: 'artifact-2', extensions: [geo] }),
});

export default defineRule({
  id: 'EXT-010',
  level: 'SHOULD',
  party: 'server',
  summary: 'What an agent answers uses only extensions that were activated for the request.',
  spec: { '1.0': 'extensions topic' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { inactive: 'The answer uses {extension}, which the client did not ask for' },
  why: 'A client that does not know the extension shows its data to users, or stumbles over it.',
  fix: 'Use an extension only where `A2A-Extensions` of the request names it.',
  examples: {
    good: [
      [rpc({ ...send, headers, responseHeaders: headers, result: reply })],
      [
        grpc({
          method: 'SendMessage',
          metadata: { 'a2a-extensions': geo },
          request: send.params,
          response: reply,
        }),
      ],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          headers,
          responseHeaders: headers,
          body: send.params,
          response: reply,
        }),
      ],
    ],
    skip: [
      [rpc({ ...send, result: { message: v1.reply('There you are') } })],
      // A task may show extensions of an earlier request.
      [
        rpc({
          method: 'GetTask',
          params: { id: 'task-1' },
          result: v1.task('COMPLETED', { artifacts: [v1.artifact('Rome', { extensions: [geo] })] }),
        }),
      ],
      [
        rpc({
          ...send,
          params: { message: v1.message('And now?', { taskId: 'task-1', contextId: 'ctx-1' }) },
          result: {
            task: v1.task('COMPLETED', { artifacts: [v1.artifact('Rome', { extensions: [geo] })] }),
          },
        }),
      ],
      // What the client said is not what the agent answers, whatever role it has.
      [
        rpc({
          ...send,
          headers,
          params: { message: v1.message('Where am I?', { role: 'ROLE_AGENT', extensions: [geo] }) },
          result: {
            task: v1.task('WORKING', { history: [v1.message('Where am I?', { extensions: [geo] })] }),
          },
        }),
      ],
    ],
    bad: [
      { example: [rpc({ ...send, result: reply })], messages: ['inactive'] },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: send.params,
            events: [{ task: v1.task('WORKING') }, chunk, more, v1.statusUpdate('COMPLETED')],
          }),
        ],
        messages: ['inactive'],
      },
    ],
  },
  when: (exchange) => freshOutput(exchange).length > 0,
  check: (exchange, { conversation, report }) => {
    const active = new Set([
      ...requested(exchange),
      ...(activated(exchange) ?? []),
      ...extensionsOf(sentMessage(exchange)?.message.value),
    ]);
    const reported = new Set<string>();
    // One version in the place of another is EXT-006.
    const fallbacks = new Set(otherVersions(exchange, conversation).map(({ has }) => has));
    for (const { object, extensions, at } of freshOutput(exchange))
      for (const extension of extensions) {
        if (active.has(extension) || reported.has(extension) || fallbacks.has(extension)) continue;
        // In an artifact, what the card does not declare is ART-011.
        if (object.type === 'Artifact' && isUndeclaredExtension(extension, exchange, conversation)) continue;
        reported.add(extension);
        report('inactive', { data: { extension }, at, expected: 'no such extension', actual: extension });
      }
  },
});
