import type { PartView, Payload } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpc, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { v03 as legacy } from '../grpc/calls.ts';
import { placeOf } from '../sent-message.ts';
import { shownStatus } from '../shown-state.ts';

/** Beyond this many bytes a file is large: each hop, log and history carries a third more in Base64. */
const largeBytes = 65_536;

const withRaw = (bytes: number) =>
  rpc({
    method: 'SendMessage',
    params: {
      message: v1.message('see the file', {
        parts: [{ raw: Buffer.alloc(bytes).toString('base64'), mediaType: 'image/png' }],
      }),
    },
    result: { task: v1.task('COMPLETED') },
  });

const file = { raw: Buffer.alloc(largeBytes + 1024).toString('base64'), mediaType: 'image/png' };
const saysFile = v1.reply('file', { taskId: 'task-1', parts: [file] });

export default defineRule({
  id: 'GUIDE-011',
  level: 'INFO',
  party: 'sender',
  summary: 'Large files travel as URLs and not inside of messages.',
  spec: {
    '0.2': 'Guide: Messages and parts',
    '0.3': 'Guide: Messages and parts',
    '1.0': 'Guide: Messages and parts',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { large: 'A part holds a file of about {kib} KiB' },
  why: 'Every hop copies it, every history repeats it, and some agent on the way has a limit that it does not fit into. Small deployments may do without file storage, so it is noted only.',
  fix: 'Put the file where the other side can fetch it, and send a URL that is short-lived, meant for that agent, and comes with a hash.',
  examples: {
    good: [
      [withRaw(100)],
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: {
            message: v03.message('see the file', {
              parts: [{ kind: 'file', file: { bytes: 'aGVsbG8=', mimeType: 'text/plain' } }],
            }),
          },
          result: v03.task('completed'),
        }),
      ],
    ],
    skip: [
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      { example: [withRaw(largeBytes + 1024)], messages: ['large'] },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [
              { task: v1.task('SUBMITTED', { status: v1.status('SUBMITTED', { message: saysFile }) }) },
              v1.statusUpdate('WORKING', { status: v1.status('WORKING', { message: saysFile }) }),
              v1.artifactUpdate('file', { artifact: v1.artifact('file', { parts: [file] }) }),
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['large', 'large', 'large'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1' },
            result: v03.task('completed', {
              artifacts: [
                v03.artifact('file', {
                  parts: [{ kind: 'file', file: { bytes: file.raw, mimeType: 'image/png' } }],
                }),
              ],
            }),
          }),
        ],
        messages: ['large'],
      },
      {
        example: [
          grpc({
            version: '0.3',
            method: 'SendMessage',
            request: {
              message: {
                messageId: 'm-file',
                role: 'ROLE_USER',
                content: [{ file: { fileWithBytes: file.raw, mimeType: 'image/png' } }],
              },
            },
            response: { task: legacy.task },
          }),
        ],
        messages: ['large'],
      },
    ],
  },
  when: ({ payloads }) => payloads.some(holdsRaw),
  check: ({ payloads }, { report }) => {
    for (const payload of payloads)
      for (const part of partsOf(payload)) {
        const bytes = part.kind === 'raw' ? sizeOf(part.value) : 0;
        if (bytes <= largeBytes) continue;
        report('large', {
          data: { kib: Math.round(bytes / 1024) },
          at: { ...placeOf(payload), pointer: part.pointer },
          expected: 'a URL',
        });
      }
  },
});

const isRaw = ({ kind }: PartView): boolean => kind === 'raw';
const holdsRaw = (payload: Payload): boolean => partsOf(payload).some(isRaw);

/** Bytes of the Base64 text in a part of any version. */
function sizeOf(value: Json): number {
  if (!isJsonObject(value)) return 0;
  const file = isJsonObject(value.file) ? value.file : {};
  const text = [value.raw, file.bytes, file.fileWithBytes].find((each) => typeof each === 'string');
  return typeof text === 'string' ? Math.floor((text.length * 3) / 4) : 0;
}

const none: readonly PartView[] = [];

/** Parts that are new in a payload; histories only repeat what was sent before. */
function partsOf(payload: Payload): readonly PartView[] {
  switch (payload.kind) {
    case 'message':
      return payload.message.parts;
    case 'artifactUpdate':
      return payload.update.artifact?.parts ?? none;
    case 'task': {
      const said = shownStatus(payload)?.message?.parts ?? none;
      const { artifacts } = payload.task;
      return artifacts === undefined ? said : [...said, ...artifacts.flatMap(({ parts }) => parts)];
    }
    case 'statusUpdate':
      return shownStatus(payload)?.message?.parts ?? none;
    default:
      return none;
  }
}
