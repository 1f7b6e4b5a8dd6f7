import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { wasServed } from '../refusal.ts';
import { isUnread } from '../unread-body.ts';

const call = { method: 'GetExtendedAgentCard', headers: { Authorization: 'Bearer t-1' } } as const;

const required = [
  'name',
  'description',
  'supportedInterfaces',
  'version',
  'capabilities',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
] as const;

export default defineRule({
  id: 'XCARD-005',
  level: 'MUST',
  party: 'server',
  summary: 'The extended card is a complete card, not only what it adds to the public one.',
  spec: { '1.0': '3.1.11' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetExtendedAgentCard'],
  messages: {
    card: 'The answer to the call for the extended card is {found} instead of a card',
    incomplete: 'The extended card lacks {members}',
  },
  where: { card: { bindings: ['JSONRPC', 'HTTP+JSON'] } },
  why: 'Clients put it in the place of the public card: what it leaves out, interfaces first of all, is then lost.',
  fix: 'Return the whole card, with every REQUIRED member and at least one interface.',
  examples: {
    good: [
      [rpc({ ...call, result: v1.card() })],
      [
        rest({
          verb: 'GET',
          path: '/extendedAgentCard',
          headers: call.headers,
          response: v1.card(),
          responseHeaders: { 'Cache-Control': 'private, max-age=300' },
        }),
      ],
    ],
    skip: [
      [rpc({ ...call, error: { code: -32004, message: 'There is no such card' } })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [rpc({ ...call, result: null })], messages: ['card'] },
      {
        example: [rest({ verb: 'GET', path: '/extendedAgentCard', headers: call.headers, response: [] })],
        messages: ['card'],
      },
      {
        example: [rpc({ ...call, result: v1.card({ supportedInterfaces: undefined, version: undefined }) })],
        messages: ['incomplete'],
      },
      { example: [rpc({ ...call, result: v1.card({ supportedInterfaces: [] }) })], messages: ['incomplete'] },
    ],
  },
  when: (exchange) => {
    if (exchange.operation !== 'GetExtendedAgentCard' || !wasServed(exchange)) return false;
    const { state } = exchange.response?.json ?? {};
    return isUnread(state) ? 'undecidable' : state === 'ok';
  },
  check: ({ response }, { report }) => {
    const found = response?.result;
    const at = { side: 'response', pointer: response?.pointer ?? '' } as const;
    if (!isJsonObject(found)) {
      report('card', { data: { found }, at, expected: 'a card', actual: found });
      return;
    }
    const { supportedInterfaces } = found;
    const members = required.filter((member) => found[member] === undefined || found[member] === null);
    const nowhere = Array.isArray(supportedInterfaces) && supportedInterfaces.length === 0;
    const lacking = [...members, ...(nowhere ? ['any interface'] : [])];
    if (lacking.length > 0)
      report('incomplete', { data: { members: lacking.join(', ') }, at, expected: 'every REQUIRED member' });
  },
});
