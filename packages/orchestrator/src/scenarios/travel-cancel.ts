import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, requireTask } from '../scenario/expect.ts';
import { coordinates, planTrip, requireData, requireRemote } from '../scenario/trip.ts';

/** How often the booking is looked at until it waits for approval, and how long between. */
const looks = 40;
const pauseMs = 100;

export default defineScenario({
  id: 'travel-cancel',
  title: 'Travel, cancelled',
  summary:
    'The user cancels a booking that waits for approval: the coordinator cancels the approval with it.',
  clients: 'raw',
  versions: ['1.0'],
  named: true,
  needs: ['streaming'],
  applies: (_, __, around) => coordinates(around),
  hops: [
    { from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'CancelTask', min: 1 },
    { from: 'server', to: 'other', operation: 'CancelTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { search, options } = await planTrip(context);
    // The dearest one needs somebody who takes long to approve.
    const dearest = options.toSorted((one, other) => other.total - one.total)[0];
    context.require('an option needs approval', dearest?.approvalRequired === true);
    const { contextId } = search;
    const begun = requireTask(
      context,
      'the booking',
      await context.send(
        { data: { option: dearest.id }, contextId, referenceTaskIds: [search.taskId] },
        { returnImmediately: true },
      ),
    );
    const { taskId } = begun;
    let booking = begun;
    for (let look = 0; look < looks && booking.artifacts.length === 0; look += 1) {
      await context.sleep(pauseMs);
      booking = requireTask(context, 'GetTask of the booking', await context.call({ op: 'GetTask', taskId }));
    }
    checkState(context, 'the booking that waits', booking.state, 'TASK_STATE_WORKING');
    const requested = requireData(context, booking, 'approval-request.json');
    const canceled = requireTask(context, 'CancelTask', await context.call({ op: 'CancelTask', taskId }));
    checkState(context, 'the booking after CancelTask', canceled.state, 'TASK_STATE_CANCELED');
    const expense = requireRemote(context, requested.agent);
    const calls = await expense.calls(context.dialect);
    const approval = requireTask(
      context,
      'GetTask of the approval',
      await calls.call({ op: 'GetTask', taskId: String(requested.taskId) }),
    );
    checkState(context, 'the approval', approval.state, 'TASK_STATE_CANCELED');
    const later = requireTask(
      context,
      'GetTask of the booking',
      await context.call({ op: 'GetTask', taskId }),
    );
    checkState(context, 'the booking', later.state, 'TASK_STATE_CANCELED');
    context.check(
      'nothing is booked',
      later.artifacts.every(({ name }) => name !== 'booking.json'),
      'there is an artifact booking.json',
    );
  },
});
