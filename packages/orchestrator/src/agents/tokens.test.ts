import { expect, test } from 'vitest';
import { lab } from '../testing/labs.ts';
import { newTokens, tokensFor } from './tokens.ts';

const three = lab(`
name: x
agents:
  jay: { kind: js, protocol: "1.0", auth: bearer }
  pine: { kind: python, protocol: "1.0", auth: bearer }
  elm: { kind: js, protocol: "1.0" }
`);

test('each principal has another token at each agent that wants one', () => {
  const tokens = newTokens(three);
  expect([...tokens.keys()]).toEqual(['jay', 'pine']);
  const all = [...tokens.values()].flatMap((own) => [...own.values()]);
  expect(new Set(all).size).toBe(4);
  expect(new Set([...all, ...[...newTokens(three).values()].flatMap((own) => [...own.values()])]).size).toBe(
    8,
  );
});

test('an agent knows its own principals by their names, and those at others by where they are known', () => {
  const tokens = newTokens(three);
  const named = (agent: string) =>
    tokensFor(agent, tokens)
      .LAB_AGENT_TOKENS?.split(',')
      .map((entry) => entry.slice(0, entry.indexOf('=')));
  expect(named('jay')).toEqual(['alice', 'bob', 'alice@pine', 'bob@pine']);
  expect(named('pine')).toEqual(['alice@jay', 'bob@jay', 'alice', 'bob']);
  expect(named('elm')).toEqual(['alice@jay', 'bob@jay', 'alice@pine', 'bob@pine']);
  expect(tokensFor('jay', new Map())).toEqual({});
});
