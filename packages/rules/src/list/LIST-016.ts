import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, refusesInput, wasServed } from '../refusal.ts';
import { askedToken, pageBefore } from './asked-page.ts';
import { listedTask, listPage } from './page.ts';

const probe = { method: 'ListTasks', params: { pageToken: 'no-such-page' }, purpose: 'probe' } as const;
const restProbe = { verb: 'GET', path: '/tasks?pageToken=no-such-page', purpose: 'probe' } as const;
const page = listPage([listedTask(1)]);

export default defineRule({
  id: 'LIST-016',
  level: 'MUST',
  party: 'server',
  summary: 'A page token that the agent has not given is refused.',
  spec: { '1.0': '3.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: { served: 'The agent serves a page for a token that it has not given' },
  why: 'A client with a damaged token gets the first page as if it were the next, and starts over without noticing.',
  fix: 'Check that a token is one of your own, for instance by a signature in it, and answer a validation error (-32602, HTTP 400) otherwise.',
  examples: {
    good: [
      [rpc({ ...probe, error: { code: -32602, message: 'Unknown page token' } })],
      [
        rest({
          ...restProbe,
          status: 400,
          response: restError(400, 'INVALID_ARGUMENT', 'Unknown page token'),
        }),
      ],
    ],
    skip: [
      // In ordinary traffic the token may be older than the capture.
      [rpc({ method: 'ListTasks', params: { pageToken: 'page-2' }, result: page })],
      [rpc({ method: 'ListTasks', params: {}, purpose: 'probe', result: page })],
      // The harness sends the token of a page before.
      [
        rpc({
          method: 'ListTasks',
          params: {},
          result: listPage([listedTask(1)], { nextPageToken: 'page-2', totalSize: 2 }),
        }),
        rpc({
          method: 'ListTasks',
          params: { pageToken: 'page-2' },
          purpose: 'probe',
          result: listPage([listedTask(2)], { totalSize: 2 }),
        }),
      ],
      [rest({ ...restProbe, status: 503, response: restError(503, 'UNAVAILABLE', 'Try again later') })],
    ],
    bad: [
      { example: [rpc({ ...probe, result: page })], messages: ['served'] },
      { example: [rest({ ...restProbe, response: page })], messages: ['served'] },
    ],
  },
  when: (exchange, { conversation }) => {
    if (!isForged(exchange, conversation)) return false;
    const refusal = refusalOf(exchange);
    if (refusal === undefined) return wasServed(exchange);
    return concernsOperation(refusal) || refusesInput(exchange);
  },
  check: (exchange, { report }) => {
    if (refusalOf(exchange) !== undefined) return;
    report('served', {
      at: { side: 'request', pointer: `${exchange.request.pointer}/pageToken` },
      expected: 'a validation error',
    });
  },
});

/** A probe whose token no page gave: the harness made it up. */
const isForged = (exchange: DecodedExchange, conversation: Conversation): boolean =>
  exchange.captured.purpose === 'probe' &&
  askedToken(exchange) !== undefined &&
  pageBefore(exchange, conversation) === undefined;
