import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { call, type Json, runToEnd, send, startAgent } from './lab.ts';

const trip = { route: 'SIN-HEL', departure: '2031-10-12', return: '2031-10-16' };
const wish = { ...trip, arriveBy: '2031-10-13T09:00', cabin: 'economy', currency: 'EUR' };
const stay = {
  ...{ city: 'HEL', checkIn: '2031-10-12', checkOut: '2031-10-16' },
  ...{ maxNightlyRate: 240, currency: 'EUR' },
};

async function started(t: TestContext, role: string) {
  const agent = await startAgent(role);
  t.after(agent.stop);
  return agent;
}

const artifacts = (task: Json) =>
  Object.fromEntries((task.artifacts ?? []).map((each: Json) => [each.name, each.parts[0].data]));

test('a card names the skill of its role and an interface per binding', async (t) => {
  const { ready, url } = await started(t, 'flight');
  const card: Json = await (await fetch(ready.card)).json();
  assert.deepEqual(
    card.skills.map(({ id }: Json) => id),
    ['flight-search'],
  );
  assert.deepEqual(
    card.supportedInterfaces.map((each: Json) => `${each.protocolBinding} ${each.protocolVersion}`),
    ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'GRPC 1.0'],
  );
  assert.equal(`http://${card.supportedInterfaces[2].url}`, ready.origins[0]);
  assert.ok(card.supportedInterfaces[0].url.startsWith(url));
});

test('the policy depends on grade and destination', async (t) => {
  const { url } = await started(t, 'policy');
  const { task } = await send(url, { grade: 'staff', costCentre: 'CC-1', ...trip });
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(artifacts(task), {
    'travel-policy.json': {
      ...{ cabin: 'economy', maxNightlyHotelRate: 240, currency: 'EUR', approvalRequiredAbove: 1800 },
    },
  });
  const refused = await send(url, { grade: 'king', costCentre: 'CC-1', ...trip });
  assert.equal(refused.task.status.state, 'TASK_STATE_REJECTED');
});

test('each agent refuses what it need not know, and what says too little', async (t) => {
  const asked: Record<string, Json> = {
    policy: { grade: 'staff', costCentre: 'CC-1', ...trip },
    flight: wish,
    hotel: stay,
  };
  for (const [role, fields] of Object.entries(asked)) {
    const { url } = await started(t, role);
    const told = await send(url, { ...fields, employee: 'Mina' });
    assert.equal(told.task.status.state, 'TASK_STATE_REJECTED', role);
    assert.match(told.task.status.message.parts[0].text, /not to be sent: employee/);
    const [first = '', ...rest] = Object.keys(fields);
    const short = await send(url, Object.fromEntries(rest.map((name) => [name, fields[name]])));
    assert.equal(short.task.status.state, 'TASK_STATE_REJECTED', role);
    assert.match(short.task.status.message.parts[0].text, new RegExp(`missing: ${first}`));
  }
});

test('a flight search streams its steps, its offers and its end', async (t) => {
  const { url } = await started(t, 'flight');
  const events: Json[] = await send(url, wish, { method: 'SendStreamingMessage' });
  const said = events.map((event) =>
    event.statusUpdate
      ? (event.statusUpdate.status.message?.parts[0].text ?? event.statusUpdate.status.state)
      : (event.artifactUpdate?.artifact.name ?? 'task'),
  );
  assert.deepEqual(said, [
    ...['task', 'searching direct routes', 'direct routes break the arrival limit'],
    ...['searching routes with one stop', 'flight-offers.json', 'TASK_STATE_COMPLETED'],
  ]);
  const { offers } = events[4].artifactUpdate.artifact.parts[0].data;
  assert.equal(offers.length, 2);
  for (const { arrival, stops } of offers) {
    assert.equal(stops, 1);
    assert.ok(arrival < wish.arriveBy);
  }
});

test('a later arrival makes the direct flight possible, an earlier one none', async (t) => {
  const { url } = await started(t, 'flight');
  const later = await send(url, { ...wish, arriveBy: '2031-10-13T12:00' });
  assert.deepEqual(
    artifacts(later.task)['flight-offers.json'].offers.map(({ stops }: Json) => stops),
    [0],
  );
  const earlier = await send(url, { ...wish, arriveBy: '2031-10-12T09:00' });
  assert.equal(earlier.task.status.state, 'TASK_STATE_FAILED');
});

test('a hotel search asks for the office and goes on in the same task', async (t) => {
  const { url } = await started(t, 'hotel');
  const asked = (await send(url, stay)).task;
  assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.deepEqual(
    asked.status.message.parts[1].data.options.map(({ id }: Json) => id),
    ['harbour', 'campus'],
  );
  const { task } = await send(url, { office: 'harbour' }, { taskId: asked.id });
  assert.equal(task.id, asked.id);
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(
    artifacts(task)['hotel-offers.json'].offers.map(({ nightlyRate, total }: Json) => [nightlyRate, total]),
    [
      [190, 760],
      [235, 940],
    ],
  );
});

test('an unknown office is refused, and a task that waits can be cancelled', async (t) => {
  const { url } = await started(t, 'hotel');
  const asked = (await send(url, stay)).task;
  const refused = await send(url, { office: 'moon' }, { taskId: asked.id });
  assert.equal(refused.task.status.state, 'TASK_STATE_REJECTED');
  const other = (await send(url, stay)).task;
  const canceled = await call(url, 'CancelTask', { id: other.id });
  assert.equal(canceled.status.state, 'TASK_STATE_CANCELED');
});

test('a bad flag is one line and exit code 2', async () => {
  for (const flags of [
    [],
    ['--role', 'pilot'],
    ['--role', 'hotel', '--httpPort', 'x'],
    ['--nope'],
    ['--role', 'hotel', '--protocol', '0.3'],
  ]) {
    const { code, stdout, stderr } = await runToEnd(flags);
    assert.deepEqual([code, stdout, stderr.trim().split('\n').length], [2, '', 1], flags.join(' '));
  }
});
