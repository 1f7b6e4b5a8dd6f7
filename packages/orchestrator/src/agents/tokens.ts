import { randomBytes } from 'node:crypto';
import type { Lab } from '../lab/lab.ts';

const principals = ['alice', 'bob'] as const;

/**
 * Bearer tokens for the principals of a lab, new in each run and not by its seed; none where no agent has `auth`. They
 * are secrets: only the environment of the agents and the wire may have them.
 */
export function newTokens({ agents }: Lab): ReadonlyMap<string, string> {
  const wanted = agents.some((agent) => agent.form === 'kind' && agent.auth !== undefined);
  return new Map(wanted ? principals.map((name) => [name, randomBytes(24).toString('base64url')]) : []);
}
