import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, restError, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { cardsNow } from '../declared-interfaces.ts';
import { majorMinor } from '../major-minor.ts';
import { refusalOf, wasServed } from '../refusal.ts';
import { isUndeclaredVersion } from './undeclared-version.ts';

/** The refusal says itself that the version is the reason. */
function blamesVersion(exchange: DecodedExchange): boolean {
  const message = refusalOf(exchange)?.message?.toLowerCase() ?? '';
  if ((exchange.request.a2aVersion ?? '').trim() === '' || !message.includes('version')) return false;
  return message.includes('unsupported') || message.includes('not supported');
}

const isOlder = (version: string | undefined): boolean => (majorMinor(version) ?? '').startsWith('0.');

const card = getCard(v1.card());
const future = { headers: { 'A2A-Version': '9.9' }, purpose: 'probe' } as const;
const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const unsupported = {
  code: -32009,
  message: 'Version not supported',
  data: [v1.errorInfo('VERSION_NOT_SUPPORTED')],
};

export default defineRule({
  id: 'VER-004',
  level: 'MUST',
  party: 'server',
  summary: 'A version that the interface does not support is refused with VersionNotSupportedError.',
  spec: { '1.0': '3.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    served: 'The agent serves a request of version {version}, which the interface does not declare',
    code: 'The agent refuses version {version} with {found} instead of VersionNotSupportedError',
  },
  why: 'Only that error tells a client to try an interface of another version; otherwise it believes in a fault, or reads answers of one version by the rules of another. An agent that shows cards of older versions only cannot know this error, so there it is a warning.',
  fix: 'Compare Major.Minor of `A2A-Version` with what the interface declares, before anything else, and answer -32009 or HTTP 400 with the reason VERSION_NOT_SUPPORTED.',
  examples: {
    good: [
      [card, rpc({ ...get, ...future, error: unsupported })],
      // By the older version there is no such method.
      [
        card,
        rpc({
          ...get,
          headers: { 'A2A-Version': '0.5' },
          purpose: 'probe',
          error: { code: -32601, message: 'Method not found' },
        }),
      ],
      [
        card,
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          ...future,
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', 'Version not supported', [
            v1.errorInfo('VERSION_NOT_SUPPORTED'),
          ]),
        }),
      ],
    ],
    skip: [
      [card, rpc({ ...get, result: v1.task('WORKING') })],
      [rpc({ ...get, ...future, result: v1.task('WORKING') })],
      [card, rpc({ ...get, ...future, status: 401, responseBody: { error: 'unauthorized' } })],
    ],
    bad: [
      { example: [card, rpc({ ...get, ...future, result: v1.task('WORKING') })], messages: ['served'] },
      {
        example: [card, rpc({ ...get, ...future, error: { code: -32602, message: 'Invalid parameters' } })],
        messages: ['code'],
      },
      {
        example: [rpc({ ...get, error: { code: -32600, message: 'Unsupported A2A version: 1.0' } })],
        messages: ['code'],
      },
      {
        example: [
          getCard(v03.card()),
          rpc({ ...get, purpose: 'probe', error: { code: -32600, message: 'Unsupported A2A version: 1.0' } }),
        ],
        messages: ['code'],
      },
      {
        example: [
          card,
          rpc({
            ...get,
            ...future,
            error: {
              code: -32006,
              message: 'The agent failed',
              data: [v1.errorInfo('INVALID_AGENT_RESPONSE')],
            },
          }),
        ],
        messages: ['code'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (blamesVersion(exchange)) return true;
    if (!isUndeclaredVersion(exchange, conversation)) return false;
    return wasServed(exchange) || refusalOf(exchange)?.name !== undefined;
  },
  check: (exchange, { conversation, report }) => {
    const error = refusalOf(exchange);
    const version = exchange.request.a2aVersion;
    const expected = 'VersionNotSupportedError';
    if (error === undefined) {
      report('served', { data: { version }, at: { side: 'response', pointer: '' }, expected });
      return;
    }
    if (error.name === expected) return;
    // To an agent that reads the call as 0.3 its method does not exist.
    if (error.name === 'MethodNotFoundError' && isOlder(version)) return;
    const cards = cardsNow(conversation, exchange.captured.edge.callee);
    // What came before 1.0 cannot know an error of 1.0.
    const isOld =
      conversation.missesCard(exchange.captured.edge.callee) ||
      (cards.length > 0 && cards.every(({ card: seen }) => seen.version !== '1.0'));
    if (isOld && !blamesVersion(exchange)) return;
    report('code', {
      data: { version, found: error.name ?? error.code },
      at: { side: 'response', pointer: error.pointer },
      ...(isOld ? { outcome: 'warn' as const } : {}),
      expected,
      actual: error.value,
    });
  },
});
