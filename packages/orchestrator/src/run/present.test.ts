import { PlugfestError } from '@plugfest/model';
import { expect, test } from 'vitest';
import { parseLab } from '../lab/parse.ts';
import { presentAgents } from './present.ts';

const lab = parseLab(
  `
name: x
agents:
  jay: { kind: js, protocol: both }
  rowan: { kind: rust, protocol: "1.0", optional: true }
  gull: { kind: go, protocol: both, optional: true }
`,
  { file: 'x.yaml', env: {} },
);

const only = (installed: readonly string[]) => async (kind: string) => {
  if (!installed.includes(kind))
    throw new PlugfestError('PLUGFEST_AGENT_NOT_INSTALLED', `The ${kind} lab agent is not installed.`);
  return {
    command: [kind],
    cwd: '/',
    about: kind,
    offers: { versions: [], bindings: [], features: [] },
  } as never;
};

test('optional agents whose kind is not installed are left out, with the reason', async () => {
  const { lab: present, absent } = await presentAgents(lab, only(['js', 'go']));
  expect(present.agents.map(({ name }) => name)).toEqual(['jay', 'gull']);
  expect(present.edges).toEqual(lab.edges);
  expect(absent).toEqual(['rowan is left out, with all its cells: The rust lab agent is not installed.']);
});

test('a lab that is all here stays as it is, and an agent that is not optional stays in any case', async () => {
  expect(await presentAgents(lab, only(['js', 'go', 'rust']))).toEqual({ lab, absent: [] });
  const { lab: present } = await presentAgents(lab, only([]));
  expect(present.agents.map(({ name }) => name)).toEqual(['jay']);
});

test('whom only an agent that is left out would call stays a server', async () => {
  const listed = parseLab(
    'name: x\nagents:\n  jay: { kind: js, protocol: both }\n  gull: { kind: go, protocol: both, optional: true }\nedges: [gull -> jay]\n',
    { file: 'x.yaml', env: {} },
  );
  const { lab: present } = await presentAgents(listed, only(['js']));
  expect([present.agents.map(({ name }) => name), present.edges]).toEqual([['jay'], listed.edges]);
});
