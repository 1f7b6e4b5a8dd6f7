import { randomBytes } from 'node:crypto';
import type { Lab } from '../lab/lab.ts';

const principals = ['alice', 'bob'] as const;

/** Bearer tokens of a lab: by agent that wants to know who calls, and by principal. */
export type LabTokens = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * New tokens in each run, and not by its seed. Each is for one principal at one agent, so that whoever is called with
 * one has no use for it elsewhere. They are secrets: only the environment of the agents and the wire may have them.
 */
export function newTokens({ agents }: Lab): LabTokens {
  const wanting = agents.filter((agent) => agent.form === 'kind' && agent.auth !== undefined);
  const tokens = () =>
    new Map(principals.map((name) => [name, randomBytes(24).toString('base64url')] as const));
  return new Map(wanting.map(({ name }) => [name, tokens()]));
}

/** The name by which a lab agent has the token of a principal at another agent. */
export const nameAt = (principal: string, agent: string): string => `${principal}@${agent}`;

/** What a lab agent reads as `LAB_AGENT_TOKENS`: whom it knows, and as whom its client calls others. */
export function tokensFor(agent: string, tokens: LabTokens): Record<string, string> {
  const entries = [...tokens].flatMap(([callee, own]) =>
    [...own].map(([name, token]) => `${callee === agent ? name : nameAt(name, callee)}=${token}`),
  );
  return entries.length === 0 ? {} : { LAB_AGENT_TOKENS: entries.join(',') };
}
