import type { PushConfigView } from '@plugfest/a2a';
import { webhookKey } from '@plugfest/model';
import type { PushConfigRecord, Sighting } from '../subjects.ts';
import { owned } from './owned.ts';

/** Distinct secrets that are remembered: callers give them, so it is bounded. */
const keptSecrets = 8192;

/** More configs of a task than any client needs; each delivery is compared with all of them. */
const mostOfTask = 256;

type OpenConfig = { -readonly [K in keyof PushConfigRecord]: PushConfigRecord[K] };

const none: readonly PushConfigRecord[] = [];

export interface Registration {
  readonly sighting: Sighting;
  readonly agent: string;
  readonly version: PushConfigRecord['version'];
  readonly accepted: boolean;
  readonly mapped: boolean;
  readonly answeredAtNs: number | undefined;
  readonly traceId: string | undefined;
  readonly config: PushConfigView;
}

/** Push configs as clients registered them, completed by what the agents answered. */
export class PushConfigs {
  readonly #byUrl = new Map<string, OpenConfig[]>();
  readonly #byTask = new Map<string, OpenConfig[] | 'too many'>();
  readonly #byTaskAndUrl = new Map<string, OpenConfig[] | 'too many'>();
  /** By caller and secret, the first config. */
  readonly #bySecret = new Map<string, OpenConfig>();

  /** None of a task that has too many to be told apart. */
  ofTask(agent: string, taskId: string): readonly PushConfigRecord[] {
    return few(this.#byTask.get(owned(agent, taskId)));
  }

  /** Accepted ones, by the key of their URL. */
  ofUrl(key: string): readonly PushConfigRecord[] {
    return this.#byUrl.get(key) ?? none;
  }

  /** Accepted ones of a task, by the key of their URL; a task may have many, and a URL may serve many tasks. */
  ofTaskAndUrl(agent: string, taskId: string, key: string): readonly PushConfigRecord[] {
    return few(this.#byTaskAndUrl.get(owned(agent, owned(taskId, key))));
  }

  firstWith(caller: string, secret: string): PushConfigRecord | undefined {
    return this.#bySecret.get(owned(caller, secret));
  }

  register({ config, sighting, ...registration }: Registration): PushConfigRecord {
    const { taskId, id, url, token, scheme, credentials, inline } = config;
    const record: OpenConfig = {
      ...sighting,
      ...registration,
      taskId,
      id,
      url,
      token,
      scheme,
      credentials,
      inline,
      deletedAtNs: undefined,
    };
    if (record.accepted && url !== undefined) append(this.#byUrl, webhookKey(url), record);
    for (const secret of [token, credentials]) {
      if (!secret) continue;
      const key = owned(record.exchange.edge.caller, secret);
      if (!this.#bySecret.has(key) && this.#bySecret.size < keptSecrets) this.#bySecret.set(key, record);
    }
    return record;
  }

  /** Fills in what the server assigned to a config: its id, and the task. */
  complete(record: PushConfigRecord, answer: PushConfigView): void {
    const open: OpenConfig = record;
    open.id = answer.id ?? open.id;
    open.taskId = answer.taskId ?? open.taskId;
  }

  /** Ties a config to its task; `created` is the task that a send with an inline config made. */
  attach(record: PushConfigRecord, created: string | undefined): string | undefined {
    const open: OpenConfig = record;
    if (open.inline) open.taskId = created ?? open.taskId;
    if (open.taskId === undefined) return undefined;
    appendFew(this.#byTask, owned(open.agent, open.taskId), open);
    if (open.accepted && open.url !== undefined)
      appendFew(this.#byTaskAndUrl, owned(open.agent, owned(open.taskId, webhookKey(open.url))), open);
    return open.taskId;
  }

  delete(agent: string, taskId: string, configId: string | undefined, atNs: number | undefined): void {
    for (const config of few<OpenConfig>(this.#byTask.get(owned(agent, taskId))))
      if (config.id === configId) config.deletedAtNs ??= atNs;
  }
}

function append(lists: Map<string, OpenConfig[]>, key: string, record: OpenConfig): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [record]);
  else list.push(record);
}

const few = <Config extends PushConfigRecord>(
  list: readonly Config[] | 'too many' | undefined,
): readonly Config[] => (list === undefined || list === 'too many' ? [] : list);

/** As `append`; a list that grows too long is emptied for good, as what is left of it would be taken for all. */
function appendFew(lists: Map<string, OpenConfig[] | 'too many'>, key: string, record: OpenConfig): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [record]);
  else if (list === 'too many') return;
  else if (list.length < mostOfTask) list.push(record);
  else lists.set(key, 'too many');
}
