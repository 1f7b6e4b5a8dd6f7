import type { Dialect, DriveResult } from '../driver/drive.ts';

/** The client says that its SDK has no such call (docs/lab-agents.md): it cannot take part, and nothing went wrong. */
export class ClientLacks extends Error {
  override readonly name = 'ClientLacks';
}

/** @throws ClientLacks */
export function withMeans(
  client: string,
  { binding, version }: Dialect,
  op: string,
  result: DriveResult,
): DriveResult {
  const { error } = result;
  if (error?.name !== 'UnsupportedByClient') return result;
  throw new ClientLacks(`the client of ${client} has no ${op} for ${binding} ${version}`);
}
