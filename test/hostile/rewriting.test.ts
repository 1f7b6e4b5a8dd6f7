import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answering, Callee, dial, untilTrue } from './lab/callee.ts';
import { tapped } from './lab/tapped.ts';
import { parseRequests, parseResponses, valuesOf } from './reference/http1.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Paths of a webhook URL by which a client would have the agent say more than one request, and what it says. */
const injections: readonly (readonly [string, string])[] = [
  ['/x HTTP/1.1\r\nX-Injected: 1\r\n\r\nGET /hidden', '/x%20HTTP/1.1X-Injected:%201GET%20/hidden'],
  ['/x\r\nX-Injected: 1', '/xX-Injected:%201'],
  ['/x\tHTTP/1.1', '/xHTTP/1.1'],
  // Their low bytes are CR and LF.
  ['/xčĊX-Injected: 1', '/x%C4%8D%C4%8AX-Injected:%201'],
  ['/x?y=č', '/x?y=%C4%8D'],
  ['/x\u0000y', '/x%00y'],
  ['/%0d%0aX-Injected:1', '/%0d%0aX-Injected:1'],
];

describe('webhook URLs', () => {
  it.each(injections)('%j never ends the line that it is written into', async (path, expected) => {
    await using receiver = await Callee.start(answering(ok));
    await using agent = await Callee.start(answering(ok));
    await using lab = await tapped(agent.origin, { mode: 'rewrite' });
    const { origin } = await lab.interposer.openTap({
      caller: 'bob',
      callee: 'mallory',
      kind: 'webhook',
      upstream: receiver.origin,
    });
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tasks/pushNotificationConfig/set',
      params: { taskId: 't', pushNotificationConfig: { url: `${receiver.origin}${path}` } },
    });
    const client = await dial(lab.tap.origin);
    client.socket.write(
      `POST / HTTP/1.1\r\nHost: b\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await client.until(/ok$/);
    const [request] = parseRequests(agent.wires[0]?.received ?? '').messages;
    const given = JSON.parse(request?.body ?? '{}') as {
      readonly params?: { readonly pushNotificationConfig?: { readonly url?: string } };
    };
    const url = new URL(given.params?.pushNotificationConfig?.url ?? '');
    expect(url.origin).toBe(new URL(origin).origin);

    const sender = await dial(origin);
    sender.write(
      `POST ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    await sender.until(/ok$/);
    const seen = parseRequests(receiver.wires.map(({ received }) => received).join(''));
    expect(seen.error).toBeUndefined();
    expect(seen.messages.map(({ line }) => line)).toEqual([`POST ${expected} HTTP/1.1`]);
    expect(valuesOf(seen.messages[0]?.fields ?? [], 'x-injected')).toEqual([]);
    sender.socket.destroy();
    client.socket.destroy();
  });
});

describe('cards that are bombs', () => {
  const megabytes = 256;
  const zeros = Buffer.alloc(megabytes * 1024 * 1024, 0x20);

  it.each([
    ['gzip', gzipSync(zeros)],
    ['gzip, of gzip', gzipSync(gzipSync(zeros))],
    ['br', brotliCompressSync(zeros, { params: {} })],
    ['zstd', zstdCompressSync(zeros)],
  ])('%s: passed on as it is, without being inflated', async (coding, bomb) => {
    const bytes = bomb.toString('latin1');
    const header = coding.startsWith('gzip') ? 'gzip' : coding;
    const response = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: ${header}\r\nContent-Length: ${bomb.length}\r\n\r\n${bytes}`;
    await using callee = await Callee.start(answering(response));
    await using lab = await tapped(callee.origin, { mode: 'rewrite' });
    const before = process.memoryUsage();
    let peak = 0;
    const watch = setInterval(() => {
      const now = process.memoryUsage();
      peak = Math.max(peak, now.rss - before.rss);
    }, 5);
    const client = await dial(lab.tap.origin);
    client.write('GET /.well-known/agent-card.json HTTP/1.1\r\nHost: b\r\n\r\n');
    await untilTrue(() => parseResponses(client.received, ['GET'], false).messages.length > 0, 'the card');
    clearInterval(watch);
    const [got] = parseResponses(client.received, ['GET'], false).messages;
    expect(got?.body === bytes).toBe(true);
    expect(peak).toBeLessThan((megabytes / 2) * 1024 * 1024);
    client.socket.destroy();
  });

  it('ten thousand levels deep: passed on as it is', async () => {
    const card = `${'{"a":['.repeat(10_000)}${']}'.repeat(10_000)}`;
    const response = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${card.length}\r\n\r\n${card}`;
    await using callee = await Callee.start(answering(response));
    await using lab = await tapped(callee.origin, { mode: 'rewrite' });
    const client = await dial(lab.tap.origin);
    client.write('GET /.well-known/agent-card.json HTTP/1.1\r\nHost: b\r\n\r\n');
    await untilTrue(() => parseResponses(client.received, ['GET'], false).messages.length > 0, 'the card');
    expect(parseResponses(client.received, ['GET'], false).messages[0]?.body).toBe(card);
    client.socket.destroy();
  });

  it('bytes that are no UTF-8: passed on as they are', async () => {
    const card = '{"name":"\xff\xfe\xc3\x28","url":"http://127.0.0.1:1/"}';
    const response = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${card.length}\r\n\r\n${card}`;
    await using callee = await Callee.start(answering(response));
    await using lab = await tapped(callee.origin, { mode: 'rewrite' });
    const client = await dial(lab.tap.origin);
    client.write('GET /.well-known/agent-card.json HTTP/1.1\r\nHost: b\r\n\r\n');
    await untilTrue(() => parseResponses(client.received, ['GET'], false).messages.length > 0, 'the card');
    expect(parseResponses(client.received, ['GET'], false).messages[0]?.body).toBe(card);
    client.socket.destroy();
  });
});
