import { isJsonObject, type Json } from '@plugfest/model';
import type { Subjects } from '@plugfest/verifier';

/** The `historyLength` that a request asks for; undefined where it names none, or no whole number. */
export function historyLimitOf({ operation, request }: Subjects['exchange']): number | undefined {
  if (!isJsonObject(request.params)) return undefined;
  let asked: Json | undefined;
  if (operation === 'GetTask' || operation === 'ListTasks') asked = request.params.historyLength;
  else if (operation === 'SendMessage' || operation === 'SendStreamingMessage') {
    const { configuration } = request.params;
    asked = isJsonObject(configuration) ? configuration.historyLength : undefined;
  }
  return typeof asked === 'number' && Number.isInteger(asked) && asked >= 0 ? asked : undefined;
}
