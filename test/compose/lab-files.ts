import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

/** What the test needs to know of a lab in `compose/`: its compose file, and the lab file beside it. */
export interface ComposeLab {
  readonly name: string;
  /** Of the images that it builds. */
  readonly dockerfiles: readonly string[];
  /** Which agent calls which. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Agents that sign their cards. */
  readonly signed: readonly string[];
  /** Whether the proxy alters no body between agents. */
  readonly untouched: boolean;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
}

interface ComposeService {
  readonly build?: { readonly context: string; readonly dockerfile?: string };
  readonly extends?: { readonly file: string; readonly service: string };
  readonly profiles?: readonly string[];
}

interface LabFile {
  readonly agents: Readonly<Record<string, { readonly keys?: string }>>;
  readonly edges?: readonly string[];
  readonly interposition?: { readonly mode?: string };
}

export async function composeLab(folder: string, name: string): Promise<ComposeLab> {
  const { agents, edges, interposition } = await read<LabFile>(join(folder, 'labs', `${name}.yaml`));
  const names = Object.keys(agents);
  const all = names.flatMap((caller) => names.map((callee): [string, string] => [caller, callee]));
  const pairs = edges?.map((edge): [string, string] => {
    const [caller = '', callee = ''] = edge.split(' -> ');
    return [caller, callee];
  });
  return {
    name,
    dockerfiles: await dockerfilesOf(folder, `${name}.yaml`),
    pairs: pairs ?? all.filter(([caller, callee]) => caller !== callee),
    signed: names.filter((agent) => agents[agent]?.keys !== undefined),
    untouched: interposition?.mode === 'alias',
  };
}

async function dockerfilesOf(folder: string, file: string): Promise<readonly string[]> {
  const { services } = await read<ComposeFile>(join(folder, file));
  const each = Object.values(services).map(async (given): Promise<string | undefined> => {
    const other = given.extends && (await read<ComposeFile>(join(folder, given.extends.file)));
    const service = other?.services[given.extends?.service ?? ''] ?? given;
    const { build, profiles } = service;
    if (build === undefined || profiles !== undefined) return undefined;
    return resolve(folder, build.context, build.dockerfile ?? 'Dockerfile');
  });
  return (await Promise.all(each)).filter((path) => path !== undefined);
}

async function read<File>(path: string): Promise<File> {
  return parse(await readFile(path, 'utf8')) as File;
}
