import { randomUUID } from 'node:crypto';
import type { Dialect } from '@plugfest/orchestrator';
import { it } from 'vitest';
import type { DriveMessage } from '../../packages/orchestrator/src/driver/drive.ts';
import { deviations, unsteady } from './deviations.ts';
import type { Kind } from './kinds.ts';

export const tokens = { LAB_AGENT_TOKENS: 'alice=token-of-alice,bob=token-of-bob' };

export const label = ({ binding, version }: Dialect): string => `${binding} ${version}`;

export const said = (text: string, members: Partial<DriveMessage> = {}): DriveMessage => ({
  ...{ messageId: randomUUID(), text },
  ...members,
});

/** Registers tests of a kind in a dialect (empty: in none), or ones that have to fail for the reason that is known. */
export function checking(kind: Kind, dialect: string) {
  return (title: string, body: () => Promise<void>): void => {
    const known = deviations.find(
      ({ kinds: names, dialects, titles }) =>
        names.includes(kind.name) && dialects.test(dialect) && titles.test(title),
    );
    const retry = unsteady.find((one) => one.kind === kind.name && one.titles.test(title))?.retries ?? 0;
    if (known === undefined) it.concurrent(title, { retry }, body);
    else it.concurrent.fails(`${title} (not: ${known.reason})`, body);
  };
}
