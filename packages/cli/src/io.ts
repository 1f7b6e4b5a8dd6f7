import pc from 'picocolors';

/** What a command may touch of the outside. stdout is the product, stderr the log. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  readonly color: boolean;
  out(text: string): void;
  log(line: string): void;
  /** Sets the exit code; the highest said wins. */
  exit(code: 0 | 1 | 2 | 3): void;
}

export type Paint = ReturnType<typeof pc.createColors>;

export function paintOf(io: Io): Paint {
  return pc.createColors(io.color);
}
