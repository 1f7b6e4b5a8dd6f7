import type { Delegation } from '../lab/lab.ts';

/** The words in which an agent is asked to call a peer. */
export function wordsFor(
  { message }: Delegation,
  peer: { readonly card: string; readonly name: string },
  task: string,
): string {
  const values: Readonly<Record<string, string>> = { 'peer.card': peer.card, 'peer.name': peer.name, task };
  return message.replace(/\{\{(peer\.card|peer\.name|task)\}\}/g, (_, place: string) => values[place] ?? '');
}
