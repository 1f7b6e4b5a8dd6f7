import { createHash } from 'node:crypto';
import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { eventually } from './testing/memory-sink.ts';
import { answering, connect, RawServer } from './testing/raw.ts';
import { tapped } from './testing/tapped.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

interface RequestCase {
  readonly name: string;
  /** `HOST` stands for the authority that the sender addresses. */
  readonly sent: string;
  /** As the callee has to see it; the same as sent where absent. */
  readonly seen?: string;
  /** True where a field is dropped after the head was recorded, so that only a change tells. */
  readonly onlyChange?: boolean;
}

const requestCases: readonly RequestCase[] = [
  {
    name: 'keeps order, case and duplicates of request fields',
    sent: 'POST /a2a HTTP/1.1\r\nX-B: 2\r\nhOsT: HOST\r\nx-a: 1\r\nX-B: 3\r\nContent-LENGTH: 2\r\nx-b: \xe9\r\nAccept:  */*\r\n\r\n{}',
    seen: 'POST /a2a HTTP/1.1\r\nX-B: 2\r\nhOsT: HOST\r\nx-a: 1\r\nX-B: 3\r\nContent-LENGTH: 2\r\nx-b: \xe9\r\nAccept: */*\r\n\r\n{}',
  },
  {
    name: 'keeps the path byte for byte',
    sent: 'GET //a2a//v1/../%7E%2f?q=%00&&#f HTTP/1.1\r\nHost: HOST\r\n\r\n',
  },
  {
    name: 'turns an absolute-form target into origin form, without looking at its authority',
    sent: 'GET http://elsewhere.example:99/a?b HTTP/1.1\r\nHost: elsewhere.example:99\r\n\r\n',
    seen: 'GET /a?b HTTP/1.1\r\nHost: HOST\r\n\r\n',
  },
  {
    name: 'turns an absolute-form target without a path into a slash',
    sent: 'GET HTTP://elsewhere.example?b HTTP/1.1\r\nHost: HOST\r\n\r\n',
    seen: 'GET /?b HTTP/1.1\r\nHost: HOST\r\n\r\n',
  },
  { name: 'passes OPTIONS *', sent: 'OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n' },
  { name: 'passes a GET with a body', sent: 'GET /q HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\n\r\nabc' },
  {
    name: 'passes a POST without a body',
    sent: 'POST /q HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n',
  },
  { name: 'passes methods beyond the usual', sent: 'PROPFIND /q HTTP/1.1\r\nHost: HOST\r\n\r\n' },
  {
    name: 'passes a chunked DELETE as a chunked DELETE',
    sent: 'DELETE /t HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  },
  {
    name: 'passes a chunked GET',
    sent: 'GET /t HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n1\r\na\r\n0\r\n\r\n',
  },
  {
    name: 'passes request trailers, in order and case',
    sent: 'POST /t HTTP/1.1\r\nHost: HOST\r\nTrailer: X-Sum, x-b\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 9\r\nx-b: 1\r\nx-b: 2\r\n\r\n',
  },
  {
    name: 'takes out hop-by-hop fields and those that Connection names, and keeps TE: trailers',
    sent: 'GET / HTTP/1.1\r\nHost: HOST\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\nKeep-Alive: timeout=9\r\nProxy-Connection: keep-alive\r\nUpgrade: h2c\r\nTE: trailers\r\nX-End: 1\r\n\r\n',
    seen: 'GET / HTTP/1.1\r\nHost: HOST\r\nConnection: keep-alive\r\nTE: trailers\r\nX-End: 1\r\n\r\n',
  },
  {
    name: 'does not let Connection take out fields that frame or route the message',
    sent: 'POST / HTTP/1.1\r\nHost: HOST\r\nConnection: close, host, content-length\r\nContent-Length: 1\r\n\r\na',
    seen: 'POST / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Length: 1\r\n\r\na',
  },
  {
    name: 'drops a Trailer field of a streamed request that is not chunked',
    sent: `POST / HTTP/1.1\r\nHost: HOST\r\nTrailer: X\r\nConnection: close\r\nContent-Length: 70000\r\n\r\n${'a'.repeat(70_000)}`,
    seen: `POST / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Length: 70000\r\n\r\n${'a'.repeat(70_000)}`,
    onlyChange: true,
  },
  {
    name: 'sends on HTTP/1.0 requests as HTTP/1.1',
    sent: 'GET / HTTP/1.0\r\nHost: HOST\r\n\r\n',
    seen: 'GET / HTTP/1.1\r\nHost: HOST\r\n\r\n',
  },
];

describe('requests', () => {
  it.each(requestCases)('$name', async ({ sent, seen = sent, onlyChange }) => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(sent.replaceAll('HOST', lab.authority));
    await client.until(/hi$/);
    const upstream = await server.connection();
    const expected = seen.replaceAll('HOST', `127.0.0.1:${server.port}`);
    await eventually(() => upstream.text.length >= expected.length || undefined, 'the whole request');
    expect(upstream.text).toBe(expected);

    const head = lab.sink.of('request-head')[0];
    const [line = '', ...fields] =
      sent.replaceAll('HOST', lab.authority).split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [];
    expect(`${head?.method} ${head?.target} HTTP/${head?.httpVersion}`).toBe(line);
    expect(head?.headers).toEqual(
      fields.flatMap((field) => [
        field.slice(0, field.indexOf(':')),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    );
    if (onlyChange) {
      expect(lab.sink.changes().map((change) => change.reason)).toContain('no-trailers');
      client.socket.destroy();
      return;
    }
    const forwarded = expected.split('\r\n\r\n', 1)[0]?.split('\r\n').slice(1) ?? [];
    expect(head?.forwardedHeaders).toEqual(forwarded.flatMap((field) => field.split(/: (.*)/s).slice(0, 2)));
    client.socket.destroy();
  });

  it('records a changed target, the Host and each hop-by-hop field as changes', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(
      'GET http://x.example/p HTTP/1.1\r\nhost: x.example\r\nConnection: foo\r\nFoo: 1\r\nTE: gzip\r\n\r\n',
    );
    await client.until(/hi$/);
    const side = 'request';
    const place = 'header';
    expect(lab.sink.changes()).toEqual([
      { side, place, where: 'host', before: 'x.example', after: `127.0.0.1:${server.port}`, reason: 'host' },
      { side, place, where: 'Connection', before: 'foo', reason: 'hop-by-hop' },
      { side, place, where: 'Foo', before: '1', reason: 'hop-by-hop' },
      { side, place, where: 'TE', before: 'gzip', reason: 'hop-by-hop' },
      { side, place: 'target', before: 'http://x.example/p', after: '/p', reason: 'origin-form' },
    ]);
    client.socket.destroy();
  });

  it('leaves Host alone in alias mode', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin, { mode: 'alias' });
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: agent-b:9000\r\n\r\n');
    await client.until(/hi$/);
    expect((await server.connection()).text).toBe('GET / HTTP/1.1\r\nHost: agent-b:9000\r\n\r\n');
    expect(lab.sink.changes()).toEqual([]);
    expect(lab.sink.of('request-head')[0]?.forwardedHeaders).toBeUndefined();
    expect(lab.sink.of('edge')[0]?.edge.mode).toBe('alias');
    client.socket.destroy();
  });

  it('sends a large body on while it arrives, without holding the head back', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n');
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    client.write('a'.repeat(1000));
    await upstream.until(/a{1000}$/);
    client.write('b'.repeat(299_000));
    await eventually(() => upstream.text.endsWith('b'.repeat(299_000)) || undefined, 'the rest');
    upstream.write(ok);
    await client.until(/hi$/);
    expect(lab.sink.body('request')).toHaveLength(300_000);
    client.socket.destroy();
  });

  it('sends the head of a small body that is slow to come ahead of it', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab');
    const upstream = await server.connection();
    await upstream.until(/ab$/);
    client.write('cd');
    await upstream.until(/abcd$/);
    upstream.write(ok);
    await client.until(/hi$/);
    expect((await lab.sink.end()).end).toBe('complete');
    client.socket.destroy();
  });

  it('passes Expect: 100-continue, and the 100, before the body is sent', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n');
    const upstream = await server.connection();
    await upstream.until(/Expect: 100-continue\r\n[\s\S]*\r\n\r\n$/);
    expect(client.text).toBe('');
    upstream.write('HTTP/1.1 100 Continue\r\n\r\n');
    await client.until('HTTP/1.1 100 Continue\r\n\r\n');
    client.write('body');
    await upstream.until(/body$/);
    upstream.write(ok);
    await client.until(/hi$/);
    expect(lab.sink.of('informational')).toMatchObject([{ status: 100 }]);
    client.socket.destroy();
  });

  it('passes a final answer to Expect: 100-continue without ever sending a 100', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n');
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    upstream.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n');
    await client.until('HTTP/1.1 417 Expectation Failed\r\n');
    expect(client.text).not.toContain('100');
    client.socket.destroy();
  });

  it('carries two pipelined requests one after the other', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until(/hiHTTP[\s\S]*hi$/);
    expect(server.connections).toHaveLength(1);
    expect(lab.sink.of('request-head').map((head) => head.target)).toEqual(['/1', '/2']);
    client.socket.destroy();
  });
});

interface ResponseCase {
  readonly name: string;
  readonly request?: string;
  readonly sent: string;
  readonly seen?: string;
  /** Whether the callee closes its connection after the response. */
  readonly closes?: boolean;
}

const manyFields = Array.from({ length: 3000 }, (_, i) => `X-${i}: ${i}\r\n`).join('');

const responseCases: readonly ResponseCase[] = [
  {
    name: 'keeps status, reason, order, case and duplicates of response fields',
    sent: 'HTTP/1.1 299 Fine By Me\r\nserver: a\r\nServer: b\r\nETag: "1"\r\nSet-Cookie: x=1\r\nset-cookie: y=\xe9\r\ncontent-LENGTH: 2\r\n\r\nhi',
  },
  { name: 'adds no Date', sent: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n' },
  { name: 'keeps an empty reason', sent: 'HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n' },
  {
    name: 'passes chunked bodies as chunked bodies, with trailers',
    sent: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n',
  },
  {
    name: 'passes a response that ends with the connection as one that does',
    sent: 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nall of it',
    closes: true,
  },
  {
    name: 'says close where the callee only did it',
    sent: 'HTTP/1.1 200 OK\r\n\r\nall of it',
    seen: 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it',
    closes: true,
  },
  {
    name: 'takes out hop-by-hop fields of a response',
    sent: 'HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\nhi',
    seen: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
  },
  {
    name: 'keeps the length of a HEAD response without waiting for a body',
    request: 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n',
    sent: 'HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n',
  },
  {
    name: 'passes a HEAD response that says chunked',
    request: 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n',
    sent: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
  },
  { name: 'passes a 204', sent: 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n' },
  {
    name: 'passes a 304 with a length',
    sent: 'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nContent-Length: 9\r\n\r\n',
  },
  {
    name: 'passes interim responses',
    sent: 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
  },
  {
    name: 'passes 100 that nobody asked for, and 199 for what it is',
    sent: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 199 Odd\r\nX: y\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
  },
  {
    name: 'passes a head with very many fields',
    sent: `HTTP/1.1 200 OK\r\n${manyFields}Content-Length: 2\r\n\r\nhi`,
  },
  {
    name: 'passes a head with very many fields in answer to a request that streams',
    request: 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    sent: `HTTP/1.1 200 OK\r\n${manyFields}Content-Length: 2\r\n\r\nhi`,
  },
  {
    name: 'drops a Trailer field of a response that is not chunked',
    sent: 'HTTP/1.1 200 OK\r\nTrailer: X\r\nContent-Length: 2\r\n\r\nhi',
    seen: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
  },
  {
    name: 'takes chunking out for an HTTP/1.0 client',
    request: 'GET / HTTP/1.0\r\n\r\n',
    sent: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
    seen: 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi',
  },
];

describe('responses', () => {
  it('come without a reason phrase that was not ASCII, and that is on record', async () => {
    await using server = await RawServer.start(
      answering('HTTP/1.1 200 Tr\xc3\xa8s bien\r\nContent-Length: 2\r\n\r\nhi'),
    );
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until(/hi$/);
    expect(client.text).toBe('HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi');
    expect(lab.sink.of('response-head')[0]?.reason).toBe('Très bien');
    expect(lab.sink.changes().map(({ reason }) => reason)).toContain('reason-phrase');
    client.socket.destroy();
  });

  it.each(responseCases)(
    '$name',
    async ({ request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', sent, seen = sent, closes }) => {
      await using server = await RawServer.start((connection) => {
        connection.socket.once('data', () => {
          connection.write(sent);
          if (closes) connection.socket.end();
        });
      });
      await using lab = await tapped(server.origin);
      const client = await connect(lab.tap.origin);
      client.write(request);
      await eventually(
        () => client.text.length >= seen.length || undefined,
        `${seen} but got ${client.text}`,
      );
      if (closes) await client.untilEnded();
      expect(client.text).toBe(seen);
      expect((await lab.sink.end()).end).toBe('complete');

      const head = lab.sink.of('response-head')[0];
      const final = sent.slice(sent.lastIndexOf('HTTP/1.'));
      expect(`HTTP/${head?.httpVersion} ${head?.status} ${head?.reason ?? ''}`).toBe(
        final.split('\r\n', 1)[0],
      );
      expect(head?.headers).toEqual(
        final
          .split('\r\n\r\n', 1)[0]
          ?.split('\r\n')
          .slice(1)
          .flatMap((field) => field.split(/: (.*)/s).slice(0, 2)),
      );
      client.socket.destroy();
    },
  );

  it('tells HTTP/1.0 responses from HTTP/1.1 ones', async () => {
    await using server = await RawServer.start((connection) => {
      connection.socket.once('data', () =>
        connection.socket.end('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi'),
      );
    });
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until(/hi$/);
    expect(lab.sink.of('response-head')[0]?.httpVersion).toBe('1.0');
    client.socket.destroy();
  });

  it('records trailers of both sides', async () => {
    await using server = await RawServer.start((connection) => {
      connection.socket.on('data', () => {
        if (!connection.text.endsWith('\r\n0\r\nA: 1\r\na: 2\r\n\r\n')) return;
        connection.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nB: 1\r\nb: 2\r\n\r\n');
      });
    });
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: 1\r\na: 2\r\n\r\n');
    await client.until('b: 2\r\n\r\n');
    expect(lab.sink.of('trailers').map(({ side, headers }) => [side, headers])).toEqual([
      ['request', ['A', '1', 'a', '2']],
      ['response', ['B', '1', 'b', '2']],
    ]);
    client.socket.destroy();
  });

  it('records the bytes in the chunks in which they came, and events in the order of the wire', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    const upstream = await server.connection();
    await upstream.until('{}');
    upstream.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n\xc3');
    await client.until('\xc3');
    upstream.write('\xa9\r\n0\r\n\r\n');
    await client.until('0\r\n\r\n');
    await lab.sink.end();
    expect(
      lab.sink.events.filter((event) => !event.kind.startsWith('connection')).map((event) => event.kind),
    ).toEqual([
      'edge',
      'request-head',
      'chunk',
      'body-end',
      'response-head',
      'chunk',
      'chunk',
      'body-end',
      'end',
    ]);
    expect(lab.sink.body('response')).toBe('\xc3\xa9');
    client.socket.destroy();
  });
});

describe('many clients at once', () => {
  it('never mixes bodies of 32 kept-alive clients', async () => {
    const server = http.createServer((request, response) => {
      const hash = createHash('sha256');
      request.on('data', (chunk: Buffer) => hash.update(chunk));
      request.on('end', () => {
        const digest = hash.digest('hex');
        const times = Number(request.headers['x-times']);
        if (times % 2 === 0) response.setHeader('Content-Length', digest.length * times);
        for (let i = 0; i < times; i++) response.write(digest);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    await using lab = await tapped(`http://127.0.0.1:${address.port}`);
    const clients = 32;
    const requests = 40;
    const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
    const one = (client: number, i: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const body = `${client}/${i}:${'x'.repeat((client * 997 + i * 131) % 90_000)}`;
        const times = 1 + ((client + i) % 7);
        const chunked = (client + i) % 5 === 0;
        const request = http.request(lab.tap.origin, {
          method: 'POST',
          agent,
          headers: { 'x-times': String(times), ...(chunked ? {} : { 'content-length': body.length }) },
        });
        request.on('error', reject);
        request.on('response', (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            text += chunk.toString();
          });
          response.on('end', () => {
            try {
              expect(text).toBe(createHash('sha256').update(body).digest('hex').repeat(times));
              resolve();
            } catch (error) {
              reject(error);
            }
          });
        });
        request.end(body);
      });
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let i = 0; i < requests; i++) await one(client, i);
      }),
    );
    await eventually(() => lab.sink.of('end').length === clients * requests || undefined, 'all ends');
    expect(lab.sink.of('end').every((end) => end.end === 'complete')).toBe(true);
    expect(new Set(lab.sink.of('request-head').map((head) => head.exchange)).size).toBe(clients * requests);
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
});

it('thousands of small chunks that come together leave together, each of them on record', async () => {
  const count = 5000;
  await using server = await RawServer.start((connection) => {
    connection.socket.once('data', () =>
      connection.write(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(count)}0\r\nX-End: 1\r\n\r\n`,
      ),
    );
  });
  await using lab = await tapped(server.origin);
  const client = await connect(lab.tap.origin);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const text = await client.until(/X-End: 1\r\n\r\n$/);
  client.socket.destroy();
  const chunks = [...text.slice(text.indexOf('\r\n\r\n') + 4).matchAll(/([0-9a-f]+)\r\n(x+)\r\n/g)];
  for (const [, size = '', body = ''] of chunks) expect(Number.parseInt(size, 16)).toBe(body.length);
  expect(chunks.reduce((sum, [, , body = '']) => sum + body.length, 0)).toBe(count);
  // How many reads it takes is the operating system's choice.
  expect(chunks.length).toBeLessThan(count / 20);
  expect(lab.sink.of('chunk')).toHaveLength(count);
});
