/** Lines that look like the frames of a stack trace. A user must never see one. */
export function stackFrames(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^\s+at .+(?::\d+:\d+|<anonymous>|native)\)?$/.test(line));
}

/** The errors that a command told: its lines that begin with its name. */
export function errorLines(stderr: string): readonly string[] {
  return stderr.split('\n').filter((line) => line.startsWith('plugfest: '));
}
