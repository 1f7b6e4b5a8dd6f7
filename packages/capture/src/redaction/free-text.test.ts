import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { redactionFilter } from './filter.ts';

const marks = (text: string): string => text.replaceAll(/‹hmac:[0-9a-f]{20}›/g, '***');

/** A body as it is stored, in chunks of so many bytes. */
async function stored(text: string | Buffer, size = Number.POSITIVE_INFINITY): Promise<string> {
  const bytes = Buffer.from(text as string);
  const body = redactionFilter({}).body({ target: '/', side: 'response', headers: [], imported: false });
  const pieces = new Map<number, Uint8Array>();
  let seq = 0;
  const keep = (all: readonly { seq: number; bytes: Uint8Array | null }[]) => {
    for (const piece of all) pieces.set(piece.seq, piece.bytes ?? Buffer.alloc(0));
  };
  for (let at = 0; at < bytes.byteLength; at += size, seq += 1)
    keep(
      await body.push({ seq, atNs: seq, bytes: bytes.subarray(at, Math.min(bytes.byteLength, at + size)) }),
    );
  keep(await body.end());
  return marks(Buffer.concat([...pieces].sort(([a], [b]) => a - b).map(([, piece]) => piece)).toString());
}

describe('secrets in the middle of a text', () => {
  it.each([
    ['No access with token=tok-1.', 'No access with token=***'],
    ['api_key=k1 or api-key = k2, then', 'api_key=*** or api-key = ***, then'],
    ['(password=pa55) [pwd=pa55] {secret=pa55}', '(password=***) [pwd=***] {secret=***}'],
    [
      'DB_PASSWORD=pa55 OPENAI_API_KEY=sk-1 --passphrase=pa55',
      'DB_PASSWORD=*** OPENAI_API_KEY=*** --passphrase=***',
    ],
    ['password="pa 55" password=\'pa 55\'', 'password="***" password=\'***\''],
    [`{'token': 'tok', 'n': 1}`, `{'token': '***', 'n': 1}`],
    ['Authorization: Bearer tok-1', 'Authorization: Bearer ***'],
    ['authorization: basic dTpw\r\nX-API-Key: k-1\r\n', 'authorization: basic ***\r\nX-API-Key: ***\r\n'],
    ['Authorization: tok-12345', 'Authorization: ***'],
    ['refused: Bearer eyJ0eXAi.eyJzdWIi.c2ln!', 'refused: Bearer ***!'],
    ['refused: Basic dXNlcjpwYXNz', 'refused: Basic ***'],
    ['connect to postgres://u:pa55@db/x failed', 'connect to postgres://***@db/x failed'],
    ['password: hunter2, password: correcthorsebattery', 'password: ***, password: ***'],
  ])('are replaced: %s', async (text, expected) => {
    expect(await stored(text)).toBe(expected);
    // In JSON, where quotes are escaped, and within a line of its own.
    const json = JSON.stringify({ error: { message: `first\n${text}` }, after: '=' });
    const whole = await stored(json);
    expect(JSON.parse(whole)).toEqual({ error: { message: `first\n${expected}` }, after: '=' });
    for (const size of [1, 2, 3, 5, 7]) expect(await stored(json, size)).toBe(whole);
  });

  it.each([
    'The token: expected a string',
    'password required, password: missing, token=None, token=<your token>, api_key=YOUR_KEY, secret=$SECRET',
    'Bearer authentication; Basic authentication; WWW-Authenticate: Bearer realm="agent"; a bearer of news',
    'page_token=p-2, max_tokens=12, tokens: 12, key=value, code=-32001, a=b, x:y, 12:30',
    '{"securitySchemes":{"token":{"description":"Send Authorization: Bearer"}},"text":"password="}',
    '{"text":"token=","next":"value"}',
    'https://agent.example/tasks?page_token=abc&pageToken=abc#x=1',
  ])('are not seen where there are none: %s', async (text) => {
    for (const size of [Number.POSITIVE_INFINITY, 1, 3]) expect(await stored(text, size)).toBe(text);
  });

  it('are replaced in status messages and details of gRPC', () => {
    const { headers } = redactionFilter({});
    const [, message = ''] = headers(['grpc-message', 'No%20access%20with%20token=tok-1%20here%2C%20sorry']);
    expect(marks(decodeURIComponent(message))).toBe('No access with token=*** here, sorry');
    expect(message).toMatch(/^[ -~]*$/);
    const status = Buffer.from('\x08\x10\x12\x14token=tok-of-details', 'latin1');
    const [, details = ''] = headers(['grpc-status-details-bin', status.toString('base64')]);
    const bytes = Buffer.from(details, 'base64');
    expect(marks(bytes.subarray(4).toString())).toBe('token=***');
    expect(bytes[3]).toBe(bytes.byteLength - 4);
    const harmless = ['grpc-message', 'No%20task', 'grpc-status-details-bin', 'CAUSBE5vbmU='];
    expect(headers(harmless)).toEqual(harmless);
  });

  it('are replaced in the subprotocols of a WebSocket', () => {
    const { headers } = redactionFilter({});
    const shown = (value: string): string => marks(headers(['Sec-WebSocket-Protocol', value])[1] ?? '');
    expect(shown('a2a.v1, bearer.tok-1')).toBe('a2a.v1, bearer.***');
    expect(shown('base64url.bearer.authorization.k8s.io.dG9r, base64.binary')).toBe(
      'base64url.bearer.authorization.k8s.io.***, base64.binary',
    );
    expect(shown('access_token, tok-1, chat')).toBe('access_token, ***, chat');
    expect(shown('eyJhbGciOiJIUzI1NiJ9.e30.c2ln')).toBe('***');
    expect(shown('graphql-transport-ws, chat')).toBe('graphql-transport-ws, chat');
  });

  it('are looked for in a number of steps that grows with the text, whatever is in it', async () => {
    // Anything that grows faster takes minutes, and runs into the limit of a test.
    for (const piece of [
      'a',
      '=',
      ':',
      ' ',
      'a=',
      'token',
      'token=',
      'token= ',
      'password:',
      'Bearer ',
      '\\',
      "'",
      'u003',
      '\\u003d',
      ': x\n',
      '"token":[',
      'id:":',
    ])
      expect((await stored(piece.repeat(Math.ceil(2 ** 20 / piece.length)), 65_536)).length).toBeGreaterThan(
        0,
      );
    expect(await stored(`token=${'x'.repeat(2 ** 20)} after`, 1000)).toBe('token=*** after');
    expect(await stored(`Bearer ${'x'.repeat(2 ** 16)} after`, 100)).toBe('Bearer *** after');
    // What waits is not looked at anew for each byte that comes.
    expect(await stored(`{"token":"${'x'.repeat(50_000)}"} after`, 1)).toBe('{"token":"***"} after');
    expect(await stored(`"token":${'\n: ping'.repeat(8000)}\n"x" after`, 1)).toMatch(/ping\n"\*\*\*" after$/);
  });

  it('are replaced in the fields of any message of gRPC, and lengths set anew', async () => {
    const field = (number: number, content: string | Buffer): Buffer => {
      const bytes = Buffer.from(content as string);
      return Buffer.concat([Buffer.from([number * 8 + 2, bytes.byteLength]), bytes]);
    };
    const frame = (payload: Buffer, flag = 0): Buffer => {
      const head = Buffer.from([flag, 0, 0, 0, 0]);
      head.writeUInt32BE(payload.byteLength, 1);
      return Buffer.concat([head, payload]);
    };
    const message = (secret: string): Buffer =>
      Buffer.concat([
        field(1, field(5, field(1, `see token=${secret}`))),
        field(2, Buffer.concat([field(1, 'password'), field(2, field(3, secret))])),
        field(7, 'text/plain'),
      ]);
    const store = async (bytes: Buffer, encoding: string): Promise<Buffer> => {
      const headers = ['content-type', 'application/grpc', 'grpc-encoding', encoding];
      const body = redactionFilter({}).body({
        target: '/any.Service/Call',
        side: 'request',
        headers,
        imported: false,
      });
      const pieces = [...(await body.push({ seq: 1, atNs: 1, bytes })), ...(await body.end())];
      return Buffer.concat(pieces.map((piece) => piece.bytes ?? Buffer.alloc(0)));
    };
    for (const [payload, encoding] of [
      [frame(message('tok-of-text')), 'identity'],
      [frame(gzipSync(message('tok-of-text')), 1), 'gzip'],
    ] as const) {
      const text = await store(payload, encoding);
      const token = /‹hmac:[0-9a-f]{20}›/.exec(text.toString())?.[0] ?? '';
      expect(text.equals(frame(message(token)))).toBe(true);
    }
    const long = frame(Buffer.concat([field(1, 'x'), Buffer.alloc(300_000, ' ')]));
    expect((await store(long, 'identity')).equals(long)).toBe(true);
    const cut = frame(message('tok-of-text')).subarray(0, -4);
    expect((await store(cut, 'identity')).includes('tok-of')).toBe(false);
  });
});
