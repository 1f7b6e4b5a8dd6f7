import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { checkCard, readJwkSet } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import { describe, expect, it, vi } from 'vitest';
import { checking, label, said } from './check.ts';
import { type Kind, protocolOf, tried } from './kinds.ts';
import { addressesIn } from './offered.ts';
import { Running, runToEnd } from './running.ts';

/** docs/lab-agents.md, section Start: flags, the ready line, the end, and what the flags change of the card. */
vi.setConfig({ testTimeout: 90_000 });

for (const kind of tried)
  describe(kind.name, () => {
    describe('start', () => starts(kind));
    if (kind.features.includes('signCard')) describe('with --signCard', () => signs(kind));
    if (kind.features.includes('requireExtension'))
      describe('with --requireExtension', () => requiresExtension(kind));
  });

function starts(kind: Kind): void {
  const unknownVersions = (['1.0', '0.3'] as const).filter((version) => !kind.versions.includes(version));
  it.each([
    ['--httpPort', '70000'],
    ['--httpPort', 'x'],
    ['--protocol', '0.2'],
    ['--bindings', 'PIGEON'],
    ['--auth', 'basic'],
    ['--extendedCard'],
    ['--nonsense'],
    ...unknownVersions.map((version) => ['--protocol', version]),
    ...(kind.name === 'js' ? [] : [['--fault', 'any']]),
  ])('%s %s is refused with exit code 2 and one line', async (...flags) => {
    const { code, stdout, stderr } = await runToEnd(
      kind,
      flags.filter((flag) => flag !== undefined),
    );
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    });
    expect(stderr.trim()).not.toBe('');
  });

  it('a token that cannot be read is refused and not shown', async () => {
    const { code, stderr } = await runToEnd(kind, ['--auth', 'bearer'], {
      LAB_AGENT_TOKENS: 'alice=x,hush-hush',
    });
    expect(code).toBe(2);
    expect(stderr).not.toContain('hush');
  });

  it('serves the bindings that it is asked for, says one line, and ends on SIGTERM with a stream open', async () => {
    const [binding = 'JSONRPC'] = kind.bindings;
    const [version = '1.0'] = kind.versions;
    const flags = ['--name', 'amber', '--bindings', binding, '--protocol', version];
    await using agent = await Running.start(kind, flags, { LAB_AGENT_LOG: 'INFO' });
    expect(agent.ready).toMatchObject({ ready: true, name: 'amber' });
    expect(addressesIn(await agent.card()).map(label)).toEqual([label({ binding, version })]);
    const stream = agent.call(
      { binding, version },
      { op: 'SendStreamingMessage', message: said('tck-long-running') },
    );
    await new Promise((resolve) => setTimeout(resolve, 700));
    const { code, tookMs } = await agent.end();
    // The contract says 2 s; a machine that runs much else gets twice that.
    expect({ code, late: tookMs > 4000, further: agent.further }).toEqual({
      code: 0,
      late: false,
      further: [],
    });
    await stream.catch(() => {});
  });

  it('ends with its parent where it is told to', async () => {
    await using agent = await Running.start(kind, ['--protocol', protocolOf(kind)], {
      PLUGFEST_PARENT: 'stdin',
    });
    const exit = new Promise<number | null>((resolve) => agent.process.once('exit', resolve));
    agent.process.stdin?.end();
    expect(await exit).toBe(0);
  });

  it('a port that is taken is one line, and an exit code that is no success', async () => {
    await using first = await Running.start(kind, ['--protocol', protocolOf(kind)]);
    const { port } = new URL(first.url);
    const { code, stdout, stderr } = await runToEnd(kind, [
      '--protocol',
      protocolOf(kind),
      '--httpPort',
      port,
    ]);
    expect({ success: code === 0, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      success: false,
      stdout: '',
      lines: 1,
    });
  });

  it('bound to every address, the card names the machine', async () => {
    await using agent = await Running.start(kind, ['--protocol', protocolOf(kind), '--host', '0.0.0.0']);
    for (const { binding, url } of addressesIn(await agent.card()))
      expect((binding === 'GRPC' ? url : new URL(url).host).split(':')[0]).toBe(hostname());
  });
}

function signs(kind: Kind): void {
  checking(kind, '')(
    'the card verifies by the key at its jku, and no longer once it was changed',
    async () => {
      // An SDK of 1.0 may sign cards of 1.0 alone.
      const [version = '1.0'] = kind.versions;
      await using agent = await Running.start(kind, ['--protocol', version, '--signCard']);
      const card = await agent.card();
      const keys = readJwkSet((await agent.get('/.well-known/jwks.json')).json) ?? [];
      expect(keys).toHaveLength(1);
      const candidates = keys.map((key) => ({ key, certain: true }));
      const [checked] = checkCard(card, () => candidates);
      expect(checked?.signature).toMatchObject({ alg: 'ES256', jku: `${agent.url}/.well-known/jwks.json` });
      expect(checked?.form?.name).toBeDefined();
      const [changed] = checkCard({ ...card, description: 'another' }, () => candidates);
      expect(changed?.status).toBe('void');
    },
  );

  it('without the flag there is neither signature nor key', async () => {
    const [version = '1.0'] = kind.versions;
    await using agent = await Running.start(kind, ['--protocol', version]);
    expect((await agent.card()).signatures ?? []).toEqual([]);
    expect(await agent.get('/.well-known/jwks.json')).toMatchObject({ status: 404 });
  });
}

function requiresExtension(kind: Kind): void {
  const uri = 'https://extension.example/v1';
  it('the card declares it, and a message is refused without it and served with it', async () => {
    await using agent = await Running.start(kind, ['--protocol', '1.0', '--requireExtension', uri]);
    expect(await agent.card()).toMatchObject({ capabilities: { extensions: [{ uri, required: true }] } });
    const params = { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'hi' }] } };
    const send = async (headers: Record<string, string>) => {
      const answer = await fetch(`${agent.url}/jsonrpc`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params }),
      });
      return (await answer.json()) as JsonObject;
    };
    // ExtensionSupportRequiredError (A2A 1.0 section 5.4).
    expect(await send({})).toMatchObject({ error: { code: -32008 } });
    expect(await send({ 'A2A-Extensions': uri })).toMatchObject({ result: { task: {} } });
  });

  it('what is no URI is refused with exit code 2', async () => {
    expect(await runToEnd(kind, ['--requireExtension', 'not a uri'])).toMatchObject({ code: 2, stdout: '' });
  });
}
