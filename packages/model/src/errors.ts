/**
 * Every error a user can meet: what it means and the exit code it leads to (1: nothing to judge, 2: usage or configuration,
 * 3: the harness itself failed). `docs/errors.md` is generated from this table.
 */
export const errorCodes = {
  PLUGFEST_USAGE: {
    exit: 2,
    meaning: 'The command line is wrong: an unknown flag, a missing argument, a value of the wrong form.',
  },
  PLUGFEST_NODE_VERSION: { exit: 2, meaning: 'The Node.js that runs Plugfest is too old.' },
  PLUGFEST_LAB_NOT_FOUND: {
    exit: 2,
    meaning: 'The lab file or the baseline does not exist or cannot be read.',
  },
  PLUGFEST_LAB_INVALID: {
    exit: 2,
    meaning: 'The lab file is not valid YAML, has an unknown key, or a value of the wrong type.',
  },
  PLUGFEST_AGENT_NOT_INSTALLED: {
    exit: 2,
    meaning: 'A lab names an agent whose toolchain or installation is missing.',
  },
  PLUGFEST_AGENT_START: {
    exit: 2,
    meaning: 'An agent process could not be started, ended early, or was not ready in time.',
  },
  PLUGFEST_INTERRUPTED: {
    exit: 1,
    meaning: 'A run was ended before it came to its cells. What an earlier run left stays as it is.',
  },
  PLUGFEST_OUTPUT: {
    exit: 2,
    meaning: 'The output folder or file cannot be written, or holds something that would be overwritten.',
  },
  PLUGFEST_CAPTURE_NOT_FOUND: { exit: 2, meaning: 'The capture file does not exist or cannot be read.' },
  PLUGFEST_CAPTURE_FORMAT: {
    exit: 2,
    meaning: 'The file is no Plugfest capture: not SQLite, truncated, or not our schema.',
  },
  PLUGFEST_VERDICT_FORMAT: {
    exit: 2,
    meaning: 'The file is no verdict of Plugfest: not JSON, or not of the schema `plugfest.verdict/1`.',
  },
  PLUGFEST_CAPTURE_VERSION: {
    exit: 2,
    meaning: 'The capture was written by a newer Plugfest than this one.',
  },
  PLUGFEST_CAPTURE_BUSY: {
    exit: 2,
    meaning: 'Another process is writing this capture, or another run is going on in this folder.',
  },
  PLUGFEST_CAPTURE_SEALED: { exit: 2, meaning: 'The capture is sealed: nothing can be added to it.' },
  PLUGFEST_CAPTURE_WRITE: {
    exit: 3,
    meaning: 'The traffic log could not be written (disk full, folder gone, worker failed).',
  },
  PLUGFEST_IMPORT_FORMAT: {
    exit: 2,
    meaning: 'A file to import is not in the format named, or a line of it is malformed.',
  },
  PLUGFEST_RULE_UNKNOWN: { exit: 2, meaning: 'A rule id or glob names no rule of the rulebook.' },
  PLUGFEST_RULEBOOK: {
    exit: 3,
    meaning: 'The rulebook is inconsistent: a duplicate id, or a rule that contradicts itself.',
  },
  PLUGFEST_EXPECTATIONS: {
    exit: 2,
    meaning:
      'The `expect` part of a lab file, or a baseline, is missing or malformed, or has an entry without a reason.',
  },
  PLUGFEST_KEYS: {
    exit: 2,
    meaning: 'A file of public keys for card signatures cannot be read, or holds something else.',
  },
  PLUGFEST_FAULT_INVALID: {
    exit: 2,
    meaning: 'A fault is of no known kind, has an unknown key, or a value of the wrong type.',
  },
  PLUGFEST_LISTEN: { exit: 2, meaning: 'An address to listen on is in use or not allowed.' },
  PLUGFEST_TELEMETRY_EXPORT: { exit: 3, meaning: 'Traces could not be sent to the OTLP endpoint.' },
  PLUGFEST_INTERNAL: { exit: 3, meaning: 'A fault in Plugfest itself.' },
} as const satisfies Record<string, { exit: 1 | 2 | 3; meaning: string }>;

/** `PLUGFEST_…`; docs/errors.md has what each means, and its exit code. */
export type ErrorCode = keyof typeof errorCodes;

const brand = Symbol.for('plugfest.error');

export interface PlugfestErrorOptions {
  /** What the user can do next, one sentence. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * An error that a user can act on. `message` names the file, key, agent or address; `hint` says what to do.
 * A misbehaving agent is data, never one of these; a programmer's error stays a plain `Error`.
 */
export class PlugfestError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: PlugfestErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PlugfestError';
    this.code = code;
    this.hint = options.hint;
    Object.defineProperty(this, brand, { value: true });
  }

  get exitCode(): 1 | 2 | 3 {
    return errorCodes[this.code].exit;
  }
}

/** Recognises a `PlugfestError` across realms and copies of this package. */
export function isPlugfestError(value: unknown): value is PlugfestError {
  return typeof value === 'object' && value !== null && brand in value;
}
