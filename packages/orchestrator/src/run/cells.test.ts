import { describe, expect, test } from 'vitest';
import type { Dialect } from '../driver/drive.ts';
import { defineScenario, type ScenarioSpec } from '../scenario/define.ts';
import { choosesDialect } from '../scenario/delegation.ts';
import { lab } from '../testing/labs.ts';
import { type Peer, planCells } from './cells.ts';

const rpc: Dialect = { binding: 'JSONRPC', version: '1.0' };
const rest: Dialect = { binding: 'HTTP+JSON', version: '1.0' };
const old: Dialect = { binding: 'JSONRPC', version: '0.3' };

function scenario(id: string, more: Partial<ScenarioSpec> = {}) {
  return defineScenario({
    id,
    title: id,
    summary: 'A test.',
    clients: 'any',
    needs: [],
    hops: [{ from: 'client', to: 'server', min: 1 }],
    run: async () => {},
    ...more,
  });
}

function plan(
  text: string,
  scenarios: readonly ReturnType<typeof scenario>[],
  dialects = [rpc],
  only?: string[],
) {
  const parsed = lab(text);
  const peers = parsed.agents.map((agent): [string, Peer] => [
    agent.name,
    {
      agent,
      dialects,
      streaming: true,
      pushNotifications: false,
      extendedCard: false,
      requiredExtensions: [],
      offeredExtensions: [],
      requiresExtension: false,
      auth: false,
      listTasks: true,
      restart: true,
      speaks: ({ version }) => version === '1.0' || agent.name !== 'c',
      behaviours: true,
    },
  ]);
  const { cells, notes } = planCells(parsed, new Map(peers), scenarios, only);
  return { ids: cells.map(({ id }) => id), cells, notes };
}

const two = 'name: x\nagents:\n  a: { kind: js, protocol: both }\n  b: { command: [b] }\n';

describe('the cells of a lab', () => {
  test('have every agent that can be told to call, and Plugfest, as clients', () => {
    const { ids, notes } = plan(two, [
      scenario('any'),
      scenario('raw', { clients: 'raw' }),
      scenario('told', { clients: 'agent' }),
    ]);
    expect(ids).toEqual([
      'plugfest>a/JSONRPC/1.0/any',
      'plugfest>a/JSONRPC/1.0/raw',
      'plugfest>b/JSONRPC/1.0/any',
      'plugfest>b/JSONRPC/1.0/raw',
      'a>b/JSONRPC/1.0/any',
      'a>b/JSONRPC/1.0/told',
    ]);
    expect(notes).toEqual([expect.stringMatching(/^b is not told to call .*plugfest stands in/)]);
  });

  test('are those of the edges, bindings, versions, scenarios and globs asked for', () => {
    const all = [scenario('one'), scenario('two')];
    expect(plan(`${two}edges: [a -> b]\nscenarios: [one]\n`, all).ids).toEqual([
      'plugfest>b/JSONRPC/1.0/one',
      'a>b/JSONRPC/1.0/one',
    ]);
    expect(plan(`${two}versions: ["0.3"]\n`, all, [rpc, rest, old], ['a>*/two']).ids).toEqual([
      'a>b/JSONRPC/0.3/two',
    ]);
    expect(plan(`${two}bindings: [HTTP+JSON]\n`, all, [rpc, rest], ['plugfest>a/*']).ids).toEqual([
      'plugfest>a/HTTP+JSON/1.0/one',
      'plugfest>a/HTTP+JSON/1.0/two',
    ]);
  });

  test('with a server of 0.1 are those of scenarios for it', () => {
    const all = [scenario('today'), scenario('then', { versions: ['0.3', '0.1'] })];
    expect(plan(two, all, [{ binding: 'JSONRPC', version: '0.1' }], ['plugfest>b/*']).ids).toEqual([
      'plugfest>b/JSONRPC/0.1/then',
    ]);
  });

  test('of an edge are within the limits of that edge', () => {
    const all = [scenario('one'), scenario('two')];
    const edge = '{ from: a, to: b, bindings: [JSONRPC], versions: ["1.0"], scenarios: [t*] }';
    expect(plan(`${two}edges: [${edge}]\n`, all, [rpc, rest, old], ['a>*']).ids).toEqual([
      'a>b/JSONRPC/1.0/two',
    ]);
  });

  test('of scenarios for agents of their own are there only where the lab names these', () => {
    const some = [scenario('plain'), scenario('travel', { named: true })];
    const of = (globs: string) =>
      plan(`${two}scenarios: [${globs}]\n`, some).ids.filter((id) => id.endsWith('/travel')).length;
    expect(of("'*'")).toBe(0);
    expect(of('travel')).toBeGreaterThan(0);
  });

  test('of scenarios that play faults are there only where the lab names these', () => {
    const some = [scenario('plain'), scenario('resilience-x', { faults: true })];
    expect(plan(`${two}edges: [a -> b]\nscenarios: [resilience-*]\n`, some).ids).toEqual([
      'plugfest>b/JSONRPC/1.0/resilience-x',
      'a>b/JSONRPC/1.0/resilience-x',
    ]);
    expect(plan(`${two}edges: [a -> b]\n`, some).ids).not.toContain('a>b/JSONRPC/1.0/resilience-x');
  });

  test('are unsupported where the card lacks what is needed, and say so', () => {
    const { cells } = plan(two, [scenario('push', { needs: ['streaming', 'pushNotifications'] })]);
    expect(cells[0]?.settled).toEqual({
      outcome: 'unsupported',
      reason: 'the card of a does not declare capabilities.pushNotifications',
    });
  });

  test('are unsupported where the client does not speak the dialect', () => {
    const three = `${two}  c: { kind: rust, protocol: "1.0" }\nedges: [c -> a]\n`;
    const { cells } = plan(three, [scenario('one')], [rpc, old], ['c>*']);
    expect(cells.map(({ id, settled }) => [id, settled?.reason])).toEqual([
      ['c>a/JSONRPC/1.0/one', undefined],
      ['c>a/JSONRPC/0.3/one', 'the manifest of c says that its SDK does not speak JSONRPC 0.3'],
    ]);
  });

  test('of instructions, which name no version, are those of the version that a client takes', () => {
    const told = scenario('told', { clients: 'agent', applies: choosesDialect });
    expect(plan(two, [told], [rpc, rest, old]).ids).toEqual([
      'a>b/JSONRPC/1.0/told',
      'a>b/HTTP+JSON/1.0/told',
    ]);
    expect(plan(two, [told], [old]).ids).toEqual(['a>b/JSONRPC/0.3/told']);
  });
});
