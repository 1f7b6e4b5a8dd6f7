import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Verdict } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { captureRows } from './capture-rows.ts';
import { bodyOf, LocalServer } from './local-server.ts';
import { plugfest, type RunningPlugfest, startPlugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const secret = 'Zk3-hooksecret-5c7e9a1b3d4f6028';

interface Driven {
  readonly ok: boolean;
  readonly events: readonly { readonly taskId?: string; readonly url?: string }[];
}

/** Has the SDK client of the agent at `card` make a call. */
async function drive(card: string, peer: string, call: object): Promise<Driven> {
  const data = { plugfest: 'drive/1', card: peer, binding: 'JSONRPC', version: '1.0', call };
  const response = await fetch(new URL('/jsonrpc', card), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data }] } },
    }),
  });
  const { result } = (await response.json()) as {
    result: { task: { artifacts: { parts: { data: Driven }[] }[] } };
  };
  const driven = result.task.artifacts[0]?.parts[0]?.data;
  if (driven === undefined) throw new Error('no result of the drive call');
  return driven;
}

async function startAgent(
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly agent: RunningPlugfest; readonly card: string }> {
  const agent = startPlugfest(['agent', '--protocol', '1.0'], { env });
  const [card = ''] = await agent.shows(/^http:\S+$/m);
  return { agent, card };
}

/** What a client does that has a proxy: it asks that for the whole URL. */
async function through(
  proxy: string,
  url: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(proxy);
  const request = get({ hostname, port, path: url, headers: { host: new URL(url).host } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await bodyOf(response) };
}

interface Arrived {
  readonly url: string;
  readonly host: string | undefined;
  readonly body: string;
}

// Several processes start in each, one after the other.
describe('two agents, one of which registers a webhook with the other', { timeout: 90_000 }, () => {
  it('find it through the proxy, also after that was started again', async () => {
    const folder = temporaryFolder();
    const capture = join(folder, 'capture.sqlite');
    const arrived: Arrived[] = [];
    let again: (() => void) | undefined;
    await using inbox = await LocalServer.start(async (request, response) => {
      const body = await bodyOf(request);
      arrived.push({ url: request.url ?? '', host: request.headers.host, body });
      response.end();
      again?.();
    });
    const { agent: amber, card: amberCard } = await startAgent();
    await using _amber = amber;
    const { agent: bob, card: bobCard } = await startAgent();
    await using _bob = bob;
    const proxy = (...more: string[]): RunningPlugfest =>
      startPlugfest([
        ...['proxy', '--capture', capture, '--edge', `amber=bob@${new URL(bobCard).origin}`],
        ...['--webhook', `bob=inbox@${inbox.origin}`, ...more],
      ]);
    const url = `${inbox.origin}/hook/amber?token=${secret}`;

    const first = proxy();
    const [, tap = ''] = await first.shows(/amber -> bob +(http:\S+)/);
    const [, hook = ''] = await first.shows(/bob -> inbox +(http:\S+)/);
    const sent = await drive(amberCard, tap, {
      op: 'SendMessage',
      message: { messageId: 'm-1', text: 'plugfest-slow 120000 tick' },
      configuration: { returnImmediately: true, push: { url, token: 'push-token-1' } },
    });
    const taskId = sent.events[0]?.taskId ?? '';
    const listed = await drive(amberCard, tap, { op: 'ListTaskPushNotificationConfigs', taskId });
    expect(listed.events.map((event) => event.url)).toEqual([url]);
    const direct = await drive(amberCard, new URL(bobCard).origin, {
      op: 'ListTaskPushNotificationConfigs',
      taskId,
    });
    const given = direct.events[0]?.url ?? '';
    expect(given.startsWith(`${hook}/.plugfest/webhook/`)).toBe(true);
    first.signal('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0 });
    const before = arrived.length;

    const second = proxy('--append');
    expect((await second.shows(/bob -> inbox +(http:\S+)/))[1]).toBe(hook);
    expect((await second.shows(/amber -> bob +(http:\S+)/))[1]).toBe(tap);
    await new Promise<void>((resolve) => {
      again = resolve;
    });
    second.signal('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
    expect(arrived.length).toBeGreaterThan(before);
    expect(new Set(arrived.map((one) => one.url))).toEqual(new Set([`/hook/amber?token=${secret}`]));
    expect(new Set(arrived.map(({ host }) => host))).toEqual(new Set([new URL(inbox.origin).host]));

    const state = `${capture}.interposition.json`;
    expect(statSync(state).mode & 0o777).toBe(0o600);
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name)).includes(secret)).toBe(false);
    const deliveries = captureRows<{ target: string; ended: string }>(
      capture,
      "SELECT target, ended FROM traffic WHERE callee = 'inbox'",
    );
    expect(deliveries).toHaveLength(arrived.length);
    for (const { target, ended } of deliveries) {
      expect(target).toMatch(/^\/\.plugfest\/webhook\//);
      expect(ended).toBe('complete');
    }
    const { stdout } = await plugfest(['verify', capture, '--format', 'json']);
    const { findings, rules } = JSON.parse(stdout) as Verdict;
    const about = (rule: string): boolean => rule.startsWith('HOOK-') || rule.startsWith('PUSH-');
    const blamed = findings.filter(({ rule, outcome }) => about(rule) && outcome === 'fail');
    expect(blamed).toEqual([]);
    // The deliveries were recognised as those of the webhook that amber had registered.
    expect(rules.find(({ id }) => id === 'HOOK-009')).toMatchObject({ status: 'pass' });
  });

  it('need no other URLs where the caller has the proxy in its environment', async () => {
    const capture = join(temporaryFolder(), 'capture.sqlite');
    const { agent: bob, card: bobCard } = await startAgent();
    await using _bob = bob;
    const { origin } = new URL(bobCard);
    await using proxy = startPlugfest([
      ...['proxy', '--capture', capture, '--edge', `forward:amber=bob@${origin}`],
    ]);
    const [, address = ''] = await proxy.shows(/amber -> bob +(http:\S+)/);
    const { agent: amber, card: amberCard } = await startAgent({
      HTTP_PROXY: address,
      NODE_USE_ENV_PROXY: '1',
    });
    await using _amber = amber;
    const message = { messageId: 'm-1', text: 'hello' };
    const sent = await drive(amberCard, origin, { op: 'SendMessage', message });
    expect(sent).toMatchObject({ ok: true });
    proxy.signal('SIGTERM');
    expect(await proxy.ended).toMatchObject({ code: 0 });
    const calls = captureRows<{ method: string; ended: string }>(
      capture,
      "SELECT method, ended FROM traffic WHERE caller = 'amber' AND callee = 'bob'",
    );
    expect(calls).toEqual([
      { method: 'GET', ended: 'complete' },
      { method: 'POST', ended: 'complete' },
    ]);
    const { stdout } = await plugfest(['verify', capture, '--format', 'json']);
    const { capture: judged, findings } = JSON.parse(stdout) as Verdict;
    expect(judged).toMatchObject({ exchanges: 2, gaps: 0 });
    expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  });

  it('are recorded by a forward proxy, which goes to no other place', async () => {
    const folder = temporaryFolder();
    const capture = join(folder, 'capture.sqlite');
    const { agent, card } = await startAgent();
    await using _agent = agent;
    await using other = await LocalServer.start((_request, response) => response.end('elsewhere'));
    const { origin } = new URL(card);
    await using proxy = startPlugfest([
      ...['proxy', '--capture', capture, '--mode', 'forward', '--edge', `client=bob@${origin}`],
    ]);
    const [, address = ''] = await proxy.shows(/client -> bob +(http:\S+)/);
    await proxy.shows(/HTTP_PROXY/, 'stderr');
    const fetched = await through(address, card);
    expect(JSON.parse(fetched.text)).toMatchObject({ name: expect.any(String) });
    expect((await through(address, other.origin)).status).toBe(403);
    proxy.signal('SIGTERM');
    expect(await proxy.ended).toMatchObject({ code: 0 });
    expect(captureRows(capture, "SELECT target FROM traffic WHERE callee = 'bob'")).toEqual([
      { target: card },
    ]);
    expect(captureRows(capture, 'SELECT mode FROM edges')).toEqual([{ mode: 'forward' }]);
  });
});

describe('addresses to listen on', () => {
  it('go with edges in the order of the command line, whatever their kind', async () => {
    await using proxy = startPlugfest(
      [
        ...['proxy', '--capture', 'order.sqlite'],
        ...['--webhook', 'bob=inbox@http://127.0.0.1:9', '--edge', 'amber=bob@http://127.0.0.1:10'],
        ...['--listen', 'localhost:0', '--listen', '127.0.0.1:0'],
      ],
      { cwd: temporaryFolder() },
    );
    await proxy.shows(/bob -> inbox {2}http:\/\/localhost:\d+\n/);
    await proxy.shows(/amber -> bob {2}http:\/\/127\.0\.0\.1:\d+\n/);
    proxy.signal('SIGTERM');
    expect(await proxy.ended).toMatchObject({ code: 0 });
  });
});
