import { type CellResult, cellId } from '@plugfest/model';
import { expect, test } from 'vitest';
import type { Dialect } from '../driver/drive.ts';
import { defineScenario, type ScenarioSpec } from '../scenario/define.ts';
import { choosesDialect } from '../scenario/delegation.ts';
import { lab } from '../testing/labs.ts';
import type { Peer } from './cells.ts';
import { haveReference, isReference, referenceCells, unexplained } from './substitution.ts';

const modern: Dialect = { binding: 'GRPC', version: '1.0' };
const legacy: Dialect = { binding: 'GRPC', version: '0.3' };
const some = lab(
  'name: x\nagents:\n  a: { command: [a], drive: true }\n  b: { command: [b], drive: true }\n  ref: { kind: js, protocol: both }\n  odd: { kind: js, protocol: both, fault: wrong-jsonrpc-id }\nexpect: { cells: [{ cell: "*/known", reason: "known" }] }\n',
);

const peers = new Map(
  some.agents.map((agent): [string, Peer] => [
    agent.name,
    {
      agent,
      dialects: agent.name === 'b' ? [legacy] : [modern, legacy],
      streaming: true,
      pushNotifications: false,
      extendedCard: false,
      requiredExtensions: [],
      offeredExtensions: [],
      requiresExtension: false,
      auth: false,
      listTasks: true,
      restart: false,
      speaks: () => true,
      behaviours: true,
    },
  ]),
);
const references = [...peers.values()].filter(({ agent }) => isReference(agent));

const scenario = (id: string, more: Partial<ScenarioSpec> = {}) =>
  defineScenario({
    id,
    title: id,
    summary: 'A test.',
    clients: 'any',
    needs: [],
    hops: [{ from: 'client', to: 'server', min: 1 }],
    run: async () => {},
    ...more,
  });
const scenarios = [
  scenario('one'),
  scenario('known'),
  scenario('told', { clients: 'agent', applies: choosesDialect }),
  scenario('asked', { clients: 'words' }),
  scenario('push', { needs: ['pushNotifications'] }),
];

const failed = (scenarioId: string, client = 'a', version: Dialect['version'] = '0.3'): CellResult => ({
  id: cellId(`${client}>b/GRPC/${version}/${scenarioId}`),
  client,
  server: 'b',
  binding: 'GRPC',
  version,
  scenario: scenarioId,
  outcome: 'failed',
  checks: [],
  durationMs: 1,
  exchanges: [],
});
const further = (cell: CellResult, known: readonly string[] = []) =>
  referenceCells([cell], references, { known: new Set(known), scenarios, peers }).map(({ id }) => id);

test('a reference is not asked in words, which it does not take', () => {
  expect(further(failed('asked'))).toEqual(['a>ref/GRPC/0.3/asked']);
});

test('a bundled agent without a defect is what others are compared with', () => {
  expect(references.map(({ agent }) => agent.name)).toEqual(['ref']);
  expect(haveReference([failed('one')], some.agents)).toBe(true);
  expect(haveReference([failed('one', 'ref')], some.agents)).toBe(false);
});

test('only failures of two agents that nobody expected are looked into', () => {
  const cells = [
    failed('one'),
    failed('one', 'plugfest'),
    failed('known'),
    { ...failed('one'), outcome: 'ok' as const },
  ];
  expect(unexplained(some, cells)).toEqual([failed('one')]);
});

test('both sides meet the reference, where the run has not seen that yet', () => {
  const plugfest = (server: string) => `plugfest>${server}/GRPC/0.3/one`;
  expect(further(failed('one'))).toEqual(['a>ref/GRPC/0.3/one', plugfest('ref'), 'ref>b/GRPC/0.3/one']);
  expect(further(failed('one'), [plugfest('b')])).toEqual(['a>ref/GRPC/0.3/one', plugfest('ref')]);
  expect(further(failed('one'), [plugfest('b'), plugfest('ref')])).toEqual(['a>ref/GRPC/0.3/one']);
  expect(further(failed('one'), ['a>ref/GRPC/0.3/one', 'ref>b/GRPC/0.3/one'])).toEqual([]);
});

test('the reference stands for nobody where the scenario has no meaning for it, or it lacks what is needed', () => {
  // Told over gRPC, a client takes 1.0 where the card has it: ref has, b has not.
  expect(further(failed('told'))).toEqual(['ref>b/GRPC/0.3/told']);
  expect(further(failed('push'))).toEqual(['ref>b/GRPC/0.3/push']);
});
