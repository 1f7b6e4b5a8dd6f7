import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { RawAnswer, ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { clip } from '../scenario/expect.ts';

const mostPolls = 20;
const pauseMs = 150;

export default defineScenario({
  id: 'legacy-tasks',
  title: 'tasks/send',
  summary:
    'A server of the days of A2A 0.1 carries out a task that comes by tasks/send, and tells of it by tasks/get.',
  // No SDK of today has a client for it.
  clients: 'raw',
  // Cards of those days name no version, and those of some servers look like later ones.
  versions: ['0.3', '0.1'],
  bindings: ['JSONRPC'],
  needs: [],
  named: true,
  hops: [{ from: 'client', to: 'server', min: 3 }],
  run: async (context: ScenarioContext) => {
    const nonce = context.nonce();
    const id = context.random.hex(32);
    const message = { role: 'user', parts: [{ type: 'text', text: nonce }] };
    const send = { id, sessionId: context.random.hex(32), message };
    let answer = await call(context, 'tasks/send', send);
    const atTheUrl = context.check(
      'tasks/send at the URL of the card is answered with a result (A2A 0.1: one URL for all methods)',
      answer.result !== undefined,
      answer.told,
    );
    // Some have a path for each method instead; what they make of the task there is worth knowing, too.
    if (!atTheUrl) answer = await call(context, 'tasks/send', send, 'tasks/send');
    context.require('tasks/send is answered with a result', answer.result !== undefined, answer.told);
    const further = (method: string, params: JsonObject) =>
      call(context, method, params, ...(atTheUrl ? [] : [method]));
    context.check(
      'the task has the id that the client gave',
      answer.result.id === id,
      clip(String(answer.result.id)),
    );

    let task = answer;
    for (let poll = 0; poll < mostPolls && !isOver(task.result); poll += 1) {
      await context.sleep(pauseMs);
      task = await further('tasks/get', { id });
    }
    const told = await further('tasks/get', { id });
    context.require('tasks/get is answered with a result', told.result !== undefined, told.told);
    const state = stateOf(told.result);
    context.check('the task is completed', state === 'completed', `it is ${clip(String(state))}`);
    const said = JSON.stringify([told.result.artifacts, told.result.status]);
    context.check('what was said comes back', said.includes(nonce), clip(said));
    const unknown = await further('tasks/get', { id: context.random.hex(32) });
    context.check(
      'an unknown task is refused with TaskNotFoundError (-32001)',
      unknown.code === -32001,
      unknown.told,
    );
  },
});

interface LegacyAnswer {
  readonly result: JsonObject | undefined;
  readonly code: number | undefined;
  /** For a sentence. */
  readonly told: string;
}

async function call(
  context: ScenarioContext,
  method: string,
  params: JsonObject,
  path?: string,
): Promise<LegacyAnswer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: context.random.hex(8), method, params });
  const answer = await context.probe.body('SendMessage', body, path);
  const json = jsonIn(answer);
  const result = isJsonObject(json) && isJsonObject(json.result) ? json.result : undefined;
  const error = isJsonObject(json) && isJsonObject(json.error) ? json.error : undefined;
  const code = typeof error?.code === 'number' ? error.code : undefined;
  return { result, code, told: `HTTP ${answer.status}, ${clip(answer.text) || 'no body'}` };
}

function jsonIn({ text }: RawAnswer): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const stateOf = (task: JsonObject): Json | undefined =>
  isJsonObject(task.status) ? task.status.state : undefined;

const isOver = (task: JsonObject | undefined): boolean =>
  task !== undefined && ['completed', 'canceled', 'failed'].includes(String(stateOf(task)));
