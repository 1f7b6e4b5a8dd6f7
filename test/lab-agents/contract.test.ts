import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@plugfest/model';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DriveCall } from '../../packages/orchestrator/src/driver/drive.ts';
import { behaviours } from './behaviours.ts';
import { checking, label, said, tokens } from './check.ts';
import { dialectsOf, type Kind, protocolOf, required, tried, untried } from './kinds.ts';
import { addressesIn } from './offered.ts';
import { driveResultIn, Running } from './running.ts';
import { artifactsOf, endOf, joins, saysOf, shapeOf } from './seen.ts';

/**
 * docs/lab-agents.md, tried on every lab agent that is installed, by one client over each binding and version: what an
 * SDK makes of it on the wire stands in `deviations.ts` with its reason, and has to happen.
 */
const contract = readFileSync(join(import.meta.dirname, '../../docs/lab-agents.md'), 'utf8');

it.each(required)('%s is installed', (name) => {
  expect(tried.map((kind) => kind.name)).toContain(name);
});

it('tries every prefix of the contract', () => {
  const prefixes = [...contract.matchAll(/^\| (`(?:tck|test|plugfest)-.*?) +\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`((?:tck|test|plugfest)-[a-z0-9-]+)/g)].map(([, prefix]) => prefix),
  );
  expect(prefixes.length).toBeGreaterThan(25);
  expect(
    behaviours
      .map(({ prefix }) => prefix)
      .filter((prefix) => prefix !== '')
      .sort(),
  ).toEqual(prefixes.sort());
});

// One that starts a second process may have to wait for what the machine does beside.
vi.setConfig({ testTimeout: 90_000 });

for (const kind of tried)
  describe(kind.name, () => {
    describe('a running agent', () => runs(kind));
    if (kind.features.includes('auth')) describe('with --auth bearer', () => authenticates(kind));
  });

// One line each, that what was not tried here is told, and the number of skipped tests means something.
for (const { name } of untried)
  it.skip(`${name} is not installed, so nothing of it was tried (npm run agents:install -- --only ${name})`, () => {});

function runs(kind: Kind): void {
  let agent: Running;
  beforeAll(async () => {
    agent = await Running.start(kind, ['--protocol', protocolOf(kind)], tokens);
  }, 90_000);
  afterAll(() => agent?.[Symbol.asyncDispose]());

  it('has a card with what the contract asks for', async () => {
    const card = await agent.card();
    expect(card).toMatchObject({
      capabilities: { streaming: true, pushNotifications: true },
      defaultOutputModes: expect.arrayContaining(['text/plain', 'application/json']),
      skills: [{ id: 'lab' }],
    });
    const offered = addressesIn(card);
    expect(offered.map(label).sort()).toEqual(dialectsOf(kind).map(label).sort());
    const own = new URL(agent.url).host;
    for (const { binding, url } of offered) {
      if (binding === 'GRPC')
        expect([own, ...(agent.ready.origins ?? []).map((origin) => new URL(origin).host)]).toContain(url);
      else expect(new URL(url).host).toBe(own);
    }
  });

  describe.each(dialectsOf(kind).map((dialect) => [label(dialect), dialect] as const))(
    '%s',
    (name, dialect) => {
      const send = (text: string, members = {}) =>
        agent.call(dialect, { op: 'SendMessage', message: said(text, members) });

      beforeAll(async () => {
        // An agent that refuses the media type of 1.0.1 is asked in that of 1.0.0 from the second call on.
        await send('hello').catch(() => {});
      });

      const check = checking(kind, name);

      // The proto of 0.3 has no field for a file's name.
      const nameless = dialect.version === '0.3' && dialect.binding !== 'JSONRPC';

      for (const behaviour of behaviours) {
        const { prefix, text = prefix, parts = [], says, textOnly, endless, mayWork } = behaviour;
        const stream = nameless
          ? behaviour.stream.map((token) => token.replace(' output.txt', ''))
          : behaviour.stream;
        // Whether a stream ends where the task waits is the server's choice (A2A 1.0 section 3.1.2).
        const waits = /_REQUIRED$/.test(stream.at(-1) ?? '');
        if (endless) {
          check(`${prefix} works until it is cancelled`, async () => {
            const configuration = { returnImmediately: true };
            const begun = await agent.call(dialect, {
              op: 'SendMessage',
              message: said(text),
              configuration,
            });
            const taskId = taskIn(begun.events);
            expect(endOf(await agent.call(dialect, { op: 'CancelTask', taskId }))).toBe('CANCELED');
          });
          continue;
        }
        if (!waits)
          check(`${prefix || 'anything else'} in a stream`, async () => {
            const result = await agent.call(dialect, {
              op: 'SendStreamingMessage',
              message: said(text, { parts }),
            });
            expect(result.error).toBeUndefined();
            expect(shapeOf(result.events).filter((token) => !(mayWork && token === 'WORKING'))).toEqual(
              stream,
            );
            if (says !== undefined) expect(saysOf(result)).toBe(says);
          });
        check(`${prefix || 'anything else'} in one answer`, async () => {
          const result = await send(text, { parts });
          expect(endOf(result)).toBe(stream.at(-1));
          if (says !== undefined) expect(saysOf(result)).toBe(says);
          if (!stream[0]?.startsWith('message'))
            expect([artifactsOf(result), joins(artifactsOf(result), stream)]).toEqual([
              artifactsOf(result),
              true,
            ]);
        });
        check(`${prefix || 'anything else'} ${textOnly ? 'not ' : ''}by the message id`, async () => {
          const result = await send('hi', { messageId: `${prefix || 'any'}-${randomUUID()}` });
          expect(endOf(result)).toBe(textOnly ? 'COMPLETED' : stream.at(-1));
          if (textOnly) expect(artifactsOf(result)).toEqual(['"echo: hi"']);
        });
      }

      for (const [prefix, artifacts] of [
        ['tck-input-required', []],
        ['tck-auth-required', []],
        ['plugfest-ask n', ['"resumed: tck-reject-task"']],
      ] as const)
        check(`a follow-up resumes ${prefix}, whatever it says`, async () => {
          const taskId = taskIn((await send(prefix)).events);
          const result = await send('tck-reject-task', { taskId });
          expect([endOf(result), saysOf(result)]).toEqual(['COMPLETED', 'resumed: tck-reject-task']);
          expect(artifactsOf(result)).toEqual(artifacts);
        });

      check('tck-multi-turn asks until it is told done', async () => {
        const taskId = taskIn((await send('tck-multi-turn')).events);
        expect(endOf(await send('more', { taskId }))).toBe('INPUT_REQUIRED');
        expect(endOf(await send('done now', { taskId }))).toBe('COMPLETED');
      });

      check('a task that waits can be cancelled', async () => {
        const taskId = taskIn((await send('plugfest-ask n')).events);
        expect(endOf(await agent.call(dialect, { op: 'CancelTask', taskId }))).toBe('CANCELED');
      });

      check('plugfest-modes answers in the first accepted mode that it can do', async () => {
        const configuration = { acceptedOutputModes: ['image/png', 'application/json', 'text/plain'] };
        const result = await agent.call(dialect, {
          op: 'SendMessage',
          message: said('plugfest-modes n4'),
          configuration,
        });
        expect(artifactsOf(result)).toEqual(['data {"nonce":"n4"}']);
      });

      describe('drive calls', () => {
        const told = dialectsOf(kind)[0] ?? dialect;
        const drive = async (call: DriveCall) => {
          const data = {
            plugfest: 'drive/1',
            card: agent.url,
            ...dialect,
            call: call as unknown as JsonObject,
          };
          return driveResultIn(
            await agent.call(told, { op: 'SendMessage', message: { messageId: randomUUID(), data } }),
          );
        };

        check('drive: its own client sends, and tells what it saw', async () => {
          const result = await drive({ op: 'SendMessage', message: said('plugfest-ask n5') });
          expect(result).toMatchObject({
            ...{ plugfest: 'drive-result/1', op: 'SendMessage', ok: true },
            events: [{ kind: 'task', state: 'TASK_STATE_INPUT_REQUIRED', text: 'ask n5' }],
          });
        });

        check('drive: its own client reads a stream to its end', async () => {
          const { ok, events } = await drive({
            op: 'SendStreamingMessage',
            message: said('plugfest-slow 150 n6'),
          });
          expect([ok, (events as JsonObject[]).at(-1)]).toEqual([true, { kind: 'closed', by: 'server' }]);
          expect((events as JsonObject[]).at(-2)).toMatchObject({
            state: 'TASK_STATE_COMPLETED',
            text: 'n6',
          });
        });

        check('drive: a refusal is a result', async () => {
          const result = await drive({ op: 'GetTask', taskId: 'no-such-task' });
          expect(result).toMatchObject({ plugfest: 'drive-result/1', op: 'GetTask', ok: false, events: [] });
          expect(result.error).toMatchObject({
            name: expect.stringMatching(/./),
            message: expect.any(String),
          });
        });
      });
    },
  );

  it('drive: a card without the interface is NoMatchingInterface', async () => {
    const [binding = 'JSONRPC'] = kind.bindings;
    const [version = '1.0'] = kind.versions;
    const flags = ['--bindings', binding, '--protocol', version];
    await using other = await Running.start(kind, flags);
    const missing = kind.bindings.find((one) => one !== binding);
    if (missing === undefined) throw new Error('a kind with one binding');
    const call = { op: 'GetTask', taskId: 't' };
    const data = { plugfest: 'drive/1', card: other.url, binding: missing, version, call };
    const message = { messageId: randomUUID(), data };
    const result = driveResultIn(await agent.call({ binding, version }, { op: 'SendMessage', message }));
    expect(result).toMatchObject({ ok: false, error: { name: 'NoMatchingInterface' } });
  });
}

function authenticates(kind: Kind): void {
  let agent: Running;
  const extended = kind.features.includes('extendedCard') ? ['--extendedCard'] : [];
  beforeAll(async () => {
    agent = await Running.start(
      kind,
      ['--protocol', protocolOf(kind), '--auth', 'bearer', ...extended],
      tokens,
    );
  }, 90_000);
  afterAll(() => agent?.[Symbol.asyncDispose]());

  for (const dialect of dialectsOf(kind)) {
    checking(kind, label(dialect))(
      `${label(dialect)}: nobody and strangers are refused, a known principal is served`,
      async () => {
        const call = { op: 'SendMessage', message: said('hello') } as const;
        for (const token of [undefined, 'not-a-token'])
          expect(await agent.call(dialect, call, token).catch(() => ({ ok: false }))).toMatchObject({
            ok: false,
          });
        expect(endOf(await agent.call(dialect, call, 'token-of-alice'))).toBe('COMPLETED');
      },
    );
  }

  it('a refusal with 401 has a challenge', async () => {
    const headers = { 'Content-Type': 'application/json', 'A2A-Version': kind.versions[0] ?? '' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } });
    const answer = await fetch(`${agent.url}/jsonrpc`, { method: 'POST', headers, body });
    const challenge = answer.headers.get('www-authenticate');
    // Where the SDK refuses by itself, it may do so in an answer of JSON-RPC.
    if (answer.status === 200) expect(await answer.json()).toMatchObject({ error: {} });
    else expect([answer.status, challenge]).toEqual([401, expect.stringMatching(/^Bearer/)]);
  });

  if (extended.length > 0)
    it('the extended card names who asks, and the public one does not have its skill', async () => {
      const [dialect] = dialectsOf(kind);
      if (dialect === undefined) throw new Error('a kind without dialects');
      const result = await agent.call(dialect, { op: 'GetExtendedAgentCard' }, 'token-of-bob');
      expect(result.events).toMatchObject([{ kind: 'card', skills: ['lab', 'lab-extended'] }]);
      expect(await agent.card()).toMatchObject({ skills: [{ id: 'lab' }] });
    });
}

function taskIn(events: readonly { readonly kind: string; readonly taskId?: string }[]): string {
  const taskId = events[0]?.kind === 'task' ? events[0].taskId : undefined;
  if (taskId === undefined) throw new Error(`no task: ${JSON.stringify(events)}`);
  return taskId;
}
