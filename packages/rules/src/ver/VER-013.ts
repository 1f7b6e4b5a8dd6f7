import type { WebhookSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1, v03 } from '@plugfest/verifier/examples';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});
const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });

/** The config is known, and the body shows a version: by what it holds, and not only by who sent it. */
const isShown = ({ delivery, config }: WebhookSubject): boolean =>
  config !== undefined && delivery.payload !== undefined;

export default defineRule({
  id: 'VER-013',
  level: 'SHOULD',
  party: 'webhook-sender',
  summary: 'A delivery has the shapes of the version under which its config was registered.',
  spec: { '1.0': '4.3.3, 3.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: { other: 'The config was registered under {registered}, the delivery is one of {found}' },
  why: 'No header tells a receiver the version of a delivery, so it reads it by the version that its own client speaks, and finds neither task nor state.',
  fix: 'Store the version of the request with the config, and choose the serialiser of the deliveries by it.',
  examples: {
    good: [[get, create, deliver(v1.statusUpdate('COMPLETED'))]],
    skip: [[deliver(v1.statusUpdate('COMPLETED'))], [get, create]],
    bad: [{ example: [get, create, deliver(v03.task('completed'))], messages: ['other'] }],
  },
  when: isShown,
  check: ({ delivery, config }, { report }) => {
    if (config === undefined || delivery.version === '1.0') return;
    report('other', {
      data: { registered: config.version, found: delivery.version },
      at: { side: 'request', pointer: delivery.payload?.pointer ?? '' },
      expected: `the shapes of ${config.version}`,
      actual: delivery.version,
    });
  },
});
