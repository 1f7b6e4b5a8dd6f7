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
  /** Its service that receives traces, which has a profile of its own. */
  readonly traces: TracesService | undefined;
}

export interface TracesService {
  readonly service: string;
  readonly image: string;
  /** Address of its pages, and of its query API. */
  readonly url: string;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
}

interface ComposeService {
  readonly build?: { readonly context: string; readonly dockerfile?: string };
  readonly extends?: { readonly file: string; readonly service: string };
  readonly profiles?: readonly string[];
  readonly image?: string;
  readonly ports?: readonly string[];
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
    traces: await tracesServiceOf(folder, `${name}.yaml`),
  };
}

async function dockerfilesOf(folder: string, file: string): Promise<readonly string[]> {
  const paths = (await servicesOf(folder, file)).map(([, { build, profiles }]) => {
    if (build === undefined || profiles !== undefined) return undefined;
    return resolve(folder, build.context, build.dockerfile ?? 'Dockerfile');
  });
  return paths.filter((path) => path !== undefined);
}

async function tracesServiceOf(folder: string, file: string): Promise<TracesService | undefined> {
  const services = await servicesOf(folder, file);
  const [service = '', found] = services.find(([, { profiles }]) => profiles?.includes('traces')) ?? [];
  const [, host, port] = /^([\d.]+):(\d+):\d+$/.exec(found?.ports?.[0] ?? '') ?? [];
  if (found?.image === undefined || port === undefined) return undefined;
  return { service, image: found.image, url: `http://${host}:${port}` };
}

/** By name; those that another file defines as they are there. */
async function servicesOf(
  folder: string,
  file: string,
): Promise<readonly (readonly [string, ComposeService])[]> {
  const { services } = await read<ComposeFile>(join(folder, file));
  const each = Object.entries(services).map(async ([name, given]) => {
    const other = given.extends && (await read<ComposeFile>(join(folder, given.extends.file)));
    return [name, other?.services[given.extends?.service ?? ''] ?? given] as const;
  });
  return Promise.all(each);
}

async function read<File>(path: string): Promise<File> {
  return parse(await readFile(path, 'utf8')) as File;
}
