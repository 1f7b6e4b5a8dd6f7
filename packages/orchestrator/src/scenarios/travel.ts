import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireTask, short } from '../scenario/expect.ts';
import { sameJson } from '../scenario/same-json.ts';
import { coordinates, planTrip, requireData, requireRemote } from '../scenario/trip.ts';

export default defineScenario({
  id: 'travel',
  title: 'Travel',
  summary:
    'A coordinator plans a trip with four agents, asks its user in between, and books what was picked once a verified notification told of the approval.',
  clients: 'raw',
  versions: ['1.0'],
  named: true,
  needs: ['streaming'],
  applies: (_, __, around) => coordinates(around),
  hops: [
    { from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'SendMessage', min: 2 },
    // Policy, hotel, the hotel's answer, expenses.
    { from: 'server', to: 'other', operation: 'SendMessage', min: 4 },
    { from: 'server', to: 'other', operation: 'SendStreamingMessage', min: 1 },
    { from: 'other', to: 'server', operation: 'delivery', min: 1 },
    { from: 'server', to: 'other', operation: 'GetTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { search, options } = await planTrip(context);
    const picked = options.find(({ approvalRequired }) => approvalRequired);
    context.require('an option is above what needs no approval', picked !== undefined);
    const { contextId } = search;
    const booking = requireTask(
      context,
      'the booking',
      await context.send({
        ...{ text: 'Book this one, please.', data: { option: picked.id } },
        ...{ contextId, referenceTaskIds: [search.taskId] },
      }),
    );
    context.check('the booking is a task of its own', booking.taskId !== search.taskId, booking.taskId);
    context.check('the booking is in the same context', booking.contextId === contextId, booking.contextId);
    context.require(
      'the booking is COMPLETED',
      booking.state === 'TASK_STATE_COMPLETED',
      `it is ${short(booking.state)}: ${clip(booking.text)}`,
    );
    const { total, approval } = requireData(context, booking, 'booking.json');
    context.check(
      'what was picked is booked',
      total === picked.total,
      `${String(total)}, not ${picked.total}`,
    );
    const requested = requireData(context, booking, 'approval-request.json');
    const expense = requireRemote(context, requested.agent);
    const calls = await expense.calls(context.dialect);
    const approved = requireTask(
      context,
      'GetTask of the approval',
      await calls.call({ op: 'GetTask', taskId: String(requested.taskId) }),
    );
    checkState(context, 'the approval', approved.state, 'TASK_STATE_COMPLETED');
    const paper = requireData(context, approved, 'expense-approval.json');
    context.check(
      'the approval is for what the booking costs, and the booking says until when',
      paper.amount === total && paper.expiresAt === Object(approval).expiresAt,
      clip(JSON.stringify({ paper, approval })),
    );
    context.check(
      'the coordinator was told by notifications that it could verify',
      Number(Object(approval).notifications) > 0 && Object(approval).refused === 0,
      clip(JSON.stringify(approval)),
    );
    await checkNeedToKnow(context, calls, { costCentre: 'CC-4711', amount: picked.total, currency: 'EUR' });
    const later = requireTask(
      context,
      'GetTask of the search',
      await context.call({ op: 'GetTask', taskId: search.taskId }),
    );
    context.check(
      'the search is as it was before the booking',
      later.state === search.state && sameJson(later.artifacts, search.artifacts),
      `${later.state}, ${clip(JSON.stringify(later.artifacts))}`,
    );
  },
});

/** The agents refuse fields that they do not need, so the booking shows that the coordinator sent none. */
async function checkNeedToKnow(
  context: ScenarioContext,
  calls: Awaited<ReturnType<ScenarioContext['beyond'][number]['calls']>>,
  needed: { readonly costCentre: string; readonly amount: number; readonly currency: string },
): Promise<void> {
  const told = await calls.send({ data: { ...needed, employee: 'Mina Okafor' } });
  const task = requireTask(context, 'a request with the name of the employee', told);
  checkState(context, 'a request with the name of the employee', task.state, 'TASK_STATE_REJECTED');
}
