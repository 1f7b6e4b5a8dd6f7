import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule, requestTenant } from '@plugfest/verifier';
import { getCard, rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { tenantCard } from './selected-tenant.ts';

/** The two tenants of a request that names one in its path and another one in its body. */
function differing(exchange: DecodedExchange): { readonly path: string; readonly body: string } | undefined {
  const { request } = exchange;
  const { value } = request.json;
  const body = isJsonObject(value) ? value.tenant : undefined;
  const path = requestTenant(exchange);
  if (typeof body !== 'string' || body === '' || path === undefined || path === body) return undefined;
  // The path wins over the query, so that it is the path which differs unless the query says the same.
  return request.query.some(([name, text]) => name === 'tenant' && text === path)
    ? undefined
    : { path, body };
}

const card = getCard(tenantCard());
const send = (path: string, tenant: string) =>
  ({
    verb: 'POST',
    path,
    purpose: 'probe',
    body: { message: v1.message('hello'), tenant },
  }) as const;
const served = { response: { task: v1.task('COMPLETED') } } as const;

export default defineRule({
  id: 'TEN-005',
  level: 'SHOULD',
  party: 'server',
  summary: 'A request that names one tenant in its path and another one in its body is refused.',
  spec: { '1.0': '11.5' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    merged: 'The agent serves a request with the tenant {path} in its path and {body} in its body',
  },
  why: 'A gateway that checks the one and an agent that uses the other let a caller into the data of somebody else.',
  fix: 'Compare the two, and answer 400 with INVALID_ARGUMENT where they differ.',
  examples: {
    good: [
      [
        card,
        rest({
          ...send('/acme/message:send', 'globex'),
          status: 400,
          response: restError(400, 'INVALID_ARGUMENT', 'The tenants of path and body differ'),
        }),
      ],
    ],
    skip: [
      [card, rest({ ...send('/acme/message:send', 'acme'), ...served })],
      [card, rest({ ...send('/message:send', 'acme'), ...served })],
      [card, rest({ ...send('/acme/message:send', ''), ...served })],
      // The query is not the path.
      [card, rest({ ...send('/message:send?tenant=acme', 'globex'), ...served })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [card, rest({ ...send('/acme/message:send', 'globex'), ...served })], messages: ['merged'] },
    ],
  },
  when: (exchange) =>
    differing(exchange) !== undefined && (wasServed(exchange) || refusalOf(exchange) !== undefined),
  check: (exchange, { report }) => {
    const found = differing(exchange);
    if (found === undefined || !wasServed(exchange)) return;
    report('merged', { data: { ...found }, at: { side: 'response' }, expected: 'HTTP 400' });
  },
});
