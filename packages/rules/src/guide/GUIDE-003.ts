import type { DecodedExchange } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { sentMessage } from '../sent-message.ts';

const send = (from: string, to: string, token: string, text: string, id: string) =>
  rpc({
    from,
    to,
    method: 'SendMessage',
    headers: { Authorization: `Bearer ${token}` },
    params: { message: v1.message(text) },
    result: { task: v1.task('COMPLETED', { id }) },
  });
const send03 = (from: string, to: string, token: string, text: string) =>
  rpc({
    version: '0.3',
    from,
    to,
    method: 'message/send',
    headers: { Authorization: `Bearer ${token}` },
    params: { message: v03.message(text) },
    result: v03.task('completed'),
  });
const asked = send('client', 'planner', 't-1', 'Plan a journey', 'task-9');
const asked03 = send03('client', 'planner', 't-1', 'Plan a journey');

export default defineRule({
  id: 'GUIDE-003',
  level: 'SHOULD',
  party: 'client',
  summary: 'An agent that works with others does not hand on the credentials that it was called with.',
  spec: {
    '0.1': 'Guide: Delegation',
    '0.2': 'Guide: Delegation',
    '0.3': 'Guide: Delegation',
    '1.0': 'Guide: Delegation',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    forwarded: 'The call to {agent} carries the credentials with which {from} called this agent',
  },
  why: 'The other agent can now do in the name of the user whatever the token allows, at every agent that takes it, and may be compromised or just log it.',
  fix: 'Exchange the token for a short-lived one with the other agent as its audience and only the scopes that the delegated work needs (RFC 8693).',
  examples: {
    good: [
      [asked, send('planner', 'flights', 't-2', 'Find a flight', 'task-1')],
      [asked03, send03('planner', 'flights', 't-2', 'Find a flight')],
      // Back to where they came from they go nowhere new.
      [asked, send('planner', 'client', 't-1', 'Which day?', 'task-1')],
    ],
    skip: [
      [asked],
      // A gateway hands the whole call on, credentials included.
      [
        send('client', 'gateway', 't-1', 'Plan a journey', 'task-1'),
        send('gateway', 'planner', 't-1', 'Plan a journey', 'task-1'),
      ],
    ],
    bad: [
      {
        example: [asked, send('planner', 'flights', 't-1', 'Find a flight', 'task-1')],
        messages: ['forwarded'],
      },
      {
        example: [asked03, send03('planner', 'flights', 't-1', 'Find a flight')],
        messages: ['forwarded'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const { caller } = exchange.captured.edge;
    return (
      credentialsOf(exchange) !== undefined &&
      sentMessage(exchange) !== undefined &&
      conversation.peer(caller).version !== undefined &&
      // Who hands a message on is no client of its own.
      conversation.handedOn(exchange) === undefined
    );
  },
  check: (exchange, { conversation, report }) => {
    const { caller, callee } = exchange.captured.edge;
    const uses = conversation.usesOf(credentialsOf(exchange) ?? '');
    const received = uses.find((use) => use.agent === caller && use.caller !== callee);
    if (received === undefined) return;
    report('forwarded', {
      data: { agent: callee, from: received.caller },
      at: { side: 'request', header: 'authorization' },
      expected: 'credentials of its own for this agent',
    });
  },
});

const credentialsOf = ({ captured }: DecodedExchange): string | undefined =>
  header(captured.request.headers, 'authorization');
