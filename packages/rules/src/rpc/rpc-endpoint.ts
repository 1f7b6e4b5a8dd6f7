import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { declaredInterfaces, pathOf } from '../declared-interfaces.ts';
import { isOfA2A } from './method-names.ts';

/**
 * True where a request is meant as JSON-RPC: it says so, its answer does, or the URL is declared for that binding.
 * A JSON POST to some other service of the same host is none of ours.
 */
export function isMeantAsRpc(
  { captured, request, response }: DecodedExchange,
  conversation: Conversation,
): boolean {
  if (request.rpc?.members.includes('method') === true) return true;
  if (Array.isArray(request.json.value) || request.json.text.includes('"jsonrpc"')) return true;
  if (response?.rpc?.members.includes('jsonrpc') === true) return true;
  return declaredInterfaces(conversation, captured.edge.callee).some(
    (entry) => entry.binding === 'JSONRPC' && pathOf(entry) === (request.path === '' ? '/' : request.path),
  );
}

/** A call of another protocol at the same host: JSON that is no JSON-RPC, or a method that is none of A2A. */
export function isBesideA2A(exchange: DecodedExchange, conversation: Conversation): boolean {
  if (exchange.dialect?.binding !== 'JSONRPC') return false;
  const method = exchange.request.rpc?.method;
  return method === undefined ? !isMeantAsRpc(exchange, conversation) : !isOfA2A(method);
}
