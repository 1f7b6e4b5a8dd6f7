import type { ExchangeId } from './ids.ts';
import type { Level, Party, ProtocolVersion } from './protocol.ts';

/** `fail`: a MUST broken; `warn`: a SHOULD broken, or the spec is ambiguous; `info`: recorded, not scored. */
export type FindingOutcome = 'fail' | 'warn' | 'info';

/** What became of a rule over a whole capture. Only `pass` is green. */
export type RuleStatus = 'pass' | 'fail' | 'warn' | 'info' | 'not-exercised' | 'undecidable' | 'error';

/** Where in an exchange the evidence lies. */
export interface FindingLocation {
  readonly side: 'request' | 'response';
  /** Index of the SSE event or gRPC message, from 0. */
  readonly event?: number;
  /** JSON pointer into the body or the event's data. */
  readonly pointer?: string;
  readonly header?: string;
}

/** A breach of a rule, with the evidence for it. A sentence in `message`; `expected` and `actual` in few words. */
export interface Finding {
  readonly rule: string;
  readonly level: Level;
  readonly outcome: FindingOutcome;
  readonly party: Party;
  /** Name of the participant that had the duty. */
  readonly agent: string;
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly fix?: string;
  readonly spec: { readonly version: ProtocolVersion; readonly section: string };
  readonly exchange: ExchangeId;
  readonly cell?: string;
  readonly at?: FindingLocation;
  /** Set where a list of expected findings names it: the reason given there. */
  readonly expectedBecause?: string;
}

/**
 * Findings that are counted and not listed: further ones that a rule has against an agent, beside those of the same
 * sort that are listed.
 */
export interface OmittedFindings
  extends Pick<Finding, 'rule' | 'level' | 'outcome' | 'party' | 'agent' | 'cell' | 'expectedBecause'> {
  readonly count: number;
}

/** How a rule stands in one verdict. Only `pass` is green: it was exercised, and nothing broke it. */
export interface RuleResult {
  readonly id: string;
  readonly status: RuleStatus;
  /** How many subjects the rule was applied to. */
  readonly exercised: number;
  readonly violations: number;
  /** Subjects whose evidence was cut off or could not be decoded. */
  readonly undecidable: number;
  /** Set where the rule threw: a fault of ours. */
  readonly error?: string;
}

/** The verdict on one capture: a pure function of capture and rulebook (`plugfest.verdict/1`). */
export interface Verdict {
  readonly schema: 'plugfest.verdict/1';
  readonly capture: {
    readonly root: string;
    readonly exchanges: number;
    readonly gaps: number;
  };
  readonly rulebook: {
    readonly version: string;
    readonly hash: string;
    /** How many were applied. */
    readonly rules: number;
    /** The globs over rule ids that selected them; absent where all were applied. */
    readonly selection?: readonly string[];
  };
  /** Ids of the public keys that were given for card signatures; absent where none were. */
  readonly keys?: readonly string[];
  /** `fail`, `warn` and `info` count findings, listed or not; the others count rules. */
  readonly summary: {
    readonly fail: number;
    readonly warn: number;
    readonly info: number;
    readonly pass: number;
    readonly notExercised: number;
    readonly undecidable: number;
    readonly error: number;
    /** Findings that a list of expected findings names. They are also counted above. */
    readonly expected: number;
  };
  readonly findings: readonly Finding[];
  /** Absent where all findings are listed. The summary and the rules' violations count these, too. */
  readonly omitted?: readonly OmittedFindings[];
  readonly rules: readonly RuleResult[];
  /** Entries of the list of expected findings that matched nothing: each fails the run. */
  readonly staleExpectations: readonly ExpectedFinding[];
}

/** A finding known beforehand. An entry that matches nothing any more fails the run. */
export interface ExpectedFinding {
  /** Rule id, or a glob over rule ids. */
  readonly rule: string;
  /** Name or glob; absent matches any. */
  readonly agent?: string;
  readonly party?: Party;
  readonly scenario?: string;
  /** It happens in some runs only, so that its absence says nothing. */
  readonly sometimes?: boolean;
  readonly reason: string;
}
