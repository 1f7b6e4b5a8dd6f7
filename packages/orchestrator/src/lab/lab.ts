import type { Binding, ExpectedFinding, JsonObject, ProtocolVersion, TapMode } from '@plugfest/model';

export type LabVersion = Extract<ProtocolVersion, '1.0' | '0.3' | '0.1'>;
export type LabBinding = Binding;

interface AgentBase {
  readonly name: string;
  /** True where the agent's own client takes drive calls. */
  readonly drive: boolean;
  /** Go before those of the lab. */
  readonly timeouts: { readonly startMs?: number; readonly cellMs?: number };
}

/** How an agent that takes no drive calls is asked in words to call another. */
export interface Delegation {
  /** With the places `{{peer.card}}`, `{{peer.name}}` and `{{task}}`. */
  readonly message: string;
}

/** A lab agent that follows docs/lab-agents.md. */
export interface KindAgent extends AgentBase {
  readonly form: 'kind';
  readonly kind: string;
  readonly protocol: LabVersion | 'both';
  readonly bindings?: readonly LabBinding[];
  /** `bearer`: it refuses calls without the token of one of the lab's principals. */
  readonly auth?: 'bearer';
  readonly extendedCard: boolean;
  readonly signCard: boolean;
  /** URI of an extension that its card requires, and without which it takes no message. */
  readonly requireExtension?: string;
  /** URI of an extension that its card offers. */
  readonly offerExtension?: string;
  /** Left out where its kind is not installed. */
  readonly optional: boolean;
  readonly fault?: string;
  /** Appended to its command. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface CommandAgent extends AgentBase {
  readonly form: 'command';
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly delegate?: Delegation;
  /** URL, or path on the address of the ready line. */
  readonly card?: string;
  /** Further origins that it serves on. */
  readonly origins: readonly string[];
}

export interface CardAgent extends AgentBase {
  readonly form: 'card';
  readonly delegate?: Delegation;
  readonly card: string;
  /** Further origins that it serves on. */
  readonly origins: readonly string[];
  /** Host name by which its peers know it; its own name where absent. */
  readonly alias?: string;
  /** Path of its JWK set. */
  readonly keys?: string;
  /** Substituted values: may hold secrets, never print them. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the environment put into them. */
  readonly secrets: readonly string[];
}

export type LabAgent = KindAgent | CommandAgent | CardAgent;

export interface LabEdge {
  readonly caller: string;
  readonly callee: string;
  /** What its cells are limited to, beside what the lab says. */
  readonly bindings?: readonly LabBinding[];
  readonly versions?: readonly LabVersion[];
  /** Globs. */
  readonly scenarios?: readonly string[];
}

export interface ExpectedCell {
  /** Glob over cell ids. */
  readonly cell: string;
  /** Glob over those of them that work. */
  readonly except?: string | undefined;
  /** It fails in some runs only: that it works is no reason to fail the run. */
  readonly sometimes?: boolean | undefined;
  readonly reason: string;
}

export interface LabInterposition {
  readonly mode: Extract<TapMode, 'rewrite' | 'alias'>;
  /** What becomes of the signature of a card that is rewritten. */
  readonly signatures: 'strip' | 'resign';
  /** Taps speak TLS, with certificates of an authority of this run. */
  readonly tls: boolean;
  /** `network`: taps for an agent listen on the address of this machine in that agent's network. */
  readonly listen: 'loopback' | 'network';
}

/** A lab file, checked and with its defaults filled in. */
export interface Lab {
  readonly name: string;
  readonly title: string;
  readonly tracing: 'observe' | 'inject';
  readonly seed?: number;
  readonly concurrency: number;
  /** Globs over scenario ids; `*` where the file names none. */
  readonly scenarios: readonly string[];
  readonly bindings: readonly LabBinding[];
  readonly versions: readonly LabVersion[];
  readonly timeouts: { readonly startMs: number; readonly cellMs: number };
  readonly interposition: LabInterposition;
  readonly agents: readonly LabAgent[];
  readonly edges: readonly LabEdge[];
  /** Whether the file lists its edges, rather than taking every pair. */
  readonly edgesListed: boolean;
  /** How often each cell is run. */
  readonly repeat: number;
  /** Checked by the schemas of the proxy; played from the start. */
  readonly faults: readonly JsonObject[];
  readonly expect: {
    readonly findings: readonly ExpectedFinding[];
    readonly cells: readonly ExpectedCell[];
  };
}
