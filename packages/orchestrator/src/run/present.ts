import { isPlugfestError } from '@plugfest/model';
import type { ResolveKind } from '../agents/kinds.ts';
import type { Lab, LabAgent } from '../lab/lab.ts';

export interface PresentLab {
  readonly lab: Lab;
  /** Agents that are left out, each with why, one sentence. */
  readonly absent: readonly string[];
}

/** A lab without those of its optional agents that are not installed here. */
export async function presentAgents(lab: Lab, resolveKind: ResolveKind): Promise<PresentLab> {
  const problems = new Map<string, string>();
  await Promise.all(
    lab.agents.filter(isOptional).map(async ({ name, kind }) => {
      try {
        await resolveKind(kind);
      } catch (error) {
        if (!isPlugfestError(error) || error.code !== 'PLUGFEST_AGENT_NOT_INSTALLED') throw error;
        problems.set(name, `${name} is left out, with all its cells: ${error.message}`);
      }
    }),
  );
  if (problems.size === 0) return { lab, absent: [] };
  const here = (name: string): boolean => !problems.has(name);
  // Edges stay: who is called by one that is left out is still a server.
  const agents = lab.agents.filter(({ name }) => here(name));
  return { lab: { ...lab, agents }, absent: [...problems.values()] };
}

function isOptional(agent: LabAgent): agent is Extract<LabAgent, { form: 'kind' }> {
  return agent.form === 'kind' && agent.optional === true;
}
