import type { DecodedExchange } from '@plugfest/a2a';
import { sentMessage } from '../sent-message.ts';

/** REQUIRED members that the sent message lacks. */
export function lackingInSent(exchange: DecodedExchange): readonly ('parts' | 'messageId' | 'role')[] {
  const message = sentMessage(exchange)?.message;
  if (message === undefined) return [];
  const { value } = message;
  const absent = (found: unknown): boolean => found === undefined || found === null || found === '';
  const list = value.parts;
  return [
    ...(absent(list) || (Array.isArray(list) && list.length === 0) ? (['parts'] as const) : []),
    ...(absent(value.messageId ?? value.message_id) ? (['messageId'] as const) : []),
    ...(absent(value.role) ? (['role'] as const) : []),
  ];
}
