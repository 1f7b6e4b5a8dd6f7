import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { cardsNow } from '../declared-interfaces.ts';
import { refusalOf, wasServed } from '../refusal.ts';
import { shownDialect } from './shown-dialect.ts';

const saysNoVersion = ({ request }: DecodedExchange): boolean => (request.a2aVersion ?? '').trim() === '';

const card = getCard(v1.card());
const without = { headers: { 'A2A-Version': undefined }, purpose: 'probe' } as const;
const older = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;
const get = { method: 'GetTask', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'VER-003',
  level: 'MUST',
  party: 'server',
  summary: 'An agent that speaks 1.0 takes a request without version for one of 0.3.',
  spec: { '0.3': '3.6.2 of 1.0', '1.0': '3.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  messages: {
    guessed: 'The request has no version, and yet the agent serves it as 1.0',
    shape: 'The request of 0.3 has no version and is answered in the shapes of 1.0',
  },
  why: 'A client of 0.3 cannot read what comes back; and a 1.0 client that forgot the header works here and nowhere else. (Test suites disagree about the latter, so it is a warning.)',
  fix: 'Read an absent or empty `A2A-Version` as 0.3: answer in its shapes, or refuse with VersionNotSupportedError.',
  examples: {
    good: [
      [card, rpc({ ...older, result: v03.task('working') })],
      [card, rpc({ ...get, ...without, error: { code: -32601, message: 'Method not found' } })],
    ],
    skip: [
      [card, rpc({ ...get, result: v1.task('WORKING') })],
      [rpc({ ...older, result: v03.task('working') })],
    ],
    bad: [
      { example: [rpc({ ...get, ...without, result: v1.task('WORKING') })], messages: ['guessed'] },
      {
        example: [rest({ verb: 'GET', path: '/tasks/task-1', ...without, response: v1.task('WORKING') })],
        messages: ['guessed'],
      },
      { example: [card, rpc({ ...older, result: v1.task('WORKING') })], messages: ['shape'] },
    ],
  },
  when: (exchange, { conversation }) => {
    if (!saysNoVersion(exchange)) return false;
    if (!wasServed(exchange) && refusalOf(exchange) === undefined) return false;
    if (exchange.dialect?.version === '1.0') return true;
    return cardsNow(conversation, exchange.captured.edge.callee).some(
      ({ card: seen }) => seen.version === '1.0',
    );
  },
  check: (exchange, { report }) => {
    if (!wasServed(exchange)) return;
    if (exchange.dialect?.version === '1.0') {
      report('guessed', {
        at: { side: 'response', pointer: '' },
        outcome: 'warn',
        expected: '0.3, or VersionNotSupportedError',
      });
      return;
    }
    const modern = exchange.payloads.find(
      (payload) => payload.side === 'response' && shownDialect(payload) === '1.0',
    );
    if (modern === undefined) return;
    const { event, pointer } = modern;
    report('shape', {
      at: { side: 'response', pointer, ...(event === undefined ? {} : { event }) },
      expected: 'the shapes of 0.3',
    });
  },
});
