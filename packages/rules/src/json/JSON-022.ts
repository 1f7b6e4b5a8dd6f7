import type { DecodedExchange, JsonBody } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, restV03, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';
import { faultless03, faultless10 } from './traffic-without-fault.ts';

const saysJson = (mediaType: string): boolean =>
  mediaType === 'application/json' || mediaType.endsWith('+json');

/** Calls back for each JSON text of an exchange: bodies labelled as JSON, and event data. Syntax of events is SSE-002. */
function forEachText(
  { request, response }: DecodedExchange,
  see: (json: JsonBody, side: 'request' | 'response', event?: number) => void,
): void {
  if (saysJson(request.mediaType)) see(request.json, 'request');
  if (response === undefined) return;
  if (response.events !== undefined) {
    for (const { index, json } of response.events) if (json.state === 'ok') see(json, 'response', index);
  } else if (saysJson(response.mediaType)) see(response.json, 'response');
}

const isReadable = (json: JsonBody): boolean =>
  json.state === 'ok' || (json.state === 'invalid' && json.text !== '');

const twoDocuments = '{"jsonrpc":"2.0","id":1,"result":null}{"jsonrpc":"2.0","id":1,"result":null}';

const getOverRest = { verb: 'GET', path: '/tasks/task-1' } as const;
const getOverRest03 = { verb: 'GET', path: '/v1/tasks/task-1' } as const;
const notUtf8 = {
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body_base64: Buffer.from('7b22726573756c74223a22ff227d', 'hex').toString('base64'),
};
const older = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;
/** The text of an object whose first member comes twice. */
const twice = (value: object): string => JSON.stringify(value).replace(/^\{("[^"]*":"[^"]*",)/, '{$1$1');
const answer = (result: object): string => twice({ jsonrpc: '2.0', id: 1, result });
const task01 = {
  id: 'task-1',
  sessionId: 's-1',
  status: { state: 'working', timestamp: '2026-01-01T00:00:02Z' },
};
const repeatedNames = [
  rpc({ method: 'GetTask', params: { id: 'task-1' }, responseText: answer(v1.task('WORKING')) }),
  rpc({ ...older, responseText: answer(v03.task('working')) }),
  rpc({ ...older, headers: { 'A2A-Version': '0.2' }, responseText: answer(v03.task('working')) }),
  rpc({ ...older, responseText: answer(task01) }),
  restV03({ ...getOverRest03, responseText: twice(v03.task('working')) }),
];

export default defineRule({
  id: 'JSON-022',
  level: 'MUST',
  party: 'sender',
  summary: 'A body that is labelled as JSON is one JSON text in UTF-8 without repeated member names.',
  spec: { '0.1': '3.2', '0.2': '3.2', '0.3': '3.2.1', '1.0': '14.1.1' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: {
    syntax: 'The body is no JSON text: {problem}',
    utf8: 'The body is not valid UTF-8',
    repeated: 'The member {pointer} occurs twice in one object',
  },
  why: 'The peer cannot read the body at all; of repeated members each reader keeps another one, or refuses the body. RFC 8259 section 4 only advises against repeated members, so they are a warning.',
  fix: 'Write the body with a JSON serialiser, once, in UTF-8, and send several documents as a stream of events.',
  examples: {
    good: [
      faultless10.rpc,
      faultless10.rest,
      faultless10.stream,
      faultless10.webhook,
      faultless10.card,
      faultless03.rpc,
    ],
    skip: [
      [
        rest({
          verb: 'GET',
          path: '/tasks/nope',
          status: 404,
          responseHeaders: { 'Content-Type': 'text/html' },
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpcStream({
            method: 'SubscribeToTask',
            params: { id: 'task-1' },
            events: [{ task: v1.task('WORKING') }],
            raw: `data: ${twice({ jsonrpc: '2.0', id: 1, result: v1.statusUpdate('COMPLETED') })}\n\n`,
          }),
        ],
        messages: ['repeated'],
      },
      ...repeatedNames.map((example) => ({ example: [example], messages: ['repeated'] as const })),
      { example: [rest({ ...getOverRest, responseText: '{"id": "task-1",}' })], messages: ['syntax'] },
      { example: [restV03({ ...getOverRest03, responseText: '{"id": "task-1",}' })], messages: ['syntax'] },
      {
        example: [
          {
            ...rest(getOverRest),
            response: { ...notUtf8, headers: { 'Content-Type': 'application/a2a+json' } },
          },
        ],
        messages: ['utf8'],
      },
      { example: [{ ...restV03(getOverRest03), response: notUtf8 }], messages: ['utf8'] },
      {
        example: [rpc({ method: 'GetTask', params: { id: 'task-1' }, responseText: twoDocuments })],
        messages: ['syntax'],
      },
      {
        example: [
          rpc({
            method: 'GetTask',
            requestText: '{"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "task-1",}}',
            responseId: null,
            error: { code: -32700, message: 'Invalid JSON payload' },
          }),
        ],
        messages: ['syntax'],
      },
      {
        example: [
          {
            ...rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') }),
            response: {
              status: 200,
              headers: { 'Content-Type': 'application/json' },
              body_base64: Buffer.from('7b22726573756c74223a22ff227d', 'hex').toString('base64'),
            },
          },
        ],
        messages: ['utf8'],
      },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/tasks/task-1',
            responseText: JSON.stringify(v1.task('WORKING')).replace('{', '{"id":"task-1",'),
          }),
        ],
        messages: ['repeated'],
      },
    ],
  },
  when: (exchange) => {
    let applies: boolean | 'undecidable' = false;
    forEachText(exchange, (json) => {
      if (isReadable(json)) applies = true;
      else if (applies === false && isUnread(json.state)) applies = 'undecidable';
    });
    return applies;
  },
  check: (exchange, { report }) => {
    forEachText(exchange, (json, side, event) => {
      if (!isReadable(json)) return;
      const [pointer] = json.duplicates;
      if (json.utf8 && json.state === 'ok' && pointer === undefined) return;
      const at = { side, ...(event === undefined ? {} : { event }), pointer: '' };
      if (!json.utf8) report('utf8', { at, expected: 'UTF-8' });
      else if (json.state === 'invalid') report('syntax', { data: { problem: json.problem }, at });
      // RFC 8259 only advises against repeated names (section 4).
      if (pointer !== undefined)
        report('repeated', { data: { pointer }, at: { ...at, pointer }, outcome: 'warn' });
    });
  },
});
