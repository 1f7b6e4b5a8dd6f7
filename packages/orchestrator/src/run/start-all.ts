import { isPlugfestError, PlugfestError } from '@plugfest/model';
import type { ResolveKind } from '../agents/kinds.ts';
import { type StartedAgent, startAgent, type Trust } from '../agents/start.ts';
import type { LabTokens } from '../agents/tokens.ts';
import type { LabAgent } from '../lab/lab.ts';
import { aliasOf } from './fixed-taps.ts';
import type { ProgressEvent } from './progress.ts';

export interface StartAllOptions {
  readonly resolveKind: ResolveKind;
  readonly startMs: number;
  readonly tokens: LabTokens;
  readonly trust: Trust | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

/**
 * Starts all agents at once. Where one does not start, those that did are ended.
 * @throws PlugfestError that names every agent that did not start.
 */
export async function startAll(
  agents: readonly LabAgent[],
  { onProgress, ...options }: StartAllOptions,
): Promise<readonly StartedAgent[]> {
  const outcomes = await Promise.allSettled(
    agents.map(async (agent) => {
      onProgress({ kind: 'agent-starting', agent: agent.name });
      const { startMs = options.startMs } = agent.timeouts;
      const started = await startAgent(agent, { ...options, startMs });
      const { about, origin, cardPath } = started;
      const origins = [origin, ...started.origins];
      try {
        const aliases = new Map(origins.map((one) => [aliasOf(started, one), one]));
        onProgress({ kind: 'agent-started', agent: agent.name, about, origins, aliases, cardPath });
      } catch (error) {
        // Nobody else knows of it yet.
        await started.stop();
        throw error;
      }
      return started;
    }),
  );
  const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const errors: unknown[] = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  if (errors.length === 0) return started;
  await Promise.all(started.map((agent) => agent.stop()));
  const known = errors.filter(isPlugfestError);
  const [first] = known;
  if (!first || known.length < errors.length) throw errors.find((error) => !isPlugfestError(error));
  if (known.length === 1) throw first;
  const messages = [...new Set(known.map(({ message }) => message))];
  throw new PlugfestError(first.code, messages.join('\n'), {
    ...(first.hint === undefined ? {} : { hint: first.hint }),
    cause: new AggregateError(known),
  });
}
