import { globMatches } from '@plugfest/model';
import { closest } from './closest.ts';
import type { LabEdge } from './lab.ts';
import type { KeyPath, Positions } from './positions.ts';
import { line, problemsOf } from './problems.ts';
import { edgeEntry, type LabFile } from './schema.ts';
import { maxProblems } from './yaml.ts';

interface Surroundings {
  readonly positions: Positions;
  /** Ids that globs must match; unchecked where absent. */
  readonly scenarioIds: readonly string[] | undefined;
}

export interface ReadEdges {
  readonly edges: readonly LabEdge[];
  readonly problems: readonly string[];
}

/** Who calls whom: what `edges` lists, or what `topology` makes of the agents in their order. */
export function readEdges(
  file: Pick<LabFile, 'agents'> & Partial<LabFile>,
  { positions, scenarioIds }: Surroundings,
): ReadEdges {
  const names = Object.keys(file.agents);
  const problems: string[] = [];
  const report = (path: KeyPath, problem: string) => {
    problems.push(line(positions.value(path), path, problem));
  };
  if (file.edges === undefined) return { edges: edgesOf(file.topology ?? 'mesh', names), problems };
  if (file.topology !== undefined) report(['topology'], 'edges are listed already: leave one of the two out');
  const edges = new Map<string, LabEdge>();
  for (const [index, entry] of file.edges.entries()) {
    const path = ['edges', index];
    const edge = typeof entry === 'string' ? edgeIn(entry) : objectEdge(entry, path, positions, problems);
    if (edge === undefined) {
      if (typeof entry === 'string') report(path, `"${entry}" is not of the form "caller -> callee"`);
      continue;
    }
    const { caller, callee } = edge;
    const unknown = [caller, callee].filter((name) => !names.includes(name));
    const strange = edge.scenarios?.find(
      (glob) => scenarioIds?.some((id) => globMatches(glob, id)) === false,
    );
    const [first] = unknown;
    if (first !== undefined) {
      const meant = unknown.length === 1 ? closest(first, names) : undefined;
      const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
      report(path, `no agent named ${unknown.join(' or ')}${hint}; there are ${names.join(', ')}`);
    } else if (caller === callee) report(path, 'an edge joins two different agents');
    else if (strange !== undefined) report(path, `"${strange}" names no scenario`);
    else edges.set(`${caller}>${callee}`, edge);
  }
  return { edges: [...edges.values()], problems: problems.slice(0, maxProblems) };
}

function edgeIn(text: string): LabEdge | undefined {
  const [, caller, callee] = /^(\S+)\s*->\s*(\S+)$/.exec(text.trim()) ?? [];
  return caller === undefined || callee === undefined ? undefined : { caller, callee };
}

function objectEdge(
  entry: unknown,
  path: KeyPath,
  positions: Positions,
  problems: string[],
): LabEdge | undefined {
  const parsed = edgeEntry.safeParse(entry, { reportInput: true });
  if (!parsed.success) {
    problems.push(...problemsOf(parsed.error, edgeEntry, positions, path));
    return undefined;
  }
  const { from, to, bindings, versions, scenarios } = parsed.data;
  return {
    caller: from,
    callee: to,
    ...(bindings && { bindings }),
    ...(versions && { versions }),
    ...(scenarios && { scenarios }),
  };
}

/** `mesh`: everybody calls everybody. `chain`: each calls the next. `star`: the first calls all others. */
function edgesOf(topology: NonNullable<LabFile['topology']>, names: readonly string[]): readonly LabEdge[] {
  const [hub, ...others] = names;
  switch (topology) {
    case 'mesh':
      return names.flatMap((caller) =>
        names.filter((callee) => callee !== caller).map((callee) => ({ caller, callee })),
      );
    case 'chain':
      return others.flatMap((callee, index) => {
        const caller = names[index];
        return caller === undefined ? [] : [{ caller, callee }];
      });
    case 'star':
      return hub === undefined ? [] : others.map((callee) => ({ caller: hub, callee }));
  }
}
