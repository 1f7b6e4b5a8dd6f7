import type { BypassObservation, ExchangeSummary } from '@plugfest/model';

/** The tasks that an agent says it has, at the end of a run. */
export interface TaskListing {
  readonly agent: string;
  readonly tasks: readonly {
    readonly id: string;
    readonly messageIds: readonly string[];
    /** Of its status, by the agent's clock, ms since the epoch. */
    readonly updatedAtMs?: number;
  }[];
  /** False where there were more than were read. */
  readonly complete: boolean;
}

/**
 * Tasks that nobody was seen creating. A task counts as seen where its id crossed the proxy to or from that agent,
 * or a message of its history did: the answer to a dropped call may never have told the id.
 */
export function unseenTasks(
  summaries: Iterable<ExchangeSummary>,
  listings: readonly TaskListing[],
): readonly BypassObservation[] {
  const seen = new Map<string, Set<string>>();
  for (const { callee, caller, taskIds, messageIds, operation } of summaries) {
    // A list is what is being checked: it proves no task.
    if (operation === 'ListTasks') continue;
    for (const agent of [callee, caller]) {
      const ids = seen.get(agent) ?? new Set();
      seen.set(agent, ids);
      for (const id of [...taskIds, ...messageIds]) ids.add(id);
    }
  }
  return listings.flatMap(({ agent, tasks }) =>
    tasks
      .filter(({ id, messageIds }) => ![id, ...messageIds].some((one) => seen.get(agent)?.has(one)))
      .map(({ id }) => ({
        agent,
        method: 'task' as const,
        detail: `${agent} has a task ${id} that no recorded exchange created.`,
      })),
  );
}
