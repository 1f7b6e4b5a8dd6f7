import { type DecodedExchange, isInterrupted, isTerminal } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v03 } from '@plugfest/verifier/examples';
import { placeOf, returnedTasks } from '../sent-message.ts';

const send = (state: string, configuration = {}) =>
  rpc({
    version: '0.3',
    method: 'message/send',
    params: { message: v03.message('hello'), configuration },
    result: v03.task(state),
  });

/** The client asked to wait. Without that, 0.3 lets the server answer when it likes. */
function asksToWait({ request }: DecodedExchange): boolean {
  const { params } = request;
  const configuration = isJsonObject(params) ? params.configuration : undefined;
  return isJsonObject(configuration) && configuration.blocking === true;
}

function shownState(exchange: DecodedExchange) {
  const [answer] = returnedTasks(exchange);
  const state = answer?.task.status.state;
  return answer === undefined || state === undefined || state === 'TASK_STATE_UNSPECIFIED'
    ? undefined
    : { answer, state };
}

export default defineRule({
  id: 'SEND-028',
  level: 'MUST',
  party: 'server',
  summary: 'In 0.3 a send waits for the task where, and only where, the client sets `blocking`.',
  spec: { '0.3': '7.1.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['SendMessage'],
  messages: { early: 'The client asked to wait, and the send is answered while the task is {found}' },
  why: 'The client takes the answer for the result, and nobody polls for the rest. 0.3 says only that the server may decline to wait, and not by which answer, so it is a warning.',
  fix: 'Wait for a terminal or interrupted state where `blocking` is true, or refuse the send.',
  examples: {
    good: [[send('completed', { blocking: true })], [send('input-required', { blocking: true })]],
    skip: [[send('working')], [send('working', { blocking: false })]],
    bad: [{ example: [send('working', { blocking: true })], messages: ['early'], outcomes: ['warn'] }],
  },
  when: (exchange) =>
    exchange.operation === 'SendMessage' && asksToWait(exchange) && shownState(exchange) !== undefined,
  check: (exchange, { report }) => {
    const shown = shownState(exchange);
    if (shown === undefined || isTerminal(shown.state) || isInterrupted(shown.state)) return;
    report('early', {
      outcome: 'warn',
      data: { found: shown.answer.task.status.rawState },
      at: placeOf(shown.answer, '/status/state'),
      expected: 'a terminal or interrupted state',
      actual: shown.answer.task.status.rawState,
    });
  },
});
