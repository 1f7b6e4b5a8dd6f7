import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isDelivery } from './delivery.ts';

const delivery = v1.statusUpdate('COMPLETED');
const typed = (type: string | undefined) => deliver(delivery, { headers: { 'Content-Type': type } });

const config = { taskId: 'task-1', pushNotificationConfig: v03.pushConfig() };
const set = (version: '0.2' | '0.3') =>
  rpc({
    version: '0.3',
    headers: { 'A2A-Version': version },
    method: 'tasks/pushNotificationConfig/set',
    params: config,
    result: config,
  });
const unlabelled = deliver(v03.task('completed'), { headers: { 'Content-Type': undefined } });

export default defineRule({
  id: 'HOOK-004',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'A delivery is labelled `application/a2a+json`, and in 0.x `application/json`.',
  spec: { '0.2': '9.4', '0.3': '9.5', '1.0': '4.3.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: {
    missing: 'The delivery has no `Content-Type`',
    type: 'The delivery is labelled {found}, which is no JSON type of A2A',
    era: 'The delivery is labelled application/json, as in 1.0.0',
  },
  where: { era: { versions: ['1.0'] } },
  why: 'Web frameworks parse a body by its label: without a JSON type they answer 415, or hand on an empty object. A receiver that refuses the label with 415 never sees the update; where it takes the delivery all the same, it is a warning, as the texts show the header without asking for it in words. The label of 1.0.0 is noted only.',
  fix: 'Set `Content-Type: application/a2a+json`; for receivers of 0.x `application/json`.',
  examples: {
    good: [
      [typed('application/a2a+json')],
      [typed('application/a2a+json; charset=utf-8')],
      [deliver(v03.task('completed'), { headers: { 'Content-Type': 'application/json' } })],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [typed(undefined)], messages: ['missing'], outcomes: ['warn'] },
      { example: [typed('application/octet-stream')], messages: ['type'], outcomes: ['warn'] },
      { example: [typed('application/json')], messages: ['era'], outcomes: ['info'] },
      { example: [set('0.3'), unlabelled], messages: ['missing'] },
      { example: [set('0.2'), unlabelled], messages: ['missing'] },
      {
        example: [deliver(v03.task('completed'), { headers: { 'Content-Type': 'text/plain' }, status: 415 })],
        messages: ['type'],
        outcomes: ['fail'],
      },
    ],
  },
  when: (webhook) => isDelivery(webhook),
  check: ({ delivery, config }, { report }) => {
    const found = delivery.mediaType;
    const modern = (config?.version ?? delivery.version) === '1.0';
    const finding = {
      data: { found },
      at: { side: 'request', header: 'Content-Type' },
      expected: modern ? 'application/a2a+json' : 'application/json',
      // By its answer the receiver shows that the label, and nothing else, kept the update from it.
      ...(delivery.status === 415 ? {} : { outcome: 'warn' as const }),
    } as const;
    if (found === '') report('missing', finding);
    else if (found === 'application/json') {
      if (modern) report('era', { ...finding, outcome: 'info' });
    } else if (found !== 'application/a2a+json') report('type', { ...finding, actual: found });
  },
});
