import type { Gap, ReportRule, RunReport, Verdict } from '@plugfest/model';

/** Colours, given by the caller so that reports need no terminal library. Each returns its text, styled. */
export interface Paint {
  readonly green: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
}

const same = (text: string): string => text;

/** No colours: for pipes, files and tests. */
export const plain: Paint = { green: same, red: same, yellow: same, dim: same, bold: same };

export interface RenderOptions {
  /** Only the `text` format has colours. */
  readonly paint?: Paint;
}

/** What is known where a capture was judged without a run: no cells, no agents. */
export interface VerdictInput {
  readonly verdict: Verdict;
  readonly rules: readonly ReportRule[];
  /** The gaps that the verdict only counts. */
  readonly gaps?: readonly Gap[];
  /** Wall-clock start of the capture, ISO 8601; JUnit readers want it. */
  readonly startedAt?: string;
}

/**
 * One way to write a run down. Each lives in its own file of `reporters/`, as the default export, and is found
 * there. Rendering is pure: same input, same bytes.
 */
export interface Reporter {
  /** The value of `--format`. */
  readonly format: string;
  /** One sentence for `--help`. */
  readonly about: string;
  /** File name in a run's output folder; absent for a format that is only printed. */
  readonly file?: string;
  readonly render: (report: RunReport, options?: RenderOptions) => string;
  /** Absent where the format makes sense only for whole runs. */
  readonly renderVerdict?: (input: VerdictInput, options?: RenderOptions) => string;
}
