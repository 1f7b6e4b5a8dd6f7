import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync, inflateRawSync } from 'node:zlib';
import { openCapture } from '@plugfest/capture';
import {
  type CaptureEvent,
  cellId,
  connectionId,
  edgeId,
  exchangeId,
  type RawHeaders,
  runId,
} from '@plugfest/model';
import { loadReporters } from '@plugfest/report';
import { beforeAll, describe, expect, it } from 'vitest';
import { plugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();

/** Every secret that was planted, by its place. */
const planted = new Map<string, string>();

/** A secret of its own for a place; none is part of another. */
function secret(place: string): string {
  const value = `Zk9${Buffer.from(place).toString('hex').slice(0, 16)}${planted.size + 1000}qW7`;
  planted.set(place, value);
  return value;
}

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)];
const field = (number: number, content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.byteLength)]), bytes]);
};
const frame = (payload: Buffer, compressed = 0): Buffer => {
  const head = Buffer.from([compressed, 0, 0, 0, 0]);
  head.writeUInt32BE(payload.byteLength, 1);
  return Buffer.concat([head, payload]);
};
/** A push configuration of 1.0 as gRPC has it. */
const pushConfig = (place: string): Buffer =>
  Buffer.concat([
    field(3, 'task-1'),
    field(4, `http://hook/?token=${secret(`${place} url`)}`),
    field(5, secret(`${place} token`)),
    field(6, Buffer.concat([field(1, 'Bearer'), field(2, secret(`${place} credentials`))])),
  ]);

const edge = edgeId('client -> agent');
let count = 0;

interface Half {
  readonly headers?: RawHeaders;
  readonly chunks?: readonly (string | Buffer)[];
}

/** The events of an exchange; `more` come before its end. */
function exchange(
  { target = '/a2a', request = {}, response = {} }: { target?: string; request?: Half; response?: Half },
  more: (id: ReturnType<typeof exchangeId>) => readonly CaptureEvent[] = () => [],
): CaptureEvent[] {
  count += 1;
  const id = exchangeId(`x${count}`);
  const json = ['Content-Type', 'application/json'];
  const body = (side: 'request' | 'response', { chunks = [] }: Half): CaptureEvent[] => [
    ...chunks.map(
      (bytes): CaptureEvent => ({ kind: 'chunk', exchange: id, side, bytes: Buffer.from(bytes as string) }),
    ),
    { kind: 'body-end', exchange: id, side },
  ];
  return [
    {
      ...{ kind: 'request-head', exchange: id, edge, method: 'POST', target, httpVersion: '1.1' },
      headers: request.headers ?? json,
    },
    ...body('request', request),
    {
      ...{ kind: 'response-head', exchange: id, status: 200, reason: 'OK', httpVersion: '1.1' },
      headers: response.headers ?? json,
    },
    ...body('response', response),
    ...more(id),
    { kind: 'end', exchange: id, end: 'complete' },
  ];
}

function events(): CaptureEvent[] {
  const upstream = `http://user:${secret('password of an upstream')}@agent:80/?api_key=${secret('key of an upstream')}`;
  const pushToken = secret('push token');
  const pushCredentials = secret('push credentials');
  const cut = secret('cut by a chunk border');
  const basic = Buffer.from(`user:${secret('basic')}`).toString('base64');
  const change = (place: 'target' | 'header', where: string | undefined, before: string) =>
    ({ side: 'request', place, ...(where === undefined ? {} : { where }), before, reason: 'test' }) as const;
  const grpc = ['content-type', 'application/grpc', 'te', 'trailers'];
  const sse = ['Content-Type', 'text/event-stream'];
  const about = `token=${secret('about a participant')}`;
  return [
    { kind: 'participant', participant: { name: 'client', kind: 'agent', about } },
    {
      kind: 'edge',
      edge: { id: edge, caller: 'client', callee: 'agent', kind: 'a2a', mode: 'alias', upstream },
    },
    { kind: 'connection-open', connection: connectionId('c1'), edge, direction: 'inbound' },
    ...exchange({
      target: `/a2a?access_token=${secret('query')}&x=%7B%22token%22%3A%22${secret('encoded JSON in a query')}%22%7D`,
      request: {
        headers: [
          ...['Content-Type', 'application/json', 'Authorization', `Bearer ${secret('bearer')}`],
          ...['Proxy-Authorization', `Basic ${basic}`, 'X-API-Key', secret('api key')],
          ...[
            'Cookie',
            `a=1; session=${secret('cookie')}`,
            'X-A2A-Notification-Token',
            secret('notification token'),
          ],
          ...['A2A-Notification-Token', secret('notification token of Go')],
          ...['Referer', `http://a/?code=${secret('referer')}`, 'X-Client-Secret', secret('secret header')],
          ...['Sec-WebSocket-Protocol', `a2a, bearer.${secret('subprotocol')}`],
        ],
        chunks: [
          JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'SendMessage',
            params: {
              message: { parts: [{ text: `log in with password=${secret('text of a message')}` }] },
              configuration: {
                taskPushNotificationConfig: {
                  url: `http://u:${secret('user information')}@hook/?sig=${secret('webhook query')}`,
                  token: pushToken,
                  authentication: { scheme: 'Bearer', credentials: pushCredentials },
                },
              },
              metadata: {
                client_secret: secret('member'),
                apiKey: secret('member in camel case'),
                inner: JSON.stringify({ password: secret('JSON in JSON') }),
              },
            },
          }),
        ],
      },
      response: {
        headers: [
          ...['Content-Type', 'application/json', 'Set-Cookie', `s=${secret('set-cookie')}; HttpOnly`],
          ...['Location', `/next?token=${secret('location')}`],
        ],
        chunks: [JSON.stringify({ error: { message: `no such hook: ${pushToken}, ${pushCredentials}` } })],
      },
    }),
    ...exchange({
      request: { chunks: [`{"password":"${cut.slice(0, 9)}`, cut.slice(9, 12), `${cut.slice(12)}","n":1}`] },
      response: {
        headers: sse,
        chunks: [
          `data: {"token":"${secret('event')}"}\n\n`,
          `data: {"text":"it was ${pushToken.slice(0, 7)}`,
          `${pushToken.slice(7)}"}\n\n`,
        ],
      },
    }),
    ...exchange({
      request: {
        headers: ['Content-Type', 'application/x-www-form-urlencoded'],
        chunks: [`grant_type=x&client_secret=${secret('form')}&refresh_token=${secret('second of a form')}`],
      },
      response: {
        headers: ['Content-Type', 'application/json', 'Content-Encoding', 'gzip'],
        chunks: [gzipSync(JSON.stringify({ access_token: secret('compressed'), padding: 'x'.repeat(300) }))],
      },
    }),
    ...exchange(
      {
        target: '/lf.a2a.v1.A2AService/CreateTaskPushNotificationConfig',
        request: {
          headers: [
            ...grpc,
            'authorization',
            `Bearer ${secret('metadata')}`,
            'x-api-key',
            secret('metadata key'),
          ],
          chunks: [frame(pushConfig('gRPC'))],
        },
        response: { headers: grpc, chunks: [frame(pushConfig('gRPC answer'))] },
      },
      (id) => [
        {
          ...{ kind: 'trailers', exchange: id, side: 'response' },
          headers: [
            ...['grpc-status', '3', 'grpc-message', `bad token%3D${secret('status message')}`],
            ...['x-session-token', secret('trailer')],
          ],
        },
      ],
    ),
    ...exchange({
      target: '/lf.a2a.v1.A2AService/CreateTaskPushNotificationConfig',
      request: {
        headers: [...grpc, 'grpc-encoding', 'gzip'],
        chunks: [frame(gzipSync(pushConfig('compressed gRPC')), 1)],
      },
      response: { headers: grpc },
    }),
    ...exchange({
      target: `/a2a?next=http%3A%2F%2Fhook%2F%3Ftoken%3D${secret('URL in a query')}&user[password]=${secret('brackets')}`,
      request: {
        headers: [
          ...[
            'Content-Type',
            'multipart/form-data; boundary=b',
            'X-Original-Cookie',
            `s=${secret('kept cookie')}`,
          ],
          ...['x-token-bin', Buffer.from(secret('binary metadata')).toString('base64')],
        ],
        chunks: [
          `--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\n${secret('part of a form')}\r\n--b--\r\n`,
        ],
      },
      response: {
        headers: sse,
        chunks: [
          `data: {"url":"http://hook/?token\\u003d${secret('escaped equals sign')}"}\n\n`,
          `data: {"token":\n: ping\ndata: "${secret('event with a comment in it')}"}\n\n`,
        ],
      },
    }),
    ...exchange({
      request: {
        headers: ['Content-Type', 'application/x-www-form-urlencoded'],
        chunks: [
          `x=%7B%22token%22%3A%22${secret('JSON in a form')}%22%7D&password=a b#${secret('not encoded')}`,
        ],
      },
    }),
    ...exchange({}, (id) => [
      {
        kind: 'informational',
        exchange: id,
        status: 103,
        headers: ['Set-Cookie', `a=${secret('informational')}`],
      },
      {
        kind: 'change',
        exchange: id,
        change: change('target', undefined, `/?token=${secret('changed target')}`),
      },
      {
        ...{ kind: 'change', exchange: id },
        change: change('header', 'Authorization', `Bearer ${secret('changed header')}`),
      },
      {
        ...{ kind: 'note', topic: 'test', exchange: id, cell: cellId('cell') },
        text: `sent to http://a/?token=${secret('note')}`,
      },
      { kind: 'gap', gap: { reason: 'decode', exchange: id, detail: `at http://a/?key=${secret('gap')}` } },
    ]),
    {
      ...{ kind: 'connection-close', connection: connectionId('c1') },
      detail: `while http://a/?token=${secret('close of a connection')}`,
    },
  ];
}

/** Bytes, and what is in them one step further: base64 and gzip undone, percent signs undone. */
function views(bytes: Buffer): readonly Buffer[] {
  const text = bytes.toString('latin1');
  const found = [
    bytes,
    Buffer.from(text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))),
  ];
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)) {
    const decoded = Buffer.from(run, 'base64');
    found.push(decoded);
    for (let at = decoded.indexOf('1f8b', 0, 'hex'); at !== -1; at = decoded.indexOf('1f8b', at + 1, 'hex'))
      found.push(...unzipped(decoded.subarray(at)));
  }
  for (let at = bytes.indexOf('1f8b', 0, 'hex'); at !== -1; at = bytes.indexOf('1f8b', at + 1, 'hex'))
    found.push(...unzipped(bytes.subarray(at, at + 100_000)));
  return found;
}

function unzipped(bytes: Buffer): readonly Buffer[] {
  try {
    // Behind the ten bytes of its head (RFC 1952 section 2.3), as a file goes on behind its end.
    return [inflateRawSync(bytes.subarray(10), { finishFlush: constants.Z_SYNC_FLUSH })];
  } catch {
    return [];
  }
}

/** The places whose secrets are in some bytes, in whatever form. */
function leaksIn(bytes: Buffer): readonly string[] {
  const forms = views(bytes);
  return [...planted].flatMap(([place, value]) =>
    forms.some((form) => form.includes(value)) ? [place] : [],
  );
}

const leaksInFolder = (place: string): Record<string, readonly string[]> =>
  Object.fromEntries(readdirSync(place).map((name) => [name, leaksIn(readFileSync(join(place, name)))]));
const none = (place: string): Record<string, readonly string[]> =>
  Object.fromEntries(readdirSync(place).map((name) => [name, []]));

const own = join(folder, 'own');
const capture = join(own, 'capture.sqlite');
let whileOpen: { readonly leaks: unknown; readonly none: unknown; readonly names: readonly string[] };
let all: readonly CaptureEvent[];

beforeAll(async () => {
  mkdirSync(own);
  all = events();
  const sink = openCapture({ file: capture, run: runId('run-1') });
  for (const event of all) sink.record(event);
  await sink.flush();
  whileOpen = { leaks: leaksInFolder(own), none: none(own), names: readdirSync(own) };
  await sink.close();
});

describe('secrets planted in headers, URLs, bodies, gRPC, changes and remarks', () => {
  it('would be found: with nothing redacted, each is in the file', async () => {
    const raw = join(folder, 'raw.sqlite');
    const sink = openCapture({ file: raw, run: runId('run-1'), unsafeRaw: true });
    for (const event of all) sink.record(event);
    await sink.close();
    // This one is stored in three pieces.
    const whole = [...planted.keys()].filter((place) => place !== 'cut by a chunk border');
    expect(leaksIn(readFileSync(raw)).toSorted()).toEqual(whole.sort());
    expect(planted.size).toBeGreaterThan(40);
  });

  it('are in no file of the capture, nor in its log while it is open', () => {
    expect(whileOpen.names).toContain('capture.sqlite-wal');
    expect(whileOpen.leaks).toEqual(whileOpen.none);
    expect(leaksInFolder(own)).toEqual(none(own));
  });

  it('are in no export, and in no capture made from one', async () => {
    const { stdout: help } = await plugfest(['export', '--help']);
    const formats = [...help.slice(help.indexOf('Formats:')).matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(
      ([, name = '']) => name,
    );
    expect(formats).toEqual(expect.arrayContaining(['curl', 'har', 'mermaid', 'ndjson', 'otlp']));
    const place = join(folder, 'exports');
    mkdirSync(place);
    for (const format of formats) {
      const { code, stdout, stderr } = await plugfest(['export', capture, '--to', format]);
      expect({ format, code, leaks: leaksIn(Buffer.from(stdout + stderr)) }).toEqual({
        format,
        code: 0,
        leaks: [],
      });
      expect(stdout.length, format).toBeGreaterThan(100);
      writeFileSync(join(place, format), stdout);
      if (format !== 'har' && format !== 'ndjson') continue;
      const again = join(place, `${format}.sqlite`);
      expect(await plugfest(['import', join(place, format), '--from', format, '-o', again])).toMatchObject({
        code: 0,
      });
      expect(leaksIn(readFileSync(again))).toEqual([]);
    }
  }, 90_000);

  it('are in no verdict, whatever its form, and not in a seal', async () => {
    const formats = (await loadReporters()).flatMap(({ format, renderVerdict }) =>
      renderVerdict ? [format] : [],
    );
    expect(formats).toEqual(expect.arrayContaining(['json', 'markdown', 'junit', 'sarif', 'text']));
    for (const format of formats) {
      const { stdout, stderr } = await plugfest(['verify', capture, '--format', format]);
      expect({ format, leaks: leaksIn(Buffer.from(stdout + stderr)) }).toEqual({ format, leaks: [] });
      expect(stdout, format).not.toBe('');
    }
    const { code, stdout, stderr } = await plugfest(['seal', capture]);
    expect({ code, leaks: leaksIn(Buffer.from(stdout + stderr)) }).toEqual({ code: 0, leaks: [] });
    expect(leaksIn(readFileSync(capture))).toEqual([]);
    expect(existsSync(`${capture}-wal`)).toBe(false);
  }, 90_000);
});
