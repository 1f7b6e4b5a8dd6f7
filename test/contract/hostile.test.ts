import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { CapturedExchange } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failedRules, judgeTraffic, sorts, withRequestBody, withResponseBody } from './captured-traffic.ts';

const book = await loadRulebook();

const task = (more: string): string =>
  `{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING"},${more}}`;
const answer = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`;
const deep = (open: string, close: string, levels = 100_000): string =>
  open.repeat(levels) + close.repeat(levels);

/** Texts that a peer may send to bring a reader down. Each also stands inside of a task, where a rule may walk. */
const texts: Readonly<Record<string, () => string>> = {
  'lists nested 100,000 deep': () => deep('[', ']'),
  'objects nested 100,000 deep': () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'lists that never close': () => '['.repeat(100_000),
  'a text of 10 MB': () => `"${'a'.repeat(10_000_000)}"`,
  'a name of 1 MB': () => `{"${'n'.repeat(1_000_000)}":1}`,
  'a number of 100,000 digits': () => '9'.repeat(100_000),
  'numbers beyond doubles': () => '[1e999,-1e999,1e-999,-0,123456789012345678901234567890]',
  'names twice': () => `{${'"id":1,'.repeat(2000)}"id":2}`,
  'the names of Object.prototype': () =>
    '{"__proto__":{"state":"x","toString":1},"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":null,"valueOf":[]}',
  'lone surrogates': () => '["\\ud800","\\udfff\\ud800",{"\\udc00":"\\ud83d"}]',
  'control characters': () => '["\\u0000\\u001b[31m\\u202e"]',
  '100,000 members': () => `{${Array.from({ length: 100_000 }, (_, i) => `"m${i}":${i}`).join(',')}}`,
  '20,000 parts': () => `[${'{"text":1},'.repeat(20_000)}{}]`,
  nothing: () => '',
  null: () => 'null',
  NaN: () => 'NaN',
  'a byte order mark': () => '\uFEFF{}',
};

/** Where a JSON value may stand in traffic. */
const places: Readonly<Record<string, (text: string) => readonly CapturedExchange[]>> = {
  'a card': (text) => [respond('card', text)],
  'a member of a card': (text) => [
    respond(
      'card',
      `{"name":${text},"supportedInterfaces":${text},"skills":[${text}],"capabilities":${text},"securitySchemes":{"a":${text}},"signatures":${text},"url":${text},"protocolVersion":"0.3.0"}`,
    ),
  ],
  'a JSON-RPC request': (text) => [request('rpc', text)],
  'the params of a request': (text) => [
    request('rpc', `{"jsonrpc":"2.0","id":${text},"method":"SendMessage","params":${text}}`),
  ],
  'a message': (text) => [
    request(
      'rpc',
      `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":${text},"parts":${text},"metadata":${text}},"configuration":${text}}}`,
    ),
  ],
  'a result': (text) => [respond('rpc', answer(text))],
  'a result of 0.3': (text) => [respond('rpc 0.3', answer(text))],
  'an error': (text) => [
    respond('rpc', `{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":${text},"data":${text}}}`),
  ],
  'members of a task': (text) => [
    respond('rpc', answer(task(`"artifacts":${text},"history":${text},"metadata":${text}`))),
  ],
  'a body of HTTP+JSON': (text) => [respond('rest', text), request('rest', text)],
  'an event': (text) => [respond('stream', `data: ${answer(text)}\n\n`)],
  'the lines of an event': (text) => [respond('stream', text)],
  'a delivery': (text) => [request('webhook', text), request('webhook', `{"task":${task(`"x":${text}`)}}`)],
};

const sort = (name: string): CapturedExchange => {
  const exchange = sorts[name];
  if (exchange === undefined) throw new Error(`no sort ${name}`);
  return exchange;
};
const respond = (name: string, text: string) => withResponseBody(sort(name), Buffer.from(text));
const request = (name: string, text: string) => withRequestBody(sort(name), Buffer.from(text));

describe('no input brings the verifier down:', () => {
  for (const [what, text] of Object.entries(texts))
    for (const [where, put] of Object.entries(places))
      it(`${what} as ${where}`, () => {
        expect(failedRules(judgeTraffic(book, put(text())))).toEqual([]);
      }, 10_000);

  // 64 MiB of white space in some 100 kB, and that compressed again.
  const blank = Buffer.alloc(64 * 1024 * 1024, 0x20);
  const bombs: Readonly<Record<string, () => Buffer>> = {
    gzip: () => gzipSync(blank),
    deflate: () => deflateSync(blank),
    br: () => brotliCompressSync(blank, { params: { 1: 4 } }),
    'gzip, gzip': () => gzipSync(gzipSync(blank)),
  };
  for (const [coding, bomb] of Object.entries(bombs))
    it(`a bomb of ${coding}`, () => {
      const bytes = bomb();
      const exchanges = Object.values(sorts).flatMap((exchange) => [
        withResponseBody(exchange, bytes, ['Content-Encoding', coding]),
        withRequestBody(exchange, bytes, ['Content-Encoding', coding]),
      ]);
      const judged = judgeTraffic(book, exchanges);
      expect(failedRules(judged)).toEqual([]);
      // What is too large to be read is neither right nor wrong.
      const formed = judged.findings.filter(({ rule }) => rule === 'JSON-022' || rule === 'SSE-002');
      expect(formed).toEqual([]);
    }, 20_000);

  it('tasks, contexts and messages that lead to each other and to themselves', () => {
    const ids = ['a', 'b'];
    const exchanges = ids.flatMap((id) =>
      ids.flatMap((other) => [
        request(
          'rpc',
          JSON.stringify({
            ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
            params: {
              message: {
                ...{ messageId: id, taskId: other, contextId: id, referenceTaskIds: [id, other] },
                ...{ role: 'ROLE_USER', parts: [{ text: id }] },
              },
            },
          }),
        ),
        respond(
          'stream',
          [id, other, id]
            .map((each) => ({
              jsonrpc: '2.0',
              id: 1,
              result: { task: { id: each, contextId: other, status: { state: 'TASK_STATE_WORKING' } } },
            }))
            .map((event) => `data: ${JSON.stringify(event)}\n\n`)
            .join(''),
        ),
      ]),
    );
    expect(failedRules(judgeTraffic(book, exchanges))).toEqual([]);
  });

  it('a stream of 10,000 events', () => {
    const chunk = (index: number) => ({
      jsonrpc: '2.0',
      id: 1,
      result: {
        artifactUpdate: {
          ...{ taskId: 'task-1', contextId: 'ctx-1', append: index > 0 },
          artifact: { artifactId: 'a', parts: [{ text: String(index) }] },
        },
      },
    });
    const events = Array.from({ length: 10_000 }, (_, index) => `data: ${JSON.stringify(chunk(index))}\n\n`);
    const judged = judgeTraffic(book, [
      respond('stream', `data: ${answer(`{"task":${task('"x":1')}}`)}\n\n${events.join('')}`),
      respond('rpc', answer(task('"artifacts":[]'))),
    ]);
    expect(failedRules(judged)).toEqual([]);
  }, 10_000);

  it('10,000 tasks of one agent', () => {
    const exchanges = Array.from({ length: 10_000 }, (_, index) =>
      respond(
        'rpc',
        answer(`{"id":"task-${index}","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING"}}`),
      ),
    );
    expect(failedRules(judgeTraffic(book, exchanges))).toEqual([]);
  }, 20_000);

  const names = Object.keys(sorts);
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
  );

  it('any bytes in any body', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.boolean(), anyBytes, (name, side, bytes) => {
        const spoilt = side ? withRequestBody(sort(name), bytes) : withResponseBody(sort(name), bytes);
        expect(failedRules(judgeTraffic(book, [spoilt]))).toEqual([]);
      }),
      { numRuns: 2000, seed: 1 },
    );
  }, 10_000);

  it('any text in targets, methods, statuses and header fields', () => {
    const field = fc.oneof(
      fc.constantFrom('A2A-Version', 'Content-Type', 'Authorization', 'A2A-Extensions', 'traceparent'),
      fc.constantFrom(
        'ETag',
        'Cache-Control',
        'Accept',
        'Content-Encoding',
        'WWW-Authenticate',
        'Retry-After',
      ),
      fc.string({ maxLength: 10 }),
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('', ',', '1.0, 0.3', '"'),
    );
    const headers = fc.array(fc.tuple(field, value), { maxLength: 6 }).map((pairs) => pairs.flat());
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 40 }),
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
          fc.constantFrom(
            '*',
            '/tasks/%zz:cancel?pageSize=%',
            '//',
            '/.well-known/agent-card.json?',
            '/tasks/a/b/c:d',
          ),
        ),
        fc.oneof(fc.constantFrom('GET', 'POST', 'DELETE', 'HEAD'), fc.string({ maxLength: 8 })),
        fc.integer({ min: 0, max: 999 }),
        headers,
        headers,
        (name, target, method, status, asked, answered) => {
          const { request, response, ...rest } = sort(name);
          const spoilt: CapturedExchange = {
            ...rest,
            request: { ...request, target, method, headers: asked },
            ...(response === undefined ? {} : { response: { ...response, status, headers: answered } }),
          };
          expect(failedRules(judgeTraffic(book, [spoilt]))).toEqual([]);
        },
      ),
      { numRuns: 2000, seed: 2 },
    );
  }, 10_000);
});
