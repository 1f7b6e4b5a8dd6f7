import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpc, grpcBytes, grpcFrame, v1 } from '@plugfest/verifier/examples';
import { elsewhere, faultless03, faultless10 } from './calls.ts';
import { text, varint } from './wire-bytes.ts';

const config = v1.pushConfig({ id: 'config-1' });
const deletion = {
  method: 'DeleteTaskPushNotificationConfig',
  request: { taskId: 'task-1', id: 'config-1' },
};
const deletionBytes = grpcFrame(Buffer.concat([text(2, 'task-1'), text(3, 'config-1')]));

export default defineRule({
  id: 'GRPC-012',
  level: 'MUST',
  party: 'server',
  summary: 'CreateTaskPushNotificationConfig answers with the configuration, the deletion with Empty.',
  spec: { '1.0': '10.4.7, 10.4.10' },
  bindings: ['GRPC'],
  scope: 'exchange',
  about: ['CreateTaskPushNotificationConfig', 'DeleteTaskPushNotificationConfig'],
  messages: {
    config: 'The answer is no TaskPushNotificationConfig: it has no url',
    empty: 'The answer to the deletion is not Empty: it has {found}',
  },
  why: 'Clients read the answer by the proto: an id in another shape is lost, and the configuration cannot be deleted any more.',
  fix: 'Return the types that the service definition of the proto gives.',
  examples: {
    good: [
      [grpc({ method: 'CreateTaskPushNotificationConfig', request: config, response: config })],
      [grpc({ ...deletion, response: {} })],
      // What a recorder of JSON adds was not on the wire.
      [grpc({ ...deletion, response: { deleted: true } })],
    ],
    skip: [faultless10.get, faultless03.get, elsewhere],
    bad: [
      {
        example: [
          grpc({ method: 'CreateTaskPushNotificationConfig', request: config, response: { id: 'config-1' } }),
        ],
        messages: ['config'],
      },
      {
        example: [
          grpcBytes({
            method: deletion.method,
            request: [deletionBytes],
            response: [grpcFrame(Buffer.concat([text(1, 'gone'), varint(2, 1)]))],
          }),
        ],
        messages: ['empty'],
      },
    ],
  },
  when: ({ operation, response }) =>
    (operation === 'CreateTaskPushNotificationConfig' || operation === 'DeleteTaskPushNotificationConfig') &&
    response?.grpcStatus?.code === 0 &&
    response.json.state === 'ok',
  check: ({ operation, response }, { report }) => {
    const { value, unknownFields = [] } = response?.json ?? {};
    const at = { side: 'response', pointer: '' } as const;
    if (operation === 'CreateTaskPushNotificationConfig') {
      if (!isJsonObject(value) || typeof value.url !== 'string')
        report('config', { at, expected: 'a TaskPushNotificationConfig', actual: value });
      return;
    }
    // Of an import only the JSON is known, to which recorders add what they like.
    const fields = unknownFields.flatMap(({ number }) => (number === undefined ? [] : [`field ${number}`]));
    if (fields.length > 0) report('empty', { data: { found: fields.join(', ') }, at, expected: 'Empty' });
  },
});
