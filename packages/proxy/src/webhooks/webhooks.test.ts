import { once } from 'node:events';
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createInterposer } from '../interposer.ts';
import type { InterposerOptions } from '../interposer-options.ts';
import { MemorySink } from '../testing/memory-sink.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

interface Server extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly seen: Seen[];
}

/** Answers with what `answer` makes of a request. */
async function server(
  answer: (seen: Seen, response: http.ServerResponse) => void = (_seen, response) => response.end(),
): Promise<Server> {
  const seen: Seen[] = [];
  const listening = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(one);
      answer(one, response);
    });
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    seen,
    [Symbol.asyncDispose]: async () => {
      listening.closeAllConnections();
      await new Promise((resolve) => listening.close(resolve));
    },
  };
}

interface Lab extends AsyncDisposable {
  readonly sink: MemorySink;
  /** Where alice calls the agent. */
  readonly agent: string;
  /** Where the agent reaches the receiver. */
  readonly hook: string;
}

async function lab(
  agent: string,
  receiver: string | undefined,
  options: Partial<InterposerOptions> = {},
): Promise<Lab> {
  const sink = new MemorySink();
  const interposer = createInterposer({ sink, run: sink.run, drainMs: 100, ...options });
  const tap = await interposer.openTap({ caller: 'alice', callee: 'bob', kind: 'a2a', upstream: agent });
  const hook =
    receiver === undefined
      ? undefined
      : await interposer.openTap({ caller: 'bob', callee: 'inbox', kind: 'webhook', upstream: receiver });
  return {
    sink,
    agent: tap.origin,
    hook: hook?.origin ?? '',
    [Symbol.asyncDispose]: () => interposer.close(),
  };
}

const post = async (
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> => {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    redirect: 'manual',
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

const json = (response: http.ServerResponse, body: string, status = 200): void => {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
};

const rpc = (method: string, params: string): string =>
  `{"jsonrpc":"2.0", "id":1,"method":"${method}","params":${params}}`;

/** Requests with a webhook's URL, and the result or body in which each is shown again. */
const places: readonly (readonly [string, string, (url: string) => string])[] = [
  [
    '1.0 send',
    '/a2a',
    (u) =>
      rpc(
        'SendMessage',
        `{"message":{"n":1.0},"configuration":{"taskPushNotificationConfig":{"url":"${u}","token":"t"}}}`,
      ),
  ],
  [
    '0.3 send',
    '/a2a',
    (u) => rpc('message/send', `{"configuration":{"pushNotificationConfig":{"url":"${u}"}}}`),
  ],
  ['0.1 send', '/a2a', (u) => rpc('tasks/send', `{"id":"t","pushNotification":{"url":"${u}"}}`)],
  ['1.0 create', '/a2a', (u) => rpc('CreateTaskPushNotificationConfig', `{"taskId":"t","url":"${u}"}`)],
  [
    '0.3 set',
    '/a2a',
    (u) => rpc('tasks/pushNotificationConfig/set', `{"taskId":"t","pushNotificationConfig":{"url":"${u}"}}`),
  ],
  [
    '0.1 set',
    '/a2a',
    (u) => rpc('tasks/pushNotification/set', `{"id":"t","pushNotificationConfig":{"url":"${u}"}}`),
  ],
  ['a batch', '/a2a', (u) => `[${rpc('CreateTaskPushNotificationConfig', `{"url":"${u}"}`)}]`],
  [
    '1.0 REST send',
    '/message:send',
    (u) => `{"configuration":{"taskPushNotificationConfig":{"url":"${u}"}}}`,
  ],
  ['0.3 REST send', '/v1/message:send', (u) => `{"configuration":{"pushNotification":{"url":"${u}"}}}`],
  [
    'REST in proto names',
    '/message:stream',
    (u) => `{"configuration":{"task_push_notification_config":{"url":"${u}"}}}`,
  ],
  ['1.0 REST create', '/tasks/t/pushNotificationConfigs', (u) => `{"url":"${u}","id":"c"}`],
  [
    '0.3 REST create',
    '/v1/tasks/t/pushNotificationConfigs',
    (u) => `{"name":"tasks/t/pushNotificationConfigs/c","pushNotificationConfig":{"url":"${u}"}}`,
  ],
];

const sealed = /http:\/\/127\.0\.0\.1:\d+\/\.plugfest\/webhook\/[A-Za-z0-9_-]+/;

describe('a webhook that is registered', () => {
  it.each(places)('by %s leads through the tap to where it was', async (_name, path, request) => {
    await using bob = await server();
    await using inbox = await server((_seen, response) => json(response, '{}', 202));
    await using open = await lab(bob.origin, inbox.origin);
    const url = `http://localhost:${inbox.port}/hook/s%C3%A9?key=a&b`;
    await post(open.agent + path, request(url), { 'content-type': 'application/json; charset=utf-8' });
    const received = bob.seen[0]?.body ?? '';
    const given = sealed.exec(received)?.[0] ?? '';
    expect(given.startsWith(open.hook)).toBe(true);
    expect(received).toBe(request(given));
    expect(received).not.toContain('hook/s%C3');
    expect(bob.seen[0]?.headers['content-length']).toBe(String(Buffer.byteLength(received)));
    expect(open.sink.body('request')).toBe(request(url));
    const change = open.sink.changes().find(({ place }) => place === 'body');
    expect(change).toMatchObject({ before: url, after: given, reason: 'webhook-url' });
    expect(change?.where?.endsWith('/url')).toBe(true);

    const delivered = await post(given, '{"task":{}}');
    expect(delivered.status).toBe(202);
    expect(inbox.seen[0]).toMatchObject({
      method: 'POST',
      url: '/hook/s%C3%A9?key=a&b',
      body: '{"task":{}}',
      headers: { host: `localhost:${inbox.port}` },
    });
    const targets = open.sink.changes('x2').filter(({ place }) => place === 'target');
    expect(targets).toMatchObject([{ after: '/hook/s%C3%A9?key=a&b', reason: 'webhook-url' }]);
  });

  it('sent in chunks, in pieces, is led through the tap too', async () => {
    await using bob = await server();
    await using inbox = await server();
    await using open = await lab(bob.origin, inbox.origin);
    const body = rpc(
      'SendMessage',
      `{"configuration":{"taskPushNotificationConfig":{"url":"${inbox.origin}/h"}}}`,
    );
    const pieces = [body.slice(0, 60), body.slice(60)];
    const stream = new ReadableStream({
      async pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(Buffer.from(piece));
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
    });
    await (
      await fetch(open.agent, {
        method: 'POST',
        body: stream,
        duplex: 'half',
        headers: { 'content-type': 'application/json' },
      })
    ).text();
    expect(bob.seen[0]?.body).toMatch(sealed);
    expect(bob.seen[0]?.headers['transfer-encoding']).toBe('chunked');
  });

  it.each([
    [
      'JSON-RPC 1.0',
      '/a2a',
      rpc('GetTaskPushNotificationConfig', '{"taskId":"t","id":"c"}'),
      (u: string) => `{"id":1,"result":{"url":"${u}","id":"c"}}`,
    ],
    [
      'a list of 1.0',
      '/a2a',
      rpc('ListTaskPushNotificationConfigs', '{"taskId":"t"}'),
      (u: string) => `{"id":1,"result":{"configs":[{"url":"${u}"},{"url":"https://other.example/"}]}}`,
    ],
    [
      'JSON-RPC 0.3',
      '/a2a',
      rpc('tasks/pushNotificationConfig/get', '{"id":"t"}'),
      (u: string) => `{"result":{"taskId":"t","pushNotificationConfig":{"url":"${u}"}}}`,
    ],
    [
      'a list of 0.3',
      '/a2a',
      rpc('tasks/pushNotificationConfig/list', '{"id":"t"}'),
      (u: string) => `{"result":[{"taskId":"t","pushNotificationConfig":{"url":"${u}"}}]}`,
    ],
    [
      '0.1',
      '/a2a',
      rpc('tasks/pushNotification/get', '{"id":"t"}'),
      (u: string) => `{"result":{"id":"t","pushNotificationConfig":{"url":"${u}"}}}`,
    ],
    ['REST', '/tasks/t/pushNotificationConfigs/c', undefined, (u: string) => `{"url":"${u}"}`],
    [
      'a list of REST',
      '/v1/tasks/t/pushNotificationConfigs?pageSize=5',
      undefined,
      (u: string) => `{"configs":[{"url":"${u}"}]}`,
    ],
  ])('is shown to the client as its own by %s', async (_name, path, call, answer) => {
    let given = '';
    await using bob = await server((seen, response) => {
      given ||= sealed.exec(seen.body)?.[0] ?? '';
      json(response, answer(given));
    });
    await using inbox = await server();
    await using open = await lab(bob.origin, inbox.origin);
    const url = `http://localhost:${inbox.port}`;
    const created = await post(`${open.agent}/tasks/t/pushNotificationConfigs`, `{"url":"${url}"}`);
    expect(created.status).toBe(200);
    expect(given).not.toBe('');
    const shown =
      call === undefined
        ? await (await fetch(open.agent + path)).text()
        : (await post(open.agent + path, call)).text;
    expect(shown).toBe(answer(url));
    expect(open.sink.body('response', 'x2')).toBe(answer(given));
    expect(open.sink.changes('x2').find(({ place }) => place === 'body')).toMatchObject({
      before: given,
      after: url,
      side: 'response',
      reason: 'webhook-url',
    });
  });

  it('in a coded request is led through the tap, and the request goes on without the coding', async () => {
    await using bob = await server();
    await using inbox = await server();
    await using open = await lab(bob.origin, inbox.origin);
    const body = rpc('CreateTaskPushNotificationConfig', `{"url":"${inbox.origin}/h"}`);
    for (const [coding, coded] of [
      ['gzip', gzipSync(body)],
      ['rot13', Buffer.from(body)],
    ] as const) {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding };
      await (await fetch(open.agent, { method: 'POST', body: coded, headers })).text();
    }
    expect(bob.seen[0]?.body).toMatch(sealed);
    expect(bob.seen[0]?.headers).not.toHaveProperty('content-encoding');
    expect(bob.seen[1]?.body).toBe(body);
    expect(bob.seen[1]?.headers['content-encoding']).toBe('rot13');
    expect(open.sink.of('note').map(({ topic }) => topic)).toEqual(['webhook-not-rewritten']);
  });

  it('at a place that is declared for nobody stays as it is, and nothing connects there', async () => {
    await using bob = await server();
    await using inbox = await server();
    await using other = await server();
    await using open = await lab(bob.origin, inbox.origin);
    const body = rpc('CreateTaskPushNotificationConfig', `{"url":"${other.origin}/secret"}`);
    await post(open.agent, body);
    expect(bob.seen[0]?.body).toBe(body);
    const notes = open.sink.of('note');
    expect(notes.map(({ topic }) => topic)).toEqual(['uninterposed-webhook']);
    expect(notes[0]?.text).not.toContain('secret');
    expect(other.seen).toEqual([]);
  });

  it('is not noted more than sixteen times for one request', async () => {
    await using bob = await server();
    await using inbox = await server();
    await using open = await lab(bob.origin, inbox.origin);
    const configs = Array.from({ length: 100 }, () => '{"url":"http://elsewhere.example/"}').join();
    await post(open.agent, rpc('CreateTaskPushNotificationConfig', `{"configs":[${configs}]}`));
    const notes = open.sink.of('note');
    expect(notes).toHaveLength(17);
    expect(notes.at(-1)?.text).toContain('84 more webhooks');
  });

  it('is left alone where a message merely speaks of one', async () => {
    await using bob = await server();
    await using inbox = await server();
    await using open = await lab(bob.origin, inbox.origin);
    const body = rpc(
      'SendMessage',
      `{"message":{"parts":[{"data":{"pushNotificationConfig":{"url":"${inbox.origin}"}}}]}}`,
    );
    await post(open.agent, body);
    expect(bob.seen[0]?.body).toBe(body);
    expect(open.sink.changes().filter(({ place }) => place === 'body')).toEqual([]);
  });

  it('is left alone by an alias tap, and where no webhook edge is there', async () => {
    await using bob = await server();
    await using inbox = await server();
    const body = rpc('CreateTaskPushNotificationConfig', `{"url":"${inbox.origin}/x"}`);
    await using alias = await lab(bob.origin, inbox.origin, { mode: 'alias' });
    await using without = await lab(bob.origin, undefined);
    for (const open of [alias, without]) await post(open.agent, body);
    expect(bob.seen.map((seen) => seen.body)).toEqual([body, body]);
  });

  it('passes unread where a request is larger than what is held back, with a note', async () => {
    await using bob = await server();
    await using inbox = await server();
    await using open = await lab(bob.origin, inbox.origin);
    const filler = 'x'.repeat(4 * 1024 * 1024);
    const body = rpc(
      'SendMessage',
      `{"m":"${filler}","configuration":{"taskPushNotificationConfig":{"url":"${inbox.origin}/x"}}}`,
    );
    await post(open.agent, body);
    await (
      await fetch(open.agent, {
        method: 'POST',
        body: new Blob([body]).stream(),
        duplex: 'half',
        headers: { 'content-type': 'application/json' },
      })
    ).text();
    expect(bob.seen.map((seen) => seen.body === body)).toEqual([true, true]);
    expect(open.sink.of('note').map(({ topic }) => topic)).toEqual([
      'webhook-not-rewritten',
      'webhook-not-rewritten',
    ]);
  });
});

describe('a webhook that is called', () => {
  const register = async (open: Lab, bob: Server, url: string): Promise<string> => {
    await post(open.agent, rpc('CreateTaskPushNotificationConfig', `{"url":"${url}"}`));
    return sealed.exec(bob.seen.at(-1)?.body ?? '')?.[0] ?? '';
  };

  it('in the next session is known by the same key, and by no other', async () => {
    await using bob = await server();
    await using inbox = await server();
    const webhookKey = Buffer.alloc(32, 7);
    let given: string;
    {
      await using first = await lab(bob.origin, inbox.origin, { webhookKey });
      given = await register(first, bob, `${inbox.origin}/hook`);
    }
    const path = new URL(given).pathname;
    await using again = await lab(bob.origin, inbox.origin, { webhookKey });
    expect((await post(again.hook + path, '{}')).status).toBe(200);
    expect(inbox.seen.map(({ url }) => url)).toEqual(['/hook']);
    await using other = await lab(bob.origin, inbox.origin);
    const refused = await post(other.hook + path, '{}');
    expect(refused.status).toBe(404);
    expect(refused.headers.get('x-plugfest-error')).toBe('unknown-webhook');
    expect(inbox.seen).toHaveLength(1);
    expect((await other.sink.end()).end).toBe('shutdown');
  });

  it('is refused where its URL leads to another place than the receiver of the tap', async () => {
    await using bob = await server();
    await using inbox = await server();
    await using other = await server();
    const webhookKey = Buffer.alloc(32, 7);
    await using first = await lab(bob.origin, inbox.origin, { webhookKey });
    const path = new URL(await register(first, bob, `${inbox.origin}/hook`)).pathname;
    await using second = await lab(bob.origin, other.origin, { webhookKey });
    expect((await post(second.hook + path, '{}')).status).toBe(404);
    expect(other.seen).toEqual([]);
  });

  it.each([
    ['changed', (path: string) => `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`],
    ['cut off', (path: string) => path.slice(0, -9)],
    ['made up', () => '/.plugfest/webhook/abc'],
    ['in absolute form', (_path: string) => 'http://127.0.0.1/.plugfest/webhook/abc'],
  ])('is refused where its path is %s', async (_name, forge) => {
    await using bob = await server();
    await using inbox = await server();
    await using open = await lab(bob.origin, inbox.origin);
    const path = new URL(await register(open, bob, `${inbox.origin}/hook`)).pathname;
    const response = await new Promise<number>((resolve, reject) => {
      const { port } = new URL(open.hook);
      http
        .request({ port, host: '127.0.0.1', path: forge(path), method: 'POST' }, (got) => {
          got.resume();
          resolve(got.statusCode ?? 0);
        })
        .on('error', reject)
        .end();
    });
    expect(response).toBe(404);
    expect(inbox.seen).toEqual([]);
  });

  it('with something added to its query has it at the receiver too', async () => {
    await using bob = await server();
    await using inbox = await server();
    await using open = await lab(bob.origin, inbox.origin);
    const plain = await register(open, bob, `${inbox.origin}/a`);
    const asked = await register(open, bob, `${inbox.origin}/b?x=1#f`);
    for (const url of [plain, asked]) await (await fetch(`${url}?validationToken=v`)).text();
    expect(inbox.seen.map(({ url }) => url)).toEqual(['/a?validationToken=v', '/b?x=1&validationToken=v']);
  });

  it('by a URL with user information keeps that where the sender reads it', async () => {
    await using bob = await server();
    await using inbox = await server();
    await using open = await lab(bob.origin, inbox.origin);
    await post(
      open.agent,
      rpc('CreateTaskPushNotificationConfig', `{"url":"http://me:pw@127.0.0.1:${inbox.port}/a"}`),
    );
    const given = JSON.parse(bob.seen[0]?.body ?? '').params.url;
    expect(given.startsWith(`http://me:pw@${open.hook.slice(7)}/.plugfest/`)).toBe(true);
    await post(given.replace('me:pw@', ''), '{}');
    expect(inbox.seen[0]).toMatchObject({ url: '/a', headers: { host: `127.0.0.1:${inbox.port}` } });
  });

  it.each([
    [
      'an absolute URL of the receiver',
      (origin: string) => `${origin}/there`,
      (hook: string) => `${hook}/there`,
    ],
    ['an absolute path', () => '/there', () => '/there'],
    ['a relative one', () => 'there', (hook: string) => `${hook}/dir/there`],
    ['somebody else', () => 'http://elsewhere.example/', () => 'http://elsewhere.example/'],
  ])('and redirects to %s', async (_name, location, expected) => {
    await using bob = await server();
    await using inbox = await server((_seen, response) => {
      response.writeHead(307, { location: location(inbox.origin) });
      response.end();
    });
    await using open = await lab(bob.origin, inbox.origin);
    const given = await register(open, bob, `${inbox.origin}/dir/hook`);
    expect((await post(given, '{}')).headers.get('location')).toBe(expected(open.hook));
  });
});
