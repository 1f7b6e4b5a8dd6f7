import type { Example, Target } from '@plugfest/verifier/examples';
import { deliver, getCard, rpc, translate, v1 } from '@plugfest/verifier/examples';

/**
 * Plain traffic of a dialect that most rules have nothing to do with: what a rule's own skip examples say of its
 * exceptions, these say of everything else.
 */
export function bystanders(target: Target): readonly Example[] {
  const message = v1.message('hello');
  const conversations: readonly Example[] = [
    [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    [rpc({ method: 'SendMessage', params: { message }, result: { task: v1.task('COMPLETED') } })],
    [
      rpc({
        method: 'GetTask',
        params: { id: 'task-9' },
        error: { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] },
      }),
    ],
    [getCard(v1.card())],
    [deliver(v1.statusUpdate('WORKING'))],
  ];
  return conversations.map((example) => translate(example, target)).filter((each) => each !== undefined);
}
