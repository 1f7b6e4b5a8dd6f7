import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import type { CheckContext, Subjects } from '@plugfest/verifier';

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
  const limit = historyLimitOf(exchange);
  for (const payload of exchange.payloads) {
    if (payload.side !== 'response' || payload.kind !== 'task' || limit === undefined) continue;
    const count = payload.task.history?.length ?? 0;
    if (count <= limit) continue;
    const { event, pointer } = payload;
    report('many', {
      data: { count, limit },
      at: { side: 'response', pointer: `${pointer}/history`, ...(event === undefined ? {} : { event }) },
      expected: expected(limit),
      actual: count,
    });
  }
}
