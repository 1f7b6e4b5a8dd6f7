import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isDelivery } from './delivery.ts';

const delivery = v1.statusUpdate('COMPLETED');
const typed = (type: string | undefined) => deliver(delivery, { headers: { 'Content-Type': type } });

export default defineRule({
  id: 'HOOK-004',
  level: 'SHOULD',
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
  why: 'Web frameworks parse a body by its label: without a JSON type they answer 415, or hand on an empty object. The texts of 0.2 and 0.3 only show the header in an example.',
  fix: 'Set `Content-Type: application/a2a+json`; for receivers of 0.x `application/json`.',
  examples: {
    good: [
      [typed('application/a2a+json')],
      [typed('application/a2a+json; charset=utf-8')],
      [deliver(v03.task('completed'), { headers: { 'Content-Type': 'application/json' } })],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [typed(undefined)], messages: ['missing'] },
      { example: [typed('application/octet-stream')], messages: ['type'] },
      { example: [typed('application/json')], messages: ['era'] },
      {
        example: [deliver(v03.task('completed'), { headers: { 'Content-Type': 'text/plain' } })],
        messages: ['type'],
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
    } as const;
    if (found === '') report('missing', finding);
    else if (found === 'application/json') {
      if (modern) report('era', { ...finding, outcome: 'info' });
    } else if (found !== 'application/a2a+json') report('type', { ...finding, actual: found });
  },
});
