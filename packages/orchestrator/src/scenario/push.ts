import { isTerminal } from '@plugfest/a2a';
import type { Delivery } from '../webhook/delivery.ts';
import type { ScenarioContext, Webhook } from './context.ts';
import { short } from './expect.ts';

type Context = Pick<ScenarioContext, 'check' | 'require' | 'dialect'>;

const patienceMs = 8000;

/** Waits for the delivery of the task's end and looks at it and at every earlier one. */
export async function checkDeliveries(context: Context, webhook: Webhook, taskId: string): Promise<void> {
  // A delivery that the receiver refused has arrived, too: it shows what is wrong with it.
  const last = await webhook.waitFor(
    (delivery) => delivery.taskId === taskId && isTerminal(delivery.state),
    patienceMs,
  );
  const seen = webhook.deliveries;
  context.require('a delivery arrives', seen.length > 0, `none within ${patienceMs} ms`);
  context.check(
    'each delivery is a POST',
    every(seen, ({ method }) => method === 'POST'),
  );
  const shape = context.dialect.version === '1.0' ? 'a StreamResponse' : 'a Task';
  const fits = ({ shape: found }: Delivery) =>
    context.dialect.version === '1.0' ? found !== 'bare-task' && found !== 'unknown' : found !== 'unknown';
  context.check(
    `each body is ${shape}`,
    every(seen, fits),
    seen.map((delivery) => delivery.shape).join(', '),
  );
  context.check(
    'each delivery names the task',
    every(seen, (delivery) => delivery.taskId === taskId),
    seen.map((delivery) => delivery.taskId ?? 'no task').join(', '),
  );
  checkSecret(context, 'token', seen, (delivery) => delivery.token);
  checkSecret(context, 'credentials', seen, (delivery) => delivery.authorization);
  context.check(
    'the end of the task is delivered',
    last?.state === 'TASK_STATE_COMPLETED',
    last
      ? `it was told as ${short(last.state)}`
      : `states: ${seen.map(({ state }) => short(state)).join(', ')}`,
  );
}

function checkSecret(
  context: Context,
  what: string,
  seen: readonly Delivery[],
  of: (delivery: Delivery) => Delivery['token'],
): void {
  if (seen.every((delivery) => of(delivery) === 'not-registered')) return;
  const bad = seen.map(of).filter((found) => found !== 'ok');
  const count = `${bad.length} of ${seen.length} deliveries`;
  context.check(
    `each delivery carries the registered ${what}`,
    bad.length === 0,
    bad.includes('wrong') ? `another one in ${count}` : `absent in ${count}`,
  );
}

function every(seen: readonly Delivery[], holds: (delivery: Delivery) => boolean): boolean {
  return seen.length > 0 && seen.every(holds);
}
