import type { RedactionOptions } from '../redaction/options.ts';

/** What the writing thread is started with. */
export interface WriterData {
  readonly file: string;
  /** Key of this session's row in `runs`. */
  readonly runSeq: number;
  readonly durable: boolean;
  readonly unsafeRaw: boolean;
  readonly redaction: RedactionOptions;
  readonly bodyCapBytes: number;
  readonly limitBytes: number | undefined;
  /** Number of the last batch that is in the file; shared, so that a dying process can wait for it. */
  readonly committed: SharedArrayBuffer;
}
