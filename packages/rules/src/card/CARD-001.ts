import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

const html = {
  responseHeaders: { 'Content-Type': 'text/html' },
  text: '<html><body>Agent</body></html>',
} as const;

export default defineRule({
  id: 'CARD-001',
  level: 'MUST',
  party: 'server',
  summary: 'What an agent serves as its card is one JSON object.',
  spec: { '0.1': '5.1', '0.2': '5.1', '0.3': '5.1', '1.0': '8.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  about: ['card'],
  messages: {
    absent: 'The card is empty',
    json: 'The card is no JSON: {problem}',
    object: 'The card is {found} instead of a JSON object',
  },
  why: 'Without its card nobody can find out where and how to call the agent.',
  fix: 'Answer with the card as JSON, whatever the request says it accepts.',
  examples: {
    good: [[getCard(v1.card())], [getCard(v03.card())]],
    skip: [
      [getCard({ detail: 'Not Found' }, { status: 404 })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [getCard(null, html)], messages: ['json'] },
      { example: [getCard([v1.card()])], messages: ['object'] },
      { example: [getCard(null, { text: '' })], messages: ['absent'] },
    ],
  },
  when: ({ kind, response }) => {
    if (kind !== 'card' || response === undefined || response.status < 200 || response.status > 299)
      return false;
    return isUnread(response.json.state) ? 'undecidable' : true;
  },
  check: ({ response }, { report }) => {
    const at = { side: 'response', pointer: '' } as const;
    if (response === undefined) return;
    const { state, value, problem, text } = response.json;
    if (text === '') report('absent', { at, expected: 'a JSON object' });
    else if (state === 'invalid')
      report('json', { data: { problem }, at, expected: 'a JSON object', actual: text });
    else if (!isJsonObject(value))
      report('object', { data: { found: value }, at, expected: 'a JSON object', actual: value });
  },
});
