import { isJsonObject, type JsonObject } from '@plugfest/model';
import { readProtobuf } from './message.ts';
import { rpcOf } from './schemas.ts';

/** The card in a message that an RPC answers with, as the JSON that its signatures cover; undefined where there is none. */
export function grpcCard(path: string, message: Uint8Array): JsonObject | undefined {
  const type = rpcOf(path)?.output;
  if (type?.name !== 'AgentCard') return undefined;
  const { value } = readProtobuf(type, message);
  return isJsonObject(value) ? value : undefined;
}
