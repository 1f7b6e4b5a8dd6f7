import type { Operation } from '@plugfest/model';
import type { Dialect } from '../driver/drive.ts';
import type { ScenarioContext } from './context.ts';

/** Parts in a scenario. `plugfest` tells an agent what to do; where Plugfest itself is the client it is `client`. */
export type Role =
  | 'plugfest'
  | 'client'
  | 'server'
  | 'webhook'
  /** Any agent of the lab that is neither client nor server. */
  | 'other';

/** Traffic that a scenario must leave in the capture. */
export interface Hop {
  readonly from: Role;
  readonly to: Role;
  /** Absent for webhook deliveries. `card`: a GET of the agent card; `delivery`: to a webhook of an agent's own. */
  readonly operation?: Operation | 'card' | 'delivery';
  readonly min: number;
  /** Only where Plugfest told the caller, an agent, to call. */
  readonly whenTold?: boolean;
}

/** What a server must have, or its cell is `unsupported`. */
export type Need =
  /** Capabilities of the card. */
  | 'streaming'
  | 'pushNotifications'
  | 'extendedCard'
  /** The lab has tokens of two principals for it. */
  | 'auth'
  /** Its SDK lists tasks; only the manifest of a lab agent's kind can deny that. */
  | 'listTasks'
  /** Plugfest started it, and can start it again where it was. */
  | 'restart'
  /** Its card requires an extension. */
  | 'requiresExtension'
  /** It carries out the texts of docs/lab-agents.md. Lab agents do; others are asked once, at the start. */
  | 'behaviours';

/** A server as scenarios are matched with it. */
export interface ServerOffer {
  readonly dialects: readonly Dialect[];
  /** Whether its card declares an extended one. */
  readonly extendedCard: boolean;
  /** URIs of the extensions that its card requires. */
  readonly requiredExtensions: readonly string[];
  /** URIs of those that callers may ask for. */
  readonly offeredExtensions: readonly string[];
}

/** What a lab has around one cell. */
export interface Around {
  /** The dialects in which the lab has the client call the server. */
  readonly dialects: readonly Dialect[];
  /** Further lab agents that the client calls on the lab's edges, and those that the server calls. */
  readonly beside: readonly ServerOffer[];
  readonly beyond: readonly ServerOffer[];
}

export interface ScenarioSpec {
  /** Lower case with dashes; the file's name. */
  readonly id: string;
  /** Two or three words, for the head of a column. */
  readonly title: string;
  /** One sentence: what is tried. */
  readonly summary: string;
  readonly hops: readonly Hop[];
  readonly needs: readonly Need[];
  /**
   * `raw`: needs bytes that no SDK would send; `agent`: needs an agent's own client; `any`: runs with both; `words`: for
   * agents that can only be asked (`delegate`).
   */
  readonly clients: 'any' | 'raw' | 'agent' | 'words';
  readonly versions?: readonly Dialect['version'][];
  readonly bindings?: readonly Dialect['binding'][];
  /** False where the scenario has no meaning for this dialect of this server; then there is no cell. */
  readonly applies?: (server: ServerOffer, dialect: Dialect, around: Around) => boolean;
  /** Calls in other dialects than the cell's, too. */
  readonly mixed?: boolean;
  /** Plays faults. Such a scenario runs only where a lab names it, by more than `*`. */
  readonly faults?: boolean;
  /** Made for agents of its own, so it too runs only where a lab names it. */
  readonly named?: boolean;
  /** Runs while no other cell does. */
  readonly alone?: boolean;
  /** Replaces the lab's time box for this scenario's cells where it is longer. */
  readonly timeoutMs?: number;
  /** What went wrong is told by `context.check` and `context.require`. */
  run(context: ScenarioContext): Promise<void>;
}

export type Scenario = Readonly<ScenarioSpec>;

/** @throws Error on a definition that contradicts itself. */
export function defineScenario(spec: ScenarioSpec): Scenario {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(spec.id))
    throw new Error(`scenario id "${spec.id}" is not kebab-case`);
  if (!/^[A-Z].*\.$/.test(spec.summary)) throw new Error(`${spec.id}: the summary is one sentence`);
  if (spec.hops.length === 0) throw new Error(`${spec.id}: a scenario without traffic shows nothing`);
  return Object.freeze(spec);
}
