import { defineRule, type Rule } from '@plugfest/verifier';
import { getCard, rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { type VersionMatch, versionMatch, versionsInUse } from './declared-version.ts';

interface RefusedVersion extends Pick<Rule, 'id' | 'summary' | 'why' | 'fix'> {
  readonly section: string;
  readonly message: string;
  /** How announced and declared version stand to each other where the rule applies. */
  readonly match: NonNullable<VersionMatch>;
  /** A version to announce in the examples, to an agent that declares 1.0. */
  readonly announced: string;
}

/** A rule that a version which the called interface declares, in some spelling, is not refused there. */
export function refusedVersionRule(given: RefusedVersion): Rule {
  const { id, summary, why, fix, section, message, match, announced } = given;
  const card = getCard(v1.card());
  // A client may announce what is declared; anything else is tried on purpose.
  const purpose = announced === '1.0' ? undefined : ('probe' as const);
  const asked = { headers: { 'A2A-Version': announced }, ...(purpose && { purpose }) };
  const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
  const getOverRest = { verb: 'GET', path: '/tasks/task-1', ...asked } as const;
  const data = [v1.errorInfo('VERSION_NOT_SUPPORTED')];
  const refused = restError(400, 'FAILED_PRECONDITION', 'Not this one', data);
  return defineRule({
    id,
    level: 'MUST',
    party: 'server',
    summary,
    spec: { '1.0': section },
    bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
    scope: 'exchange',
    messages: { refused: message },
    why,
    fix,
    examples: {
      good: [
        [card, rpc({ ...get, ...asked, result: v1.task('WORKING') })],
        [card, rest({ ...getOverRest, response: v1.task('WORKING') })],
      ],
      skip: [
        [rpc({ ...get, ...asked, result: v1.task('WORKING') })],
        [
          card,
          rpc({ ...get, headers: { 'A2A-Version': '2.0' }, purpose: 'probe', result: v1.task('WORKING') }),
        ],
      ],
      bad: [
        {
          example: [card, rpc({ ...get, ...asked, error: { code: -32009, message: 'Not this one', data } })],
          messages: ['refused'],
        },
        { example: [card, rest({ ...getOverRest, status: 400, response: refused })], messages: ['refused'] },
      ],
    },
    when: (exchange, { conversation }) => {
      if (versionMatch(exchange, versionsInUse(exchange, conversation)) !== match) return false;
      return wasServed(exchange) || refusalOf(exchange)?.name !== undefined;
    },
    check: (exchange, { conversation, report }) => {
      const error = refusalOf(exchange);
      if (error?.name !== 'VersionNotSupportedError') return;
      report('refused', {
        data: {
          version: exchange.request.a2aVersion,
          declared: versionsInUse(exchange, conversation).join(', '),
        },
        at: { side: 'response', pointer: error.pointer },
        expected: 'an answer',
        actual: error.value,
      });
    },
  });
}
