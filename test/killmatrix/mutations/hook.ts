import type { JsonObject } from '@plugfest/model';
import { type Mutation, webhookReceiver, webhookSender } from '../mutation.ts';
import type { Session } from '../session.ts';

const wire = { level: 'wire' as const };
const modern = { versions: ['1.0'] as const };

/** A delivery to a webhook that was registered elsewhere, with a JWT of these claims. */
function deliverJwt(session: Session, claims: JsonObject, date: string): void {
  const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jwt = `${part({ alg: 'ES256', kid: 'key-1' })}.${part(claims)}.c2lnbmF0dXJl`;
  session.copy('delivered', 'asserted');
  session.set('asserted', 'request/url', 'https://other.example/jwt');
  session.set('asserted', 'request/headers/Authorization', `Bearer ${jwt}`);
  session.drop('asserted', 'request/headers/X-A2A-Notification-Token');
  session.set('asserted', 'response/headers/Date', date);
}
const claims = {
  iss: 'https://agent.example',
  aud: 'https://other.example/jwt',
  iat: 1767225600,
  exp: 1767225900,
  jti: 'notification-1',
};

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
    { ...wire, ...modern },
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
    (session) => {
      session.drop('delivered', 'request/headers/Authorization');
      session.set('delivered', 'response/status', 401);
    },
    wire,
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
  webhookSender('HOOK-010', 'a delivery tells another end', (session) =>
    session.set('delivered', 'request/body/task/status/state', 'TASK_STATE_FAILED'),
  ),
  webhookReceiver(
    'HOOK-012',
    'the receiver takes a delivery without the right credentials',
    (session) => {
      session.copy('delivered', 'forged');
      session.set('forged', 'purpose', 'probe');
      session.set('forged', 'request/headers/Authorization', 'Bearer forged');
      session.drop('forged', 'request/headers/X-A2A-Notification-Token');
    },
    wire,
  ),
  webhookSender(
    'HOOK-015',
    'a delivery is made again without a pause that grows',
    (session) => {
      for (const second of [94, 91, 88]) {
        session.copy('delivered', `again${second}`);
        session.set(`again${second}`, 'at', new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString());
      }
      session.set('delivered', 'at', '2026-01-01T00:01:25.000Z');
      for (const name of ['delivered', 'again88', 'again91']) session.set(name, 'response/status', 503);
    },
    wire,
  ),
  webhookSender(
    'HOOK-021',
    'a 0.1 delivery shows no status',
    (session) => session.drop('delivered', 'request/body/status'),
    wire,
  ),
  webhookSender('HOOK-008', 'a webhook is never called', (session) => session.without('inlineDelivered')),
  webhookSender('HOOK-019', 'a webhook is not called for a task whose end the call told', (session) =>
    session.without('blockingDelivered'),
  ),
  webhookSender(
    'HOOK-023',
    'a JWT of a delivery has no id',
    (session) => {
      const { jti: _left, ...others } = claims;
      deliverJwt(session, others, 'Thu, 01 Jan 2026 00:01:28 GMT');
    },
    wire,
  ),
  webhookReceiver(
    'GUIDE-006',
    'a receiver takes a JWT that has run out',
    (session) => {
      deliverJwt(session, claims, 'Thu, 01 Jan 2026 01:00:00 GMT');
      session.set('asserted', 'purpose', 'probe');
    },
    wire,
  ),
  webhookSender(
    'HOOK-007',
    'a delivery has its token in another header',
    (session) => {
      session.drop('delivered', 'request/headers/X-A2A-Notification-Token');
      session.set('delivered', 'request/headers/A2A-Notification-Token', 'token-1');
    },
    { ...wire, versions: ['1.0'] },
  ),
];

export default mutations;
