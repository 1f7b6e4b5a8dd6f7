import { dirname, resolve } from 'node:path';
import { globMatches, isJsonObject, type JsonObject, PlugfestError } from '@plugfest/model';
import { readAgent } from './agent.ts';
import { closest } from './closest.ts';
import { readEdges } from './edges.ts';
import { findingsOf } from './expectations.ts';
import { strangeNames } from './expected-names.ts';
import { type FaultKinds, readFaults } from './faults.ts';
import type { Lab, LabAgent, LabEdge } from './lab.ts';
import type { KeyPath } from './positions.ts';
import { line, problemsOf } from './problems.ts';
import { type LabFile, labFile } from './schema.ts';
import type { Environment } from './substitute.ts';
import { inOrder, maxProblems, readYaml } from './yaml.ts';

export interface ParseLabOptions {
  /** Name of the file, for messages and to resolve relative folders. */
  readonly file: string;
  readonly env: Environment;
  /** Ids that globs under `scenarios` must match; unchecked where absent. */
  readonly scenarioIds?: readonly string[];
  /** Kinds that an agent may have; unchecked where absent. */
  readonly kinds?: readonly string[];
  /** Ids of rules that an expected finding may name; unchecked where absent. */
  readonly ruleIds?: readonly string[];
  /** What may stand under `faults`; where absent, nothing may. */
  readonly faultKinds?: FaultKinds;
}

/** Reads a lab file. @throws PlugfestError PLUGFEST_LAB_INVALID with a line for each problem found. */
export function parseLab(
  text: string,
  { file, env, scenarioIds, kinds, ruleIds, faultKinds = new Map() }: ParseLabOptions,
): Lab {
  const { value, positions } = readYaml(text, file, invalid);
  const parsed = labFile.safeParse(value, { reportInput: true });
  // What is well formed is looked at all the same, so that all that is wrong is told at once.
  const data = parsed.success ? parsed.data : wellFormed(value);
  const problems: string[] = parsed.success ? [] : [...problemsOf(parsed.error, labFile, positions)];
  const report = (path: KeyPath, problem: string) => {
    if (problems.length < maxProblems) problems.push(line(positions.value(path), path, problem));
  };
  const folder = resolve(dirname(file));
  const agents: LabAgent[] = [];
  for (const [name, value] of Object.entries(data.agents)) {
    const result = readAgent(name, value, { positions, env, folder });
    problems.push(...result.problems);
    if (result.agent) agents.push(result.agent);
    // Whatever else is wrong with it.
    const kind = isJsonObject(value) && typeof value.kind === 'string' ? value.kind.trim() : '';
    if (kind !== '' && kinds?.includes(kind) === false)
      report(['agents', name, 'kind'], strangeKind(kind, kinds));
  }
  if (parsed.success && agents.length === 0 && problems.length === 0)
    report(['agents'], 'a lab needs at least one agent');
  const { edges, ...wrong } = readEdges(data, { positions, scenarioIds });
  problems.push(...wrong.problems);
  for (const [index, glob] of (data.scenarios ?? []).entries()) {
    if (scenarioIds && !scenarioIds.some((id) => globMatches(glob, id)))
      report(['scenarios', index], strangeScenario(glob, scenarioIds));
  }
  // Plugfest itself and the agent that tells whose fault a failure is may be found fault with, too.
  const names =
    'agents' in data && Object.keys(data.agents).length > 0
      ? [...Object.keys(data.agents), 'plugfest', 'reference']
      : undefined;
  for (const { path, problem } of strangeNames(data.expect?.findings ?? [], {
    ruleIds,
    scenarioIds,
    agents: names,
  }))
    report(path, problem);
  const faults = readFaults(data.faults ?? [], ['faults'], positions, faultKinds);
  problems.push(...faults.problems);
  if (data.interposition?.mode === 'alias') {
    if (data.interposition.listen === 'loopback')
      report(['interposition', 'listen'], 'with mode alias, the proxy listens in the networks of the agents');
    if (data.interposition.tls === true)
      report(
        ['interposition', 'tls'],
        'with mode alias, the agents have the addresses: let them speak TLS themselves',
      );
    if (data.interposition.signatures !== undefined)
      report(['interposition', 'signatures'], 'with mode alias, no card is altered: leave it out');
    for (const { name, form } of agents)
      if (form !== 'card')
        report(['agents', name], 'with interposition.mode alias, agents run already: give its `card`');
  }
  if (!parsed.success || problems.length > 0) throw invalid(problems.slice(0, maxProblems));
  return labOf(parsed.data, agents, edges, faults.faults);
}

/** The members of a lab file that can be read, whatever is wrong with the others. */
function wellFormed(value: unknown): Pick<LabFile, 'agents'> & Partial<LabFile> {
  const members: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(labFile.shape)) {
    const read = isJsonObject(value) && name in value ? schema.safeParse(value[name]) : undefined;
    if (read?.success) members[name] = read.data;
  }
  // An edge of agents that cannot be read is not to be told as one to nobody.
  const { edges: _edges, ...others } = members;
  return 'agents' in members ? (members as LabFile) : { ...others, agents: {} };
}

function strangeKind(kind: string, kinds: readonly string[]): string {
  const meant = closest(kind, kinds);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return `there is no lab agent of kind "${kind}"${hint}; there are ${kinds.join(', ')}`;
}

function strangeScenario(glob: string, ids: readonly string[]): string {
  const meant = closest(glob, ids);
  const hint = meant === undefined ? `there are ${ids.join(', ')}` : `did you mean ${meant}?`;
  return `"${glob}" names no scenario; ${hint}`;
}

function labOf(
  file: LabFile,
  agents: readonly LabAgent[],
  edges: readonly LabEdge[],
  faults: readonly JsonObject[],
): Lab {
  return {
    name: file.name,
    title: file.title ?? file.name,
    tracing: file.tracing ?? 'observe',
    ...(file.seed === undefined ? {} : { seed: file.seed }),
    concurrency: file.concurrency ?? 4,
    scenarios: file.scenarios ?? ['*'],
    // Cards give gRPC as `host:port`, which clients take for clear text.
    bindings: file.bindings ?? [
      'JSONRPC',
      'HTTP+JSON',
      ...(file.interposition?.tls ? [] : (['GRPC'] as const)),
    ],
    versions: file.versions ?? ['1.0', '0.3', '0.1'],
    timeouts: { startMs: file.timeouts?.startMs ?? 20_000, cellMs: file.timeouts?.cellMs ?? 30_000 },
    interposition: {
      mode: file.interposition?.mode ?? 'rewrite',
      tls: file.interposition?.tls ?? false,
      signatures: file.interposition?.signatures ?? 'strip',
      listen: file.interposition?.listen ?? (file.interposition?.mode === 'alias' ? 'network' : 'loopback'),
    },
    agents,
    edges,
    faults,
    edgesListed: file.edges !== undefined || (file.topology ?? 'mesh') !== 'mesh',
    repeat: file.repeat ?? 1,
    expect: {
      findings: findingsOf(file.expect?.findings),
      cells: file.expect?.cells ?? [],
    },
  };
}

function invalid(problems: readonly string[]): PlugfestError {
  return new PlugfestError('PLUGFEST_LAB_INVALID', inOrder(problems), {
    hint: 'Correct the lab file at the places named and run again.',
  });
}
