import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { globMatches } from '@plugfest/model';
import { type Lab, loadLab, loadScenarios, namesCell } from '@plugfest/orchestrator';
import { loadFaultKinds } from '@plugfest/proxy';
import { loadRulebook } from '@plugfest/rules';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const labs = readdirSync(join(root, 'labs')).filter((file) => file.endsWith('.yaml'));

const faultKinds = await loadFaultKinds();
const scenarios = await loadScenarios();
const rules = (await loadRulebook()).rules.map(({ id }) => id);

/** The ids of all cells that a lab could have, its own client's among them. */
function possibleCells({ agents, scenarios: globs }: Lab): readonly string[] {
  const servers = agents.map(({ name }) => name);
  const ids = scenarios.map(({ id }) => id).filter((id) => globs.some((glob) => globMatches(glob, id)));
  return ['plugfest', ...servers].flatMap((client) =>
    servers
      .filter((server) => server !== client)
      .flatMap((server) =>
        ['JSONRPC', 'HTTP+JSON', 'GRPC'].flatMap((binding) =>
          ['1.0', '0.3', '0.1'].flatMap((version) =>
            ids.map((id) => `${client}>${server}/${binding}/${version}/${id}`),
          ),
        ),
      ),
  );
}

it('has labs to look at', () => {
  expect(labs).toContain('mesh.yaml');
  expect(rules).toContain('SSE-005');
});

describe.each(labs)('labs/%s', async (file) => {
  const lab = await loadLab(join(root, 'labs', file), process.env, { faultKinds });

  it('names only kinds of agents that there are', () => {
    const kinds = lab.agents.flatMap((agent) => ('kind' in agent && agent.kind !== 'js' ? [agent.kind] : []));
    expect(kinds.filter((kind) => !existsSync(join(root, 'docker', `agent-${kind}`, 'agent.json')))).toEqual(
      [],
    );
  });

  it('expects findings of rules and agents that there are', () => {
    const names = lab.agents.map(({ name }) => name);
    const wrong = lab.expect.findings.filter(
      ({ rule, agent }) =>
        !rules.some((id) => globMatches(rule, id)) ||
        (agent !== undefined && !names.some((name) => globMatches(agent, name))),
    );
    expect(wrong).toEqual([]);
  });

  it('expects failures of cells that it can have', () => {
    const cells = possibleCells(lab);
    const wrong = lab.expect.cells.filter((entry) => !cells.some((id) => namesCell(entry, id)));
    expect(wrong).toEqual([]);
  });

  it('expects nothing twice', () => {
    const keys = lab.expect.findings.map(({ rule, agent, party }) => `${rule} ${agent} ${party}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});
