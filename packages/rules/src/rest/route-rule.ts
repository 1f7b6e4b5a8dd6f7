import type { Operation } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import type { Example, ExampleExchange } from '@plugfest/verifier/examples';
import { rpc, v1 } from '@plugfest/verifier/examples';
import { calledRoute } from './called-route.ts';

/** What is particular to the rule of one route. */
export interface RouteRule {
  readonly id: string;
  readonly operations: readonly Operation[];
  /** The route as in section 11.3, e.g. `POST {base}/message:send`. */
  readonly route: string;
  readonly summary: string;
  readonly section: string;
  readonly good: readonly ExampleExchange[];
  readonly bad: readonly (ExampleExchange | Example)[];
  /** Further examples that the rule does not apply to. */
  readonly skip?: readonly Example[];
  /** Calls at other paths of this sort look like JSON-RPC without its envelope. */
  readonly strays?: boolean;
}

/** An operation is called with its verb at its path below the interface URL. */
export function routeRule(definition: RouteRule): Rule {
  const { id, operations, route, summary, section, good, bad, skip = [], strays = true } = definition;
  return defineRule({
    id,
    level: 'MUST',
    party: 'client',
    summary,
    spec: { '1.0': section },
    bindings: strays ? ['HTTP+JSON', 'JSONRPC'] : ['HTTP+JSON'],
    scope: 'exchange',
    messages: { route: `{verb} {path} is no call of A2A; {operation} is ${route}` },
    why: 'A server finds the operation by verb and path alone: at any other place it answers 404 or 405, or does something else.',
    fix: `Call ${route}, where {base} is the URL of the HTTP+JSON interface in the card.`,
    examples: {
      good: good.map((exchange) => [exchange]),
      skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })], ...skip],
      bad: bad.map((each) => ({ example: [each].flat(), messages: ['route'] as const })),
    },
    when: (exchange, { conversation }) => {
      const called = calledRoute(exchange, conversation);
      return called !== undefined && operations.includes(called.operation);
    },
    check: (exchange, { conversation, report }) => {
      const called = calledRoute(exchange, conversation);
      if (called === undefined || called.right) return;
      const { path } = exchange.request;
      report('route', {
        data: { verb: called.verb, path, operation: called.operation },
        at: { side: 'request' },
        expected: route,
        actual: `${called.verb} ${path}`,
      });
    },
  });
}
