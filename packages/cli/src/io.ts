import pc from 'picocolors';

/** What a command may touch of the outside. stdout is the product, stderr the log. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Aborted by the first SIGINT or SIGTERM. Who asks for it takes on to end soon after; before anybody has, these
   * signals end the process.
   */
  readonly signal: AbortSignal;
  readonly color: boolean;
  /** A line on the terminal that is written over; does nothing where stderr is no terminal. */
  readonly progressLine: ProgressLine;
  out(text: string): void;
  /** Characters that a terminal would obey are written as `\uXXXX`. */
  log(line: string): void;
  /** For a line with colours: what is in it from elsewhere has to be `printable` already. */
  logPainted(line: string): void;
  /** Sets the exit code; the highest said wins. */
  exit(code: 0 | 1 | 2 | 3): void;
}

export type Paint = ReturnType<typeof pc.createColors>;

export function paintOf(io: Io): Paint {
  return pc.createColors(io.color);
}

export interface ProgressLine {
  /** Whether there is a terminal to show it on. */
  readonly shown: boolean;
  show(text: string): void;
  clear(): void;
}

/** A progress line on a terminal. */
export function progressLineOn(stream: NodeJS.WriteStream): ProgressLine {
  const shown = stream.isTTY === true;
  return {
    shown,
    show: (text) => {
      if (shown) stream.write(`\r\u001b[K${text.slice(0, (stream.columns ?? 80) - 1)}`);
    },
    clear: () => {
      if (shown) stream.write('\r\u001b[K');
    },
  };
}
