import { type Mutation, webhookReceiver, webhookSender } from '../mutation.ts';

const wire = { level: 'wire' as const };
const modern = { versions: ['1.0'] as const };

const mutations: readonly Mutation[] = [
  webhookSender(
    'HOOK-001',
    'a delivery is a PUT',
    (session) => session.set('delivered', 'request/method', 'PUT'),
    wire,
  ),
  webhookSender(
    'HOOK-002',
    'a delivery is a bare task',
    (session) => session.set('delivered', 'request/body', session.get('delivered', 'request/body/task')),
    { ...wire, ...modern, also: { 'JSON-017': 'exactly one payload' } },
  ),
  webhookSender(
    'HOOK-003',
    'a delivery has no body',
    (session) => {
      session.drop('delivered', 'request/body');
      session.set('delivered', 'request/body_raw', '');
    },
    wire,
  ),
  webhookSender(
    'HOOK-004',
    'a delivery has no label',
    (session) => session.drop('delivered', 'request/headers/Content-Type'),
    wire,
  ),
  webhookSender(
    'HOOK-005',
    'a delivery has no credentials',
    (session) => session.drop('delivered', 'request/headers/Authorization'),
    {
      ...wire,
      also: { 'HOOK-012': 'the receiver takes it all the same' },
    },
  ),
  webhookSender(
    'HOOK-006',
    'a 0.x delivery has no token',
    (session) => session.drop('delivered', 'request/headers/X-A2A-Notification-Token'),
    wire,
  ),
  webhookSender('HOOK-009', 'a delivery speaks of another task', (session) => {
    session.set('delivered', 'request/body/task/id', 'task-elsewhere');
    session.set('delivered', 'request/body/task/contextId', 'ctx-elsewhere');
  }),
  webhookReceiver(
    'HOOK-011',
    'the receiver refuses a good delivery',
    (session) => session.set('delivered', 'response/status', 400),
    wire,
  ),
  webhookSender(
    'HOOK-020',
    'a 0.x delivery does not say which task it is about',
    (session) => session.drop('delivered', 'request/body/id'),
    wire,
  ),
];

export default mutations;
