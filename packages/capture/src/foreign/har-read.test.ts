import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readHar } from './har-read.ts';

const text = (body: string): object => ({
  content: { size: body.length, mimeType: 'application/json', text: body },
});

function entry(request: object = {}, response: object = {}): object {
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 20,
    timings: { send: 1, wait: 9, receive: 10 },
    request: {
      method: 'POST',
      url: 'https://agent.example:8443/a2a',
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      bodySize: 2,
      postData: { mimeType: 'application/json', text: '{}' },
      ...request,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      ...text('{"a":1}'),
      ...response,
    },
  };
}

const read = (...entries: readonly object[]) =>
  readHar(
    { log: { version: '1.2', entries } },
    { file: 'a.har', names: new Map([['agent.example', 'hotel']]) },
  ).exchanges;

const bytesOf = (body: unknown): string =>
  Buffer.concat((body as { chunks: { bytes: Uint8Array }[] }).chunks.map(({ bytes }) => bytes)).toString(
    'utf8',
  );

describe('reading HAR', () => {
  it('keeps heads, bodies and the times that there are', () => {
    const [exchange] = read(entry());
    expect(exchange).toMatchObject({
      from: 'client',
      to: 'hotel',
      kind: 'a2a',
      target: 'https://agent.example:8443/a2a',
      headers: ['Content-Type', 'application/json'],
      response: { status: 200, reason: 'OK' },
      end: 'complete',
      lost: ['chunk-times', 'trailers'],
    });
    const startedMs = Date.parse('2026-01-01T00:00:00.000Z');
    expect(exchange?.response?.atMs).toBe(startedMs + 10);
    expect(exchange?.endedMs).toBe(startedMs + 20);
    expect(bytesOf(exchange?.body)).toBe('{}');
    expect(bytesOf(exchange?.response?.body)).toBe('{"a":1}');
  });

  it('takes out what speaks of an encoded form that its writer undid, and says so', () => {
    const headers = [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Content-Encoding', value: 'gzip' },
      { name: 'Content-Length', value: '27' },
    ];
    const [exchange] = read(entry({}, { headers }));
    expect(exchange?.response?.headers).toEqual(['Content-Type', 'application/json']);
    expect(exchange?.changes.map(({ where, before }) => [where, before])).toEqual([
      ['Content-Encoding', 'gzip'],
      ['Content-Length', '27'],
    ]);
  });

  it('leaves a body that is still encoded with its head', () => {
    const headers = [{ name: 'content-encoding', value: 'gzip' }];
    const content = { text: gzipSync('{"a":1}').toString('base64'), encoding: 'base64' };
    const [exchange] = read(entry({}, { headers, content }));
    expect(exchange?.response?.headers).toEqual(['content-encoding', 'gzip']);
    expect(exchange?.changes).toEqual([]);
  });

  it('tells a body that the file does not have from an empty one', () => {
    const lost = read(
      entry({ postData: undefined, bodySize: 120 }, { content: { size: 99, mimeType: 'application/json' } }),
    )[0];
    expect([lost?.body, lost?.response?.body]).toEqual(['lost', 'lost']);
    const empty = read(entry({ postData: undefined, bodySize: 0 }, { content: { size: 0 } }))[0];
    expect([empty?.body, empty?.response?.body]).toEqual([{ chunks: [] }, { chunks: [] }]);
  });

  it('does not take a stream for whole, as HAR does not say how it ended', () => {
    const headers = [{ name: 'content-type', value: 'text/event-stream' }];
    const content = { mimeType: 'text/event-stream', text: 'data: {}\n\n' };
    expect(read(entry({}, { headers, content }))[0]?.end).toBe('open');
    expect(read(entry({}, { headers, content: { ...content, text: '' } }))[0]?.response?.body).toBe('lost');
  });

  it('has no response where the browser got none', () => {
    expect(read(entry({}, { status: 0 }))[0]).toMatchObject({ response: undefined, end: 'reset' });
  });

  it('leaves out the pseudo-headers of HTTP/2', () => {
    const headers = [
      { name: ':authority', value: 'agent.example' },
      { name: 'a2a-version', value: '1.0' },
    ];
    expect(read(entry({ headers, httpVersion: 'h2' }))[0]).toMatchObject({
      headers: ['a2a-version', '1.0'],
      httpVersion: '2.0',
    });
  });

  it('knows a push delivery by what is posted', () => {
    const delivery =
      '{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}';
    expect(read(entry({ postData: { text: delivery } }))[0]).toMatchObject({
      from: 'webhook sender',
      to: 'hotel',
      kind: 'webhook',
    });
  });

  const malformed = {
    'log: must be an object': {},
    'log.entries: must be an array': { log: { entries: {} } },
    'log.entries[0]: must be an object': { log: { entries: [1] } },
    'log.entries[0].request: must be an object': { log: { entries: [{}] } },
    'log.entries[0].startedDateTime: must be an ISO 8601 time': {
      log: { entries: [{ ...entry(), startedDateTime: 'noon' }] },
    },
    'log.entries[1].request.url: must be an absolute URL': {
      log: { entries: [entry(), entry({ url: '/a2a' })] },
    },
    'log.entries[0].response.status: must be a number': { log: { entries: [entry({}, { status: '200' })] } },
    'log.entries[0].request.headers[0]: must have a name and a value': {
      log: { entries: [entry({ headers: [{ name: 'a' }] })] },
    },
    'log.entries[0].response.content.text: must be base64': {
      log: { entries: [entry({}, { content: { text: '‹›', encoding: 'base64' } })] },
    },
    'log.entries[0]._plugfest.kind: must be a string': {
      log: { entries: [{ ...entry(), _plugfest: { at: 0 } }] },
    },
  };
  for (const [says, value] of Object.entries(malformed))
    it(`refuses with ${says}`, () => {
      expect(() => readHar(value, { file: 'a.har' })).toThrow(`a.har: ${says}`);
    });

  it('reads what a browser and mitmproxy write', () => {
    for (const [name, count] of [
      ['browser', 5],
      ['mitmproxy', 9],
    ] as const) {
      const file = new URL(`../../../../test/fixtures/foreign/${name}.har`, import.meta.url);
      expect(readHar(JSON.parse(readFileSync(file, 'utf8')), { file: name }).exchanges).toHaveLength(count);
    }
  });
});

it('takes time in proportion to the length of base64 that is none', () => {
  const notBase64 = `${' '.repeat(1_000_000)}!`;
  expect(() => read(entry({}, { content: { encoding: 'base64', text: notBase64 } }))).toThrow(
    /must be base64/,
  );
});
