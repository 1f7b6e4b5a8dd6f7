import type { JsonObject, ProtocolVersion } from '@plugfest/model';
import type { PushConfigView } from '../decoded.ts';
import { idText, object, text, texts } from './members.ts';

/** Ids in a transcoded 0.3 resource name: `tasks/{id}/pushNotificationConfigs/{configId}`. */
function idsOfName(name: string | undefined) {
  const match = /^tasks?\/([^/]+)(?:\/pushNotification(?:Config)?s\/([^/]+))?$/.exec(name ?? '');
  return { taskId: match?.[1], id: match?.[2] };
}

/**
 * A push configuration of any version: flat in 1.0; in 0.x the config itself (inline in a send), or that of a task
 * with the config nested. `inline` says that it came inside a send.
 */
export function pushConfigView(value: JsonObject, version: ProtocolVersion, inline: boolean): PushConfigView {
  const outer = object(value, 'config') ?? value;
  const nested = object(outer, 'pushNotificationConfig');
  const config = nested ?? outer;
  const named = idsOfName(text(outer, 'name') ?? text(value, 'parent'));
  const authentication = object(config, 'authentication');
  const ownTaskId = idText(outer, 'taskId', 'task_id');
  return {
    taskId:
      ownTaskId ??
      named.taskId ??
      (version !== '1.0' && nested !== undefined ? text(outer, 'id') : undefined),
    id: text(config, 'id') ?? named.id ?? text(value, 'configId'),
    url: text(config, 'url'),
    token: text(config, 'token'),
    scheme: authentication && (text(authentication, 'scheme') ?? texts(authentication, 'schemes')[0]),
    credentials: authentication && text(authentication, 'credentials'),
    inline,
    value,
  };
}
