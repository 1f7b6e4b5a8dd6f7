import type { DecodedExchange, Payload, PushConfigView } from '@plugfest/a2a';
import { isJsonObject, type JsonObject } from '@plugfest/model';

export type ConfigPayload = Payload & { readonly kind: 'pushConfig' };
type Exchange = DecodedExchange;

const isConfig = (payload: Payload): payload is ConfigPayload => payload.kind === 'pushConfig';

/** Push configs that a client sends, inline or by themselves. */
export const sentConfigs = ({ payloads }: Exchange): readonly ConfigPayload[] =>
  payloads.filter(isConfig).filter(({ side }) => side === 'request');

/** Push configs that an agent returns. */
export const returnedConfigs = ({ payloads }: Exchange): readonly ConfigPayload[] =>
  payloads.filter(isConfig).filter(({ side }) => side === 'response');

/** The config object itself: in 1.0 the whole, in 0.x what is nested in it. */
export function configObject({ value }: PushConfigView): JsonObject {
  const nested = value.pushNotificationConfig;
  return isJsonObject(nested) ? nested : value;
}

/** The task and config ids that an operation's input names. */
export function namedIn({ request }: Exchange): {
  readonly taskId: string | undefined;
  readonly configId: string | undefined;
} {
  const params: JsonObject = isJsonObject(request.params) ? request.params : {};
  const text = (member: string): string | undefined => {
    const value = params[member];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  // 0.x names the task `id`, and the config by its long name.
  const taskId = text('taskId');
  return taskId === undefined
    ? { taskId: text('id'), configId: text('pushNotificationConfigId') }
    : { taskId, configId: text('id') };
}

/** A proxy mapped URLs in this exchange, so they are not what the peer sent. What a fault did came behind the record. */
export const hasMappedUrls = ({ changes }: Exchange['captured']): boolean =>
  changes.some(({ place, reason }) => place === 'body' && !reason.startsWith('fault-'));

/** True for two spellings of one URL: servers that parse a URL write it back in normal form. */
export function isSameUrl(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return true;
  const [left, right] = [URL.parse(a ?? ''), URL.parse(b ?? '')];
  return left !== null && left.href === right?.href;
}
