import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '@plugfest/orchestrator';

/** A kind of lab agent, as its manifest has it (docs/lab-agents.md, section Start). */
export interface Kind {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly versions: readonly Dialect['version'][];
  readonly bindings: readonly Dialect['binding'][];
  readonly features: readonly string[];
  readonly installed: boolean;
}

interface Manifest extends Pick<Kind, 'versions' | 'bindings'> {
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly features: readonly string[];
}

const root = join(import.meta.dirname, '..', '..');

/** The agents of the business trip play roles of their own, and none of the contract's behaviours. */
const others = /^travel-/;

/** Every kind that the contract is for; the bundled one is always installed. */
const kinds: readonly Kind[] = [
  bundled(),
  ...readdirSync(join(root, 'docker'))
    .filter((folder) => folder.startsWith('agent-') && existsSync(join(root, 'docker', folder, 'agent.json')))
    .map((folder) => folder.slice('agent-'.length))
    .filter((name) => !others.test(name))
    .map(installable),
];

/** `LAB_AGENTS` names those that have to be there; then no others are tried. */
export const required = (process.env.LAB_AGENTS ?? '').split(',').filter((name) => name !== '');

const wanted = kinds.filter(({ name }) => required.length === 0 || required.includes(name));

/** Those that the tests are run with. */
export const tried = wanted.filter(({ installed }) => installed);

/** Those that nothing is known of here. */
export const untried = wanted.filter(({ installed }) => !installed);

function bundled(): Kind {
  const { versions, bindings, features } = read(join(root, 'packages/agents/agent.json'));
  const command = [process.execPath, join(root, 'packages/agents/src/main.ts')] as const;
  return { name: 'js', command, cwd: root, versions, bindings, features, installed: true };
}

function installable(name: string): Kind {
  const here = join(root, 'docker', `agent-${name}`);
  const install = join(root, '.agents', name);
  const { command, cwd = '{here}', versions, bindings, features } = read(join(here, 'agent.json'));
  const fill = (text: string) =>
    text.replaceAll('{install}', install).replaceAll('{here}', here).replaceAll('{node}', process.execPath);
  const [program = '', ...rest] = command.map(fill);
  const installed = existsSync(command.map(fill).find((word) => word.startsWith(install)) ?? install);
  return { name, command: [program, ...rest], cwd: fill(cwd), versions, bindings, features, installed };
}

function read(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

/** For `--protocol`: all that the kind serves. */
export function protocolOf({ versions }: Kind): string {
  return versions.length > 1 ? 'both' : (versions[0] ?? '1.0');
}

export function dialectsOf({ versions, bindings }: Kind): readonly Dialect[] {
  return versions.flatMap((version) => bindings.map((binding) => ({ binding, version })));
}
