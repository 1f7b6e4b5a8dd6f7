import { isPlugfestError } from '@plugfest/model';
import { expect, test } from 'vitest';
import type { Lab } from '../lab/lab.ts';
import { loadScenarios } from '../scenario/discover.ts';
import { lab } from '../testing/labs.ts';
import { neededAgents } from './needed.ts';

const scenarios = await loadScenarios();

const four = `
name: x
agents:
  jay: { kind: js, protocol: both }
  pine: { kind: python, protocol: "1.0" }
  gull: { kind: go, protocol: both, bindings: [JSONRPC] }
  own: { command: [own] }
`;

const needed = (of: Lab, ...only: readonly string[]) => {
  const { agents, idle } = neededAgents(of, scenarios, only);
  return [agents.map(({ name }) => name), idle];
};

test('all agents are needed where nothing is chosen', () => {
  expect(neededAgents(lab(four), scenarios, undefined)).toEqual({ agents: lab(four).agents, idle: [] });
});

test('client and server of the cells are needed, and no others', () => {
  expect(needed(lab(four), 'jay>pine/JSONRPC/1.0/send-blocking')).toEqual([
    ['jay', 'pine'],
    ['gull', 'own'],
  ]);
  expect(needed(lab(four), 'plugfest>own/*')).toEqual([['own'], ['jay', 'pine', 'gull']]);
  expect(needed(lab(four), 'plugfest>own/*', '*>gull/JSONRPC/0.3/stream')).toEqual([
    ['jay', 'pine', 'gull', 'own'],
    [],
  ]);
});

test('what no agent of a kind can offer, or no edge leads to, needs nobody', () => {
  expect(needed(lab(four), '*/0.3/stream')[0]).toEqual(['jay', 'pine', 'gull', 'own']);
  expect(needed(lab(`${four}edges: [pine -> gull]\n`), 'pine>*/JSONRPC/1.0/stream')).toEqual([
    ['pine', 'gull'],
    ['jay', 'own'],
  ]);
  for (const only of [
    'jay>pine/*/0.3/*',
    'jay>gull/GRPC/*',
    'plugfest>plugfest/*',
    'jay>pine/JSONRPC/1.0/strem',
  ]) {
    const thrown = (() => {
      try {
        return needed(lab(four), only);
      } catch (error) {
        return error;
      }
    })();
    expect(isPlugfestError(thrown) && [thrown.code, thrown.message], only).toEqual([
      'PLUGFEST_USAGE',
      'Lab x: no cell is left to run.',
    ]);
  }
});

test('a scenario of more than two agents needs those whom the two call', () => {
  const chain = lab(`${four}edges: [jay -> pine, pine -> gull, gull -> own]\n`);
  expect(needed(chain, 'jay>pine/JSONRPC/1.0/chain-three')).toEqual([['jay', 'pine', 'gull'], ['own']]);
  expect(needed(chain, 'jay>pine/JSONRPC/1.0/chain')).toEqual([
    ['jay', 'pine'],
    ['gull', 'own'],
  ]);
});
