import type { JsonObject } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import type { TaskEvent } from '../driver/drive.ts';
import type { Onward, ScenarioContext } from './context.ts';
import type { Around } from './define.ts';
import { checkState, clip, requireOk, requireTask, short, viewStream } from './expect.ts';

/** Policy, flights, hotels and expenses; which is which, the coordinator finds out by their cards. */
const remotes = 4;

/** 12 October is a Sunday then: the traveller leaves on it and has a meeting on Monday at nine. */
const request = {
  employee: { name: 'Mina Okafor', grade: 'staff', costCentre: 'CC-4711' },
  ...{ route: 'SIN-HEL', departure: '2031-10-12', return: '2031-10-16', arriveBy: '2031-10-13T09:00' },
};
const words =
  'Plan a trip from Singapore to Helsinki from 12 to 16 October. I have to be there before a meeting on Monday at 09:00. Do not buy anything yet.';
/** What the flight agent says while it searches, and its coordinator passes on. */
const steps = [
  'searching direct routes',
  'direct routes break the arrival limit',
  'searching routes with one stop',
];

/** A server that calls as many others is the coordinator. */
export function coordinates({ beyond }: Around): boolean {
  return beyond.length >= remotes;
}

export interface Option {
  readonly id: string;
  readonly total: number;
  readonly approvalRequired: boolean;
}

export interface PlannedTrip {
  readonly search: TaskEvent;
  readonly options: readonly Option[];
}

/** Asks for a trip, answers the question of the office in the same task, and looks at the options. */
export async function planTrip(context: ScenarioContext): Promise<PlannedTrip> {
  const agents = await Promise.all(context.beyond.map(({ url }) => url()));
  await Promise.all(context.beyond.map((each) => each.tapDeliveries()));
  const asked = await context.stream({
    ...{ text: words, data: { request } },
    parts: [{ data: { agents, binding: context.dialect.binding } }],
  });
  requireOk(context, 'the request', asked);
  const view = viewStream(asked.events);
  const { taskId, lastState } = view;
  context.require('the stream names its task', taskId !== undefined, 'no event has a taskId');
  context.check('the stream is about one task', view.taskIds.size === 1, [...view.taskIds].join(', '));
  const said = asked.events.flatMap((event) => (event.kind === 'status' ? [event.text] : []));
  const heard = steps.map((step) => said.findIndex((text) => text.endsWith(step)));
  context.check(
    'the stream has the steps of the flight search, in order',
    heard.every((place, index) => place > (heard[index - 1] ?? -1)),
    clip(said.join(' | ')),
  );
  context.require(
    'the hotel has a question, and the coordinator passes it on',
    lastState === 'TASK_STATE_INPUT_REQUIRED',
    `it is ${short(lastState)}: ${clip(view.lastText)}`,
  );
  const [contextId = ''] = view.contextIds;
  const answered = await context.send({ data: { office: 'harbour' }, taskId, contextId });
  const search = requireTask(context, 'the answer', answered);
  context.check('the answer stays in the task', search.taskId === taskId, `it is ${search.taskId}`);
  context.check(
    'the answer stays in the context',
    view.contextIds.size === 1 && view.contextIds.has(search.contextId),
    `${search.contextId} after ${[...view.contextIds].join(', ')}`,
  );
  checkState(context, 'the search', search.state, 'TASK_STATE_COMPLETED');
  return { search, options: checkOptions(context, search) };
}

/** The only artifact of this name, as JSON. */
export function requireData(context: ScenarioContext, task: TaskEvent, name: string): JsonObject {
  const named = task.artifacts.filter((artifact) => artifact.name === name);
  const contents = named.flatMap((artifact) => artifact.contents ?? []);
  const [only] = contents;
  const data = only?.kind === 'data' && isJsonObject(only.content) ? only.content : undefined;
  const names = task.artifacts.map((artifact) => artifact.name ?? 'no name').join(', ');
  context.require(
    `the task has one artifact ${name}, which is one data part`,
    named.length === 1 && contents.length === 1 && data !== undefined,
    `it has ${clip(names) || 'none'}; its text is "${clip(task.text)}"`,
  );
  return data;
}

/** The agent that an artifact names. */
export function requireRemote(context: ScenarioContext, name: unknown): Onward {
  const found = context.beyond.find((each) => each.name === name);
  context.require(
    'the agent that is named is one of those that were given',
    found !== undefined,
    String(name),
  );
  return found;
}

function checkOptions(context: ScenarioContext, search: TaskEvent): readonly Option[] {
  const { policy, options } = requireData(context, search, 'itinerary-options.json');
  const { maxNightlyHotelRate, approvalRequiredAbove, cabin } = isJsonObject(policy) ? policy : {};
  context.require(
    'the options come with the policy that they follow',
    typeof maxNightlyHotelRate === 'number' && typeof approvalRequiredAbove === 'number',
    JSON.stringify(policy),
  );
  const list = Array.isArray(options) ? options.filter(isJsonObject) : [];
  const read = list.flatMap(({ id, total, approvalRequired, flight, hotel }) => {
    if (typeof id !== 'string' || typeof total !== 'number' || !isJsonObject(flight) || !isJsonObject(hotel))
      return [];
    return [{ id, total, approvalRequired: approvalRequired === true, flight, hotel }];
  });
  context.require('there are options to pick from', read.length > 1, `${read.length} of ${list.length}`);
  for (const { id, total, approvalRequired, flight, hotel } of read) {
    context.check(
      `${id} costs what its flight and its hotel cost`,
      total === Number(flight.price) + Number(hotel.total),
      `${total} is not ${flight.price} and ${hotel.total}`,
    );
    context.check(
      `${id} follows the policy and arrives in time`,
      flight.cabin === cabin &&
        Number(hotel.nightlyRate) <= maxNightlyHotelRate &&
        String(flight.arrival) < request.arriveBy &&
        approvalRequired === total > approvalRequiredAbove,
      clip(JSON.stringify({ flight, hotel, total, approvalRequired })),
    );
  }
  return read.map(({ id, total, approvalRequired }) => ({ id, total, approvalRequired }));
}
