import type { TaskHistory } from '@plugfest/verifier';

/** The capture has the message that made the task, and so all that was said of it. */
export function wasBornHere({ observations, actions }: TaskHistory): boolean {
  const [first] = observations;
  if (first?.channel !== 'send' && first?.channel !== 'stream') return false;
  return !actions.some(({ seq }) => seq <= first.seq);
}
