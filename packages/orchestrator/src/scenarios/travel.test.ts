import type { JsonObject } from '@plugfest/model';
import { expect, test } from 'vitest';
import type { DriveCall, DriveResult, TaskEvent } from '../driver/drive.ts';
import { failuresOf } from '../testing/played.ts';
import travel from './travel.ts';
import travelCancel from './travel-cancel.ts';

/** What a coordinator, or the expense agent behind it, does otherwise than it should. */
type Defect =
  | 'forgets-the-context'
  | 'mixes-the-steps'
  | 'miscounts'
  | 'books-in-the-search'
  | 'alters-the-search'
  | 'approves-less'
  | 'believes-anybody'
  | 'takes-any-field'
  | 'leaves-the-approval';

const flight = { price: 980, cabin: 'economy', arrival: '2031-10-12T23:30' };
const policy = {
  ...{ cabin: 'economy', currency: 'EUR' },
  ...{ maxNightlyHotelRate: 240, approvalRequiredAbove: 1800 },
};
const option = (id: string, nightlyRate: number) => ({
  ...{ id, flight, hotel: { nightlyRate, total: nightlyRate * 4 } },
  ...{ total: flight.price + nightlyRate * 4, approvalRequired: flight.price + nightlyRate * 4 > 1800 },
});

function task(taskId: string, state: TaskEvent['state'], artifacts: JsonObject = {}): TaskEvent {
  return {
    ...{ kind: 'task', taskId, contextId: 'context', state, text: '' },
    artifacts: Object.entries(artifacts).map(([name, content]) => ({
      ...{ artifactId: name, name, text: '', contents: [{ kind: 'data', content }] },
    })),
  };
}

/** The five agents, as far as their user sees them. */
class Agents {
  readonly #defect: Defect | undefined;
  #booking: TaskEvent | undefined;
  #canceled = false;

  constructor(defect?: Defect) {
    this.#defect = defect;
  }

  async coordinator(call: DriveCall): Promise<DriveResult> {
    const answer = (event: TaskEvent): DriveResult => ({ ok: true, events: [event] });
    if (call.op === 'SendStreamingMessage') return this.#asked();
    if (call.op === 'SendMessage' && call.message.data && 'office' in call.message.data) {
      const contextId = this.#defect === 'forgets-the-context' ? 'another' : 'context';
      return answer({ ...this.#search(), contextId });
    }
    if (call.op === 'SendMessage') {
      this.#booking = this.#booked(call.configuration?.returnImmediately === true);
      return answer(this.#booking);
    }
    if (call.op === 'CancelTask') this.#canceled = true;
    const booking = this.#booking ?? task('none', 'TASK_STATE_FAILED');
    if ('taskId' in call && call.taskId === 'booking')
      return answer(this.#canceled ? { ...booking, state: 'TASK_STATE_CANCELED' } : booking);
    const after = this.#search();
    return answer(this.#defect === 'alters-the-search' ? { ...after, artifacts: [] } : after);
  }

  async expense(call: DriveCall): Promise<DriveResult> {
    const amount = this.#defect === 'approves-less' ? 1 : 1920;
    const canceled = this.#canceled && this.#defect !== 'leaves-the-approval';
    const approved = { 'expense-approval.json': { amount, expiresAt: 'later' } };
    const takes = this.#defect === 'takes-any-field';
    const event =
      call.op === 'SendMessage'
        ? task('other', takes ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_REJECTED')
        : task('approval', canceled ? 'TASK_STATE_CANCELED' : 'TASK_STATE_COMPLETED', approved);
    return { ok: true, events: [event] };
  }

  #asked(): DriveResult {
    const steps = [
      'searching direct routes',
      'direct routes break the arrival limit',
      'searching routes with one stop',
    ];
    if (this.#defect === 'mixes-the-steps') steps.reverse();
    const ids = { kind: 'status', taskId: 'search', contextId: 'context' } as const;
    const states = steps.map(
      (text) => ({ ...ids, state: 'TASK_STATE_WORKING', text: `flight: ${text}` }) as const,
    );
    const last = { ...ids, state: 'TASK_STATE_INPUT_REQUIRED', text: 'which office?' } as const;
    return { ok: true, events: [...states, last, { kind: 'closed', by: 'server' }] };
  }

  #search(): TaskEvent {
    const options = [option('option-1', 190), option('option-2', 235)].map((each) =>
      this.#defect === 'miscounts' ? { ...each, total: each.total + 1 } : each,
    );
    return task('search', 'TASK_STATE_COMPLETED', { 'itinerary-options.json': { policy, options } });
  }

  #booked(atOnce: boolean): TaskEvent {
    const taskId = this.#defect === 'books-in-the-search' ? 'search' : 'booking';
    const requested = { 'approval-request.json': { agent: 'expense', taskId: 'approval' } };
    if (atOnce) return task(taskId, 'TASK_STATE_WORKING', requested);
    const approval = {
      expiresAt: 'later',
      notifications: 3,
      refused: this.#defect === 'believes-anybody' ? 1 : 0,
    };
    return task(taskId, 'TASK_STATE_COMPLETED', { ...requested, 'booking.json': { total: 1920, approval } });
  }
}

function failures(scenario: typeof travel, defect?: Defect) {
  const agents = new Agents(defect);
  return failuresOf(scenario, {
    client: 'plugfest',
    call: (call) => agents.coordinator(call),
    beyond: { expense: (call) => agents.expense(call) },
  });
}

test.each([travel, travelCancel])(
  '$id finds nothing in agents that do what they should',
  async (scenario) => {
    expect(await failures(scenario)).toEqual([]);
  },
);

test.each<[Defect, string]>([
  ['forgets-the-context', 'the answer stays in the context'],
  ['mixes-the-steps', 'the stream has the steps of the flight search, in order'],
  ['miscounts', 'option-1 costs what its flight and its hotel cost'],
  ['books-in-the-search', 'the booking is a task of its own'],
  ['alters-the-search', 'the search is as it was before the booking'],
  ['approves-less', 'the approval is for what the booking costs, and the booking says until when'],
  ['believes-anybody', 'the coordinator was told by notifications that it could verify'],
  ['takes-any-field', 'a request with the name of the employee is REJECTED'],
])('travel finds who %s', async (defect, name) => {
  expect(await failures(travel, defect)).toContain(name);
});

test('travel-cancel finds who leaves the approval as it is', async () => {
  expect(await failures(travelCancel, 'leaves-the-approval')).toEqual(['the approval is CANCELED']);
});
