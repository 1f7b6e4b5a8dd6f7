import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Verdict } from '@plugfest/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { labFile } from './lab-file.ts';
import { bodyOf, LocalServer } from './local-server.ts';
import { type Ended, plugfest, startPlugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();

/** One secret for each place that may hold one; none is part of another. */
const secrets = {
  authorization: 'Zk3-bearer-8f1c2d7e9a4b6053',
  basicPassword: 'Zk3-basic-5d0e9b3c7a1f4286',
  cookie: 'Zk3-cookie-2b7d4f9e1c6a8035',
  apiKey: 'Zk3-apikey-9c3e5a7d1f0b2846',
  pushToken: 'Zk3-pushtoken-4a6c8e0f2d1b3957',
  credentials: 'Zk3-credentials-7e9f1a3b5c2d4068',
  queryKey: 'Zk3-querykey-6f8a0b2c4d3e5179',
  webhookQueryToken: 'Zk3-hookquery-1d3f5b7c9e0a2648',
  textPassword: 'Zk3-textpassword-3e5a7c9d1f0b2468',
  subprotocol: 'Zk3-subprotocol-8a0c2e4f6b1d3579',
} as const;

/** Forms in which a secret could lie in a file. */
function formsOf(secret: string): readonly string[] {
  const basic = Buffer.from(`user:${secret}`).toString('base64');
  return [secret, Buffer.from(secret).toString('base64').replace(/=+$/, ''), basic.replace(/=+$/, '')];
}

/** Names of the secrets that occur in some bytes. */
function leaksIn(bytes: Buffer): readonly string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => formsOf(secret).some((form) => bytes.includes(form)))
    .map(([name]) => name);
}

const filesIn = (place: string): readonly string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const leaksInFiles = (files: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(
    files.map((file) => [file, leaksIn(readFileSync(file))] as const).filter(([, leaks]) => leaks.length > 0),
  );

interface Session {
  readonly capture: string;
  /** Leaks in the capture's files while it was still being written. */
  readonly whileOpen: Record<string, readonly string[]>;
  readonly ended: Ended;
  readonly delivered: readonly IncomingHttpHeaders[];
  readonly requests: number;
}

/** Sends every secret through the proxy to a real agent, which sends some of them on to a webhook. */
async function record(name: string, flags: readonly string[]): Promise<Session> {
  const capture = join(folder, name, 'capture.sqlite');
  mkdirSync(join(folder, name));
  const delivered: IncomingHttpHeaders[] = [];
  let completed = 0;
  const finished = Promise.withResolvers<void>();
  await using receiver = await LocalServer.start(async (request, response) => {
    delivered.push(request.headers);
    const body = await bodyOf(request);
    response.writeHead(200, { 'set-cookie': `session=${secrets.cookie}; HttpOnly` });
    response.end();
    if (body.includes('TASK_STATE_COMPLETED')) completed += 1;
    if (completed === 2) finished.resolve();
  });
  await using agent = startPlugfest(['agent', '--protocol', '1.0']);
  const [card = ''] = await agent.shows(/^http:\S+$/m);
  await using proxy = startPlugfest([
    ...['proxy', '--capture', capture, '--edge', `client=agent@${new URL(card).origin}`],
    ...['--webhook', `agent=receiver@${receiver.origin}`, ...flags],
  ]);
  const [, agentTap = ''] = await proxy.shows(/client -> agent +(http:\S+)/);
  const [, hookTap = ''] = await proxy.shows(/agent -> receiver +(http:\S+)/);
  await (await fetch(`${agentTap}/.well-known/agent-card.json`)).text();

  const plain = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const call = async (path: string, headers: Record<string, string>, body: unknown): Promise<void> => {
    const response = await fetch(`${agentTap}${path}`, {
      method: 'POST',
      headers: { ...plain, ...headers },
      body: JSON.stringify(body),
    });
    await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  };
  const url = `${hookTap}/hook?token=${secrets.webhookQueryToken}`;
  const withToken = { url, token: secrets.pushToken };
  const withCredentials = { url, authentication: { scheme: 'Bearer', credentials: secrets.credentials } };
  const push = (taskPushNotificationConfig: object): object => ({
    taskPushNotificationConfig,
    returnImmediately: true,
  });
  const send = (id: number, configuration: object, text = 'plugfest-slow 200 quiet'): object => ({
    jsonrpc: '2.0',
    id,
    method: 'SendMessage',
    params: {
      message: { messageId: `m-${id}`, role: 'ROLE_USER', parts: [{ text }] },
      configuration,
    },
  });
  await call(
    `/jsonrpc?api_key=${secrets.queryKey}`,
    { authorization: `Bearer ${secrets.authorization}` },
    send(1, {}, `Log in with password=${secrets.textPassword}`),
  );
  const basic = Buffer.from(`user:${secrets.basicPassword}`).toString('base64');
  await call(
    '/jsonrpc',
    { authorization: `Basic ${basic}`, cookie: `session=${secrets.cookie}` },
    send(2, {}),
  );
  const subprotocols = { 'sec-websocket-protocol': `a2a, bearer.${secrets.subprotocol}` };
  await call('/jsonrpc', { 'x-api-key': secrets.apiKey, ...subprotocols }, send(3, push(withToken)));
  await call('/jsonrpc', {}, send(4, push(withCredentials)));
  await finished.promise;
  await new Promise((resolve) => setTimeout(resolve, 200));
  const whileOpen = leaksInFiles(filesIn(join(folder, name)));
  proxy.signal('SIGTERM');
  return { capture, whileOpen, ended: await proxy.ended, delivered, requests: 5 + delivered.length };
}

describe('secrets sent through the proxy', () => {
  let session: Session;
  beforeAll(async () => {
    session = await record('redacted', []);
  });

  it('reach their receivers unchanged', () => {
    const values = (name: string): ReadonlySet<unknown> =>
      new Set(session.delivered.map((headers) => headers[name]).filter((value) => value !== undefined));
    expect(values('authorization')).toEqual(new Set([`Bearer ${secrets.credentials}`]));
    expect(values('x-a2a-notification-token')).toEqual(new Set([secrets.pushToken]));
  });

  it('are in no file of the capture, neither while it is written nor afterwards', () => {
    expect(session.ended).toMatchObject({ code: 0 });
    expect(session.whileOpen).toEqual({});
    expect(leaksInFiles(filesIn(join(folder, 'redacted')))).toEqual({});
  });

  it('are in no output of the proxy, of verify or of export', async () => {
    const outputs = await Promise.all([
      ...['text', 'json'].map((format) => plugfest(['verify', session.capture, '--format', format])),
      ...['ndjson', 'otlp'].map((format) => plugfest(['export', session.capture, '--to', format])),
    ]);
    const leaks = [session.ended, ...outputs].map(({ stdout, stderr }) =>
      leaksIn(Buffer.from(stdout + stderr)),
    );
    expect(leaks.flat()).toEqual([]);
    for (const { stdout } of outputs) expect(stdout).not.toBe('');
  });

  it('keep their equality: the rule on webhook credentials is exercised and passes', async () => {
    const { stdout } = await plugfest(['verify', session.capture, '--format', 'json']);
    const { capture, rules } = JSON.parse(stdout) as Verdict;
    expect(capture).toMatchObject({ exchanges: session.requests, gaps: 0 });
    expect(rules.find(({ id }) => id === 'HOOK-005')).toMatchObject({
      status: 'pass',
      exercised: session.delivered.filter(({ authorization }) => authorization !== undefined).length,
    });
  });
});

describe('with --unsafe-raw', () => {
  it('the same secrets are all in the capture, and the log warns of it', async () => {
    const { capture, ended } = await record('raw', ['--unsafe-raw']);
    expect(leaksIn(readFileSync(capture)).toSorted()).toEqual(Object.keys(secrets).sort());
    expect(ended.stderr).toMatch(/--unsafe-raw.*in the clear/);
  });
});

describe('a secret header of a lab file', () => {
  it('reaches the agent and is in none of the files of the run, nor on the terminal', async () => {
    await using agent = startPlugfest(['agent', '--protocol', '1.0']);
    const [card = ''] = await agent.shows(/^http:\S+$/m);
    const seen = new Set<string | undefined>();
    await using front = await LocalServer.start(async (request, response) => {
      seen.add(request.headers.authorization);
      const target = new URL(request.url ?? '/', card);
      const body = request.method === 'POST' ? await bodyOf(request) : undefined;
      const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
      const answer = await fetch(target, {
        method: request.method ?? 'GET',
        headers,
        ...(body ? { body } : {}),
      });
      const text = (await answer.text()).replaceAll(new URL(card).origin, front.origin);
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      });
      response.end(text);
    });
    const lab = labFile(
      folder,
      `
name: guarded
scenarios: [send-blocking]
bindings: [JSONRPC]
agents:
  amber: { kind: js, protocol: "1.0" }
  far:
    card: ${front.origin}
    headers: { Authorization: "Bearer \${PLUGFEST_E2E_SECRET}" }
edges: [amber -> far]
`,
    );
    const out = join(folder, 'guarded');
    const run = await plugfest(['run', lab, '--out', out], {
      env: { PLUGFEST_E2E_SECRET: secrets.authorization },
    });
    expect(seen).toContain(`Bearer ${secrets.authorization}`);
    expect(existsSync(join(out, 'report.html'))).toBe(true);
    expect(leaksInFiles(filesIn(out))).toEqual({});
    expect(leaksIn(Buffer.from(run.stdout + run.stderr))).toEqual([]);
  });
});

describe('secrets in the error of an agent', () => {
  const told = `No database: api_key=${secrets.apiKey}, Authorization: Bearer ${secrets.authorization}`;

  it('are in no file of a run, nor on the terminal', async () => {
    await using agent = startPlugfest(['agent', '--protocol', '1.0']);
    const [card = ''] = await agent.shows(/^http:\S+$/m);
    await using front = await LocalServer.start(async (request, response) => {
      if (request.method === 'POST') {
        const { id } = JSON.parse(await bodyOf(request)) as { id: string };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: told } }));
        return;
      }
      const answer = await fetch(new URL(request.url ?? '/', card));
      const text = (await answer.text()).replaceAll(new URL(card).origin, front.origin);
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(text);
    });
    const lab = labFile(
      folder,
      `
name: telling
scenarios: [send-blocking, stream]
bindings: [JSONRPC]
agents:
  amber: { kind: js, protocol: "1.0" }
  far: { card: "${front.origin}" }
edges: [amber -> far]
`,
    );
    const out = join(folder, 'telling');
    const run = await plugfest(['run', lab, '--out', out]);
    expect(readFileSync(join(out, 'report.md'), 'utf8')).toContain('far');
    expect(leaksInFiles(filesIn(out))).toEqual({});
    expect(leaksIn(Buffer.from(run.stdout + run.stderr))).toEqual([]);
  });

  it('are in no file of a capture made from another format', async () => {
    const name = `client password=${secrets.textPassword}`;
    const line = {
      ...{
        from: name,
        to: 'agent',
        request: { method: 'GET', url: '/.well-known/agent-card.json', headers: {} },
      },
      response: { status: 500, headers: {}, body_raw: told, end: 'closed' },
    };
    const plain = join(folder, 'telling.ndjson');
    writeFileSync(plain, `${JSON.stringify(line)}\n`);
    const files = mkdirSync(join(folder, 'imported'), { recursive: true }) ?? '';
    const capture = join(files, 'ndjson.sqlite');
    expect(await plugfest(['import', plain, '-o', capture])).toMatchObject({ code: 0 });

    const har = join(folder, 'telling.har');
    const { stdout } = await plugfest(['export', capture, '--to', 'har']);
    const log = JSON.parse(stdout) as { log: { entries: { _plugfest: Record<string, unknown> }[] } };
    for (const entry of log.log.entries) Object.assign(entry._plugfest, { from: name, cell: `cell ${told}` });
    writeFileSync(har, JSON.stringify(log));
    expect(await plugfest(['import', har, '--from', 'har', '-o', join(files, 'har.sqlite')])).toMatchObject({
      code: 0,
    });
    expect(leaksInFiles(filesIn(files))).toEqual({});
    const { stdout: exported } = await plugfest(['export', join(files, 'har.sqlite'), '--to', 'ndjson']);
    expect(exported).toMatch(/client password=‹hmac:/);
  });
});

it('what the environment puts into any header of an agent comes back in no file and not on the terminal', async () => {
  const value = 'Zk3-team-5b7d9f1a3c2e4068';
  await using agent = await LocalServer.start(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    const error = { code: -32000, message: `you are ${request.headers['x-team']}` };
    const card = {
      ...{ name: 'echo', description: 'Tells who calls.', version: '1', capabilities: {}, skills: [] },
      ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
      supportedInterfaces: [{ url: agent.origin, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    };
    await bodyOf(request);
    response.end(JSON.stringify(request.method === 'GET' ? card : { jsonrpc: '2.0', id: 1, error }));
  });
  const out = join(folder, 'team');
  const lab = join(folder, 'team.yaml');
  const headers = `{ X-Team: "\${TEAM}" }`;
  writeFileSync(
    lab,
    `name: team\nagents:\n  echo: { card: "${agent.origin}", headers: ${headers} }\nscenarios: [errors-unknown-task, list-tasks]\n`,
  );
  const { stdout, stderr } = await plugfest(['run', lab, '--out', out], { env: { TEAM: value } });
  expect(stdout + stderr).toContain('you are');
  expect(stdout + stderr).not.toContain(value);
  for (const file of filesIn(out)) expect(readFileSync(file).includes(value), file).toBe(false);
});
