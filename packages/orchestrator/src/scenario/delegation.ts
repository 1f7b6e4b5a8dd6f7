import type { Dialect } from '../driver/drive.ts';
import type { ScenarioContext } from './context.ts';
import type { ServerOffer } from './define.ts';
import { checkState, clip, requireTask } from './expect.ts';

/** An ITK instruction names a binding but no version: a client takes the newest that the card has for it. */
export function choosesDialect(server: ServerOffer, { binding, version }: Dialect): boolean {
  return (
    version === '1.0' ||
    !server.dialects.some((other) => other.binding === binding && other.version === '1.0')
  );
}

export function transportOf({ binding }: Dialect): 'jsonrpc' | 'http_json' | 'grpc' {
  return ({ JSONRPC: 'jsonrpc', 'HTTP+JSON': 'http_json', GRPC: 'grpc' } as const)[binding];
}

/** The transport of this dialect where an agent has it, else one that it has. */
export function transportTo(dialects: readonly Dialect[], wanted: Dialect): ReturnType<typeof transportOf> {
  const same = dialects.find(({ binding }) => binding === wanted.binding);
  return transportOf(same ?? dialects[0] ?? wanted);
}

/** Has the client agent call the server and looks whether the server's word comes back. */
export async function delegate(
  context: ScenarioContext,
  { streaming }: { readonly streaming: boolean },
): Promise<void> {
  const nonce = context.nonce();
  const task = requireTask(
    context,
    'the instruction',
    await context.instruct({
      step: 'call',
      transport: transportOf(context.dialect),
      agentCardUri: await context.serverUrl(),
      instruction: { step: 'return', response: nonce },
      streaming,
    }),
  );
  checkState(context, 'the task of the instruction', task.state, 'TASK_STATE_COMPLETED');
  context.check("the server's word comes back", task.text.includes(nonce), clip(task.text) || 'no text');
}
