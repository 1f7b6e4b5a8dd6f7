import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { sentTask } from '../json/oldest-traffic.ts';
import { placeOf } from '../sent-message.ts';
import { shownStatus } from '../shown-state.ts';

const get = (state: string) =>
  rpc({
    version: '0.3',
    method: 'tasks/get',
    params: { id: 'task-1' },
    result: v03.task(state),
  });

export default defineRule({
  id: 'LIFE-017',
  level: 'INFO',
  party: 'server',
  summary: 'Before 1.0 a task may be in the state `unknown`, which says nothing.',
  spec: { '0.1': '6.3', '0.2': '6.3', '0.3': '6.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { unknown: 'The task is in the state `unknown`' },
  why: 'It is legal, and noted for the reader: a client can neither wait for the task nor give it up, and for 1.0 peers there is no such state.',
  fix: 'Nothing needs to change before 1.0; where the agent can find out, it should show the state that the task is in.',
  examples: {
    good: [[get('working')]],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [get('unknown')], messages: ['unknown'], outcomes: ['info'] },
      {
        example: sentTask({ type: 'text', text: 'hello' }, 'unknown'),
        messages: ['unknown'],
        outcomes: ['info'],
      },
    ],
  },
  when: ({ payloads }) => payloads.some((payload) => shownStatus(payload)?.state !== undefined),
  check: ({ payloads }, { report }) => {
    const shown = payloads.find((payload) => shownStatus(payload)?.rawState === 'unknown');
    if (shown !== undefined) report('unknown', { at: placeOf(shown, '/status/state'), actual: 'unknown' });
  },
});
