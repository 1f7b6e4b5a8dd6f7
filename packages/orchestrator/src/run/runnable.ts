import { globMatches, PlugfestError } from '@plugfest/model';
import type { ResolveKind } from '../agents/kinds.ts';
import type { Lab } from '../lab/lab.ts';
import type { Scenario } from '../scenario/define.ts';
import { loadScenarios } from '../scenario/discover.ts';
import { requireInstalled, type ToolchainsMissing } from './installed.ts';
import { neededAgents } from './needed.ts';
import { type PresentLab, presentAgents } from './present.ts';

export interface RunnableOptions {
  readonly resolveKind: ResolveKind;
  /** Globs over cell ids; all cells where absent. */
  readonly only?: readonly string[];
  /** Asked where agents are not installed. */
  readonly toolchainsMissing?: ToolchainsMissing;
}

export interface RunnableLab extends PresentLab {
  /** Names of agents that no cell needs. */
  readonly idle: readonly string[];
  readonly scenarios: readonly Scenario[];
}

/**
 * What of a lab is to be run here: without the agents that no cell needs, and without the optional ones that are not
 * installed. Nothing is started. @throws PlugfestError where there is nothing to run, or something is not there.
 */
export async function runnableLab(
  asked: Lab,
  { resolveKind, only, toolchainsMissing }: RunnableOptions,
): Promise<RunnableLab> {
  const scenarios = await loadScenarios();
  requireScenarios(
    asked,
    scenarios.map(({ id }) => id),
  );
  const { agents, idle } = neededAgents(asked, scenarios, only);
  const present = await presentAgents({ ...asked, agents }, resolveKind);
  await requireInstalled(present.lab.agents, resolveKind, toolchainsMissing);
  return { ...present, idle, scenarios };
}

function requireScenarios(lab: Lab, ids: readonly string[]): void {
  const strange = lab.scenarios.filter((glob) => !ids.some((id) => globMatches(glob, id)));
  if (strange.length === 0) return;
  throw new PlugfestError(
    'PLUGFEST_LAB_INVALID',
    `Lab ${lab.name}: no scenario is named ${strange.join(', ')}.`,
    {
      hint: `Scenarios: ${ids.join(', ')}.`,
    },
  );
}
