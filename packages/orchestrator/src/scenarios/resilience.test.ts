import type { JsonObject } from '@plugfest/model';
import { describe, expect, test } from 'vitest';
import type { ArtifactEvent, DriveEvent, DriveResult, TaskEvent } from '../driver/drive.ts';
import { Checks, ScenarioStopped } from '../scenario/checks.ts';
import type { Outgoing, PlayedFault, ScenarioContext } from '../scenario/context.ts';
import type { Scenario } from '../scenario/define.ts';
import type { Delivery } from '../webhook/delivery.ts';
import cutStream from './resilience-cut-stream.ts';
import duplicateEvent from './resilience-duplicate-event.ts';
import duplicateWebhook from './resilience-duplicate-webhook.ts';
import malformedJson from './resilience-malformed-json.ts';
import rechunkedStream from './resilience-rechunked-stream.ts';
import reset from './resilience-reset.ts';
import sseSyntax from './resilience-sse-syntax.ts';
import staleCard from './resilience-stale-card.ts';

const ids = { taskId: 't1', contextId: 'c1' };
const working: DriveEvent = { kind: 'status', ...ids, state: 'TASK_STATE_WORKING', text: '' };
const completed: DriveEvent = { kind: 'status', ...ids, state: 'TASK_STATE_COMPLETED', text: '' };
const closed: DriveEvent = { kind: 'closed', by: 'server' };
const done: TaskEvent = { kind: 'task', ...ids, state: 'TASK_STATE_COMPLETED', text: '', artifacts: [] };
const broken = { name: 'NetworkError', message: 'it broke off' };

const artifactEvent = (text: string): ArtifactEvent => ({
  kind: 'artifact',
  ...ids,
  artifact: { artifactId: 'a', text },
  append: false,
  lastChunk: true,
});

/** What a client makes of a call while a fault acts, and of the same call when none does. */
interface Client {
  readonly stream?: (text: string) => DriveResult;
  readonly subscribe?: (nonce: string) => DriveResult;
  readonly send?: (faulty: boolean) => DriveResult;
  readonly task?: DriveResult;
  readonly deliveries?: readonly Partial<Delivery>[];
}

/** Runs a scenario with a client that is made up, and gives the checks that failed. */
async function failures(scenario: Scenario, client: Client): Promise<readonly string[]> {
  const checks = new Checks();
  let playing = false;
  const words = (message: Outgoing): string => (message.text ?? '').split(' ').slice(1).join(' ');
  const context = {
    behaviours: true,
    random: { next: () => 0, hex: () => 'f00d' },
    check: (...args: Parameters<Checks['check']>) => checks.check(...args),
    require: (...args: Parameters<Checks['require']>) => checks.require(...args),
    nonce: () => 'N1',
    fault: (_spec: JsonObject): PlayedFault => {
      playing = true;
      return {
        applied: () => 1,
        stop: () => {
          playing = false;
        },
      };
    },
    stream: async (message: Outgoing) => client.stream?.(words(message)),
    send: async () => client.send?.(playing) ?? { ok: true, events: [done] },
    call: async ({ op }: { readonly op: string }) =>
      op === 'SubscribeToTask' ? client.subscribe?.('N1') : (client.task ?? { ok: true, events: [done] }),
    webhook: async () => ({
      url: 'http://127.0.0.1:1/hook',
      deliveries: client.deliveries ?? [],
      waitFor: async () => client.deliveries?.[0],
    }),
  };
  try {
    await scenario.run(context as unknown as ScenarioContext);
  } catch (error) {
    if (!(error instanceof ScenarioStopped)) throw error;
  }
  return checks.list.flatMap(({ name, ok }) => (ok ? [] : [name]));
}

const subscribed = (nonce: string): DriveResult => ({
  ok: true,
  events: [artifactEvent(nonce), completed, closed],
});

describe('a cut stream', () => {
  const cut = (ending: Partial<DriveResult>): Client => ({
    stream: () => ({ ok: false, error: broken, events: [working], ...ending }),
    subscribe: subscribed,
  });

  test('is survived by a client that tells it, and subscribes', async () => {
    expect(await failures(cutStream, cut({}))).toEqual([]);
  });

  test('is not, where it is taken for the end, is forgotten, or the rest does not come', async () => {
    expect(await failures(cutStream, cut({ ok: true, events: [working, closed] }))).toEqual([
      'the client does not take the cut for the end of the stream',
    ]);
    expect(await failures(cutStream, cut({ events: [] }))).toEqual([
      'the client keeps what came before the cut',
    ]);
    const silent = { ...cut({}), subscribe: () => ({ ok: true, events: [working, closed] }) };
    expect(await failures(cutStream, silent)).toEqual([
      'the last state is COMPLETED',
      'the artifact arrives',
    ]);
  });
});

test('a task that ended before a slow client subscribed is no fault of it: a longer one is cut', async () => {
  const said: string[] = [];
  const late: Client = {
    stream: (text) => {
      said.push(text);
      return { ok: false, error: broken, events: [working] };
    },
    subscribe: (nonce) =>
      said.length < 2
        ? { ok: false, error: { name: 'UnsupportedOperationError', message: 'it is over' }, events: [] }
        : subscribed(nonce),
  };
  expect(await failures(cutStream, late)).toEqual([]);
  expect(said).toEqual(['1200 N1', '8000 N1']);
});

describe('a re-chunked stream', () => {
  const heard = (text: (sent: string) => string): Client => ({
    stream: (sent) => ({ ok: true, events: [artifactEvent(text(sent)), completed, closed] }),
  });

  test('is read by a client that puts characters together, and by no other', async () => {
    expect(
      await failures(
        rechunkedStream,
        heard((sent) => sent),
      ),
    ).toEqual([]);
    const wrong = heard((sent) => Buffer.from(sent, 'latin1').toString());
    expect(await failures(rechunkedStream, wrong)).toEqual(['the text arrives as it was']);
  });
});

describe('a stream with all that the syntax of SSE has', () => {
  const heard = (events: readonly DriveEvent[]): Client => ({ stream: () => ({ ok: true, events }) });

  test('says the same, and what a client does not hear of it is missed', async () => {
    expect(await failures(sseSyntax, heard([working, artifactEvent('N1'), completed, closed]))).toEqual([]);
    expect(await failures(sseSyntax, heard([working, completed, closed]))).toEqual(['the artifact arrives']);
    expect(await failures(sseSyntax, heard([closed]))).toEqual([
      'the client hears of one task',
      'the last state is COMPLETED',
      'the artifact arrives',
    ]);
  });
});

describe('a call that got no answer, or none that can be read', () => {
  const lost: DriveResult = { ok: false, error: broken, events: [] };

  test.each([
    [reset, 'the client says that the call failed'],
    [malformedJson, 'the client says that the call failed'],
    [staleCard, 'the client says that the call failed'],
  ])('has to be told ($0.id)', async (scenario, check) => {
    expect(
      await failures(scenario, { send: (faulty) => (faulty ? lost : { ok: true, events: [done] }) }),
    ).toEqual([]);
    expect(await failures(scenario, { send: () => ({ ok: true, events: [done] }) })).toEqual([check]);
    expect((await failures(scenario, { send: () => lost })).length).toBeGreaterThan(0);
  });
});

describe('a duplicate delivery', () => {
  const delivery = (body: string, token: Delivery['token'] = 'ok'): Partial<Delivery> => ({
    taskId: 't1',
    state: 'TASK_STATE_COMPLETED',
    body,
    token,
  });

  test('arrives exactly twice, says the same and has the token', async () => {
    expect(await failures(duplicateWebhook, { deliveries: [delivery('a'), delivery('a')] })).toEqual([]);
    expect(await failures(duplicateWebhook, { deliveries: [delivery('a'), delivery('b')] })).toEqual([
      'both say the same, so that the receiver can ignore the second',
    ]);
    expect(
      await failures(duplicateWebhook, { deliveries: [delivery('a'), delivery('a', 'absent')] }),
    ).toEqual(['both carry the token']);
    const four = ['a', 'a', 'a', 'a'].map((body) => delivery(body));
    expect(await failures(duplicateWebhook, { deliveries: four })).toEqual([
      'each delivery that was sent arrives twice',
    ]);
    expect(await failures(duplicateWebhook, { deliveries: [delivery('a')] })).toEqual([
      'the end of the task arrives twice',
    ]);
  });
});

describe('a duplicate event', () => {
  const chunk = (text: string, append: boolean): DriveEvent => ({ ...artifactEvent(text), append });
  const twice = (events: readonly DriveEvent[]): readonly DriveEvent[] =>
    events.flatMap((event) => [event, event]);
  const answer = (text: string): DriveResult => ({
    ok: true,
    events: [{ ...done, artifacts: [{ ...artifactEvent(text).artifact }] }],
  });
  const heard = (events: readonly DriveEvent[], kept = 'N1'): Client => ({
    stream: () => ({ ok: true, events: [...events, closed] }),
    task: answer(kept),
  });
  const events = [working, chunk('N', false), chunk('1', true), completed];

  test('may be told twice or once', async () => {
    expect(await failures(duplicateEvent, heard(twice(events)))).toEqual([]);
    expect(await failures(duplicateEvent, heard(events))).toEqual([]);
  });

  test('may not become one that says it twice, nor double what the task has', async () => {
    const joined = [working, chunk('NN11', false), completed];
    expect(await failures(duplicateEvent, heard(joined))).toEqual([
      'what the events say is not doubled in any of them',
    ]);
    expect(await failures(duplicateEvent, heard(twice(events), 'N11'))).toEqual([
      'the task has the text once',
    ]);
  });
});
