import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isPlugfestError, PlugfestError } from '@plugfest/model';
import { askedOf } from '../agents/asked.ts';
import type { ResolveKind } from '../agents/kinds.ts';
import type { CommandAgent, LabAgent } from '../lab/lab.ts';

/** Why a kind cannot be installed here, by its name; those that can be are absent. */
export type ToolchainsMissing = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Looks whether all that a lab is to start is there, before anything starts. @throws PlugfestError that names every
 * agent that is not, with the command that installs them.
 */
export async function requireInstalled(
  agents: readonly LabAgent[],
  resolveKind: ResolveKind,
  toolchainsMissing: ToolchainsMissing = async () => new Map(),
): Promise<void> {
  const problems = (await Promise.all(agents.map((agent) => problemOf(agent, resolveKind)))).flatMap(
    (problem) => problem ?? [],
  );
  const [first] = problems;
  if (first === undefined) return;
  const names = [...new Set(problems.flatMap(({ install }) => install ?? []))];
  const reasons = names.length === 0 ? new Map<string, string>() : await toolchainsMissing(names);
  const texts = problems.map(({ error, install }) => {
    const reason = install === undefined ? undefined : reasons.get(install);
    return reason === undefined
      ? error.message
      : `${error.message} Its toolchain is missing here: ${reason}.`;
  });
  const hint =
    names.length === 0
      ? problems.find(({ error }) => error.hint !== undefined)?.error.hint
      : `Run \`npm run agents:install -- --only ${names.join(',')}\`, or leave them out: \`optional: true\`, or --only for other cells.`;
  const worst = problems.find(({ install }) => install !== undefined) ?? first;
  throw new PlugfestError(worst.error.code, texts.join('\n'), hint === undefined ? {} : { hint });
}

interface Problem {
  readonly error: PlugfestError;
  /** What is to be installed. */
  readonly install?: string;
}

async function problemOf(agent: LabAgent, resolveKind: ResolveKind): Promise<Problem | undefined> {
  if (agent.form === 'card') return undefined;
  if (agent.form === 'command') return await missingCommand(agent);
  try {
    askedOf(agent, (await resolveKind(agent.kind)).offers);
    return undefined;
  } catch (error) {
    if (!isPlugfestError(error)) throw error;
    if (error.code !== 'PLUGFEST_AGENT_NOT_INSTALLED') return { error };
    const told = new PlugfestError(error.code, `${agent.name}: ${error.message}`, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      cause: error,
    });
    return { error: told, install: agent.kind };
  }
}

/** A program by its path; one by its name alone is looked for where it is started. */
async function missingCommand({ name, command, cwd }: CommandAgent): Promise<Problem | undefined> {
  const [program = ''] = command;
  if (!/[\\/]/.test(program)) return undefined;
  const file = resolve(cwd ?? '.', program);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return undefined;
  // Where `agents:install` puts servers of others.
  const install = /[\\/]\.agents[\\/]([^\\/]+)[\\/]/.exec(file)?.[1];
  return install === undefined
    ? {
        error: new PlugfestError('PLUGFEST_AGENT_START', `${name}: there is no program ${program}`, {
          hint: `Paths in \`command\` are relative to its \`cwd\`, by default the folder of the lab file.`,
        }),
      }
    : {
        error: new PlugfestError('PLUGFEST_AGENT_NOT_INSTALLED', `${name}: ${install} is not installed.`),
        install,
      };
}
