import type { WebhookSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { streamResponseMembers } from '../stream-response.ts';
import { isUnread } from '../unread-body.ts';
import { isDelivery } from './delivery.ts';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});

export default defineRule({
  id: 'HOOK-002',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'The body of a delivery is a StreamResponse: an object with one of its four members.',
  spec: { '1.0': '4.3.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: {
    shape: 'The body is no object, but {found}',
    none: 'The body has none of `task`, `message`, `statusUpdate` and `artifactUpdate`, but {found}',
  },
  why: 'Receivers read it with the code that reads stream events; another shape is refused, or acknowledged and lost.',
  fix: 'Send `{"task": …}`, `{"statusUpdate": …}`, `{"artifactUpdate": …}` or `{"message": …}`; the bare task is the form of 0.3.',
  examples: {
    good: [[create, deliver(v1.statusUpdate('COMPLETED'))], [deliver({ task: v1.task('COMPLETED') })]],
    skip: [
      [deliver(v03.task('completed'))],
      // Of another sender, at a URL that nobody has registered.
      [deliver({ action: 'opened', number: 7 }, { from: 'forge' })],
    ],
    bad: [
      { example: [create, deliver(['COMPLETED'])], messages: ['shape'] },
      { example: [create, deliver(v1.task('COMPLETED'))], messages: ['none'] },
    ],
  },
  when: (webhook) => {
    // An object that looks like nothing is one all the same, where it came as a delivery.
    if (!isDelivery(webhook) && webhook.delivery.body.members === undefined) return false;
    if (isOfOthers(webhook)) return false;
    const { state } = webhook.delivery.body;
    if (isUnread(state)) return 'undecidable';
    return state === 'ok';
  },
  check: ({ delivery }, { report }) => {
    const { members, start } = delivery.body;
    const at = { side: 'request', pointer: '' } as const;
    if (members === undefined) {
      report('shape', { data: { found: start }, at, expected: 'an object', actual: start });
      return;
    }
    // Several at once are the matter of JSON-017.
    if (streamResponseMembers.some((member) => members.includes(member))) return;
    report('none', {
      data: { found: members.join(', ') || 'no member' },
      at,
      expected: `one of ${streamResponseMembers.join(', ')}`,
    });
  },
});

/** What tells of a task, in whatever form. */
const sign =
  /^(?:task|message|status|artifact|context|event)|state$|^(?:kind|final|result|error|jsonrpc|parts|role|history|metadata|payload)$/i;

/** Nobody has registered the URL with an agent, and the body has nothing of A2A: a receiver may have other senders, too. */
const isOfOthers = ({ configs, delivery }: WebhookSubject): boolean =>
  configs.length === 0 &&
  delivery.payload === undefined &&
  delivery.body.members !== undefined &&
  !delivery.body.members.some((member) => sign.test(member));
