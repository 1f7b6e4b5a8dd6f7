import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import type { CheckContext, Subjects } from '@plugfest/verifier';
import { placeOf, returnedTasks } from '../sent-message.ts';

/** The `historyLength` that a request asks for; undefined where it names none, or no whole number. */
export function historyLimitOf({
  operation,
  request,
}: Pick<DecodedExchange, 'operation' | 'request'>): number | undefined {
  if (!isJsonObject(request.params)) return undefined;
  let asked: Json | undefined;
  if (operation === 'GetTask' || operation === 'ListTasks') asked = request.params.historyLength;
  else if (operation === 'SendMessage' || operation === 'SendStreamingMessage') {
    const { configuration } = request.params;
    asked = isJsonObject(configuration) ? configuration.historyLength : undefined;
  }
  return typeof asked === 'number' && Number.isInteger(asked) && asked >= 0 ? asked : undefined;
}

/** Reports each task of an answer whose history is longer than was asked for. */
export function reportLongerHistories(
  exchange: Subjects['exchange'],
  { report }: CheckContext<'many'>,
  expected: (limit: number) => string,
): void {
  const limit = historyLimitOf(exchange) ?? Number.POSITIVE_INFINITY;
  for (const payload of returnedTasks(exchange)) {
    const count = payload.task.history?.length ?? 0;
    if (count <= limit) continue;
    report('many', {
      data: { count, limit },
      at: placeOf(payload, '/history'),
      expected: expected(limit),
      actual: count,
    });
  }
}
