import type { PushConfigView } from '@plugfest/a2a';
import { webhookKey } from '@plugfest/model';
import { ColdMap, type Warmth } from '../cold/cold-map.ts';
import type { PushConfigRecord, Sighting } from '../subjects.ts';
import { owned } from './owned.ts';

/** Distinct secrets that are remembered: callers give them, so it is bounded. */
const keptSecrets = 8192;

/** More configs of a task than any client needs; each delivery is compared with all of them. */
const mostOfTask = 256;

/** A URL for so many tells nobody which of them a delivery is for. */
const mostOfUrl = 16;

type OpenConfig = { -readonly [K in keyof PushConfigRecord]: PushConfigRecord[K] };

/** Configs by number; one number stands for itself. */
type Numbers = number | number[];

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

/**
 * Push configs as clients registered them, completed by what the agents answered. Each has a number. A config is hardly
 * asked for once its task is done, so it is packed.
 */
export class PushConfigs {
  readonly #configs: ColdMap<OpenConfig>;
  readonly #byUrl = new Map<string, Numbers>();
  readonly #byTask = new Map<string, Numbers | 'too many'>();
  /** By caller and secret, the first config. */
  readonly #bySecret = new Map<string, number>();

  constructor(warmth?: Warmth) {
    this.#configs = new ColdMap(warmth);
  }

  /** None of a task that has too many to be told apart. */
  ofTask(agent: string, taskId: string): readonly PushConfigRecord[] {
    const numbers = this.#byTask.get(owned(agent, taskId));
    return numbers === undefined || numbers === 'too many' ? [] : this.#all(numbers);
  }

  has(agent: string, taskId: string): boolean {
    return this.#byTask.has(owned(agent, taskId));
  }

  /** Accepted ones, by the key of their URL; the first sixteen. */
  ofUrl(key: string): readonly PushConfigRecord[] {
    const numbers = this.#byUrl.get(key);
    return numbers === undefined ? [] : this.#all(numbers);
  }

  /** Accepted ones of a task, by the key of their URL; a task may have many, and a URL may serve many tasks. */
  ofTaskAndUrl(agent: string, taskId: string, key: string): readonly PushConfigRecord[] {
    return this.ofTask(agent, taskId).filter(
      ({ accepted, url }) => accepted && url !== undefined && webhookKey(url) === key,
    );
  }

  firstWith(caller: string, secret: string): PushConfigRecord | undefined {
    const number = this.#bySecret.get(owned(caller, secret));
    return number === undefined ? undefined : this.#configs.get(`${number}`);
  }

  /** Gives the number of the config. */
  register({ config, sighting, ...registration }: Registration): number {
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
    const number = this.#configs.size;
    this.#configs.set(`${number}`, record);
    if (record.accepted && url !== undefined) {
      const key = webhookKey(url);
      const others = this.#byUrl.get(key);
      if (countOf(others) < mostOfUrl) this.#byUrl.set(key, withNumber(others, number));
    }
    for (const secret of [token, credentials]) {
      if (!secret) continue;
      const key = owned(record.exchange.edge.caller, secret);
      if (!this.#bySecret.has(key) && this.#bySecret.size < keptSecrets) this.#bySecret.set(key, number);
    }
    return number;
  }

  /** Fills in what the server assigned to a config: its id, and the task. */
  complete(number: number, answer: PushConfigView): void {
    const open = this.#configs.edit(`${number}`);
    if (open === undefined) return;
    open.id = answer.id ?? open.id;
    open.taskId = answer.taskId ?? open.taskId;
  }

  /** Ties a config to its task; `created` is the task that a send with an inline config made. */
  attach(number: number, created: string | undefined): void {
    const open = this.#configs.edit(`${number}`);
    if (open === undefined) return;
    if (open.inline) open.taskId = created ?? open.taskId;
    if (open.taskId === undefined) return;
    const key = owned(open.agent, open.taskId);
    const others = this.#byTask.get(key);
    if (others === 'too many') return;
    // What is left of a list that grew too long would be taken for all.
    this.#byTask.set(key, countOf(others) < mostOfTask ? withNumber(others, number) : 'too many');
  }

  delete(agent: string, taskId: string, configId: string | undefined, atNs: number | undefined): void {
    const numbers = this.#byTask.get(owned(agent, taskId));
    if (numbers === undefined || numbers === 'too many') return;
    for (const number of typeof numbers === 'number' ? [numbers] : numbers) {
      if (this.#configs.get(`${number}`)?.id !== configId) continue;
      const open = this.#configs.edit(`${number}`);
      if (open !== undefined) open.deletedAtNs ??= atNs;
    }
  }

  #all(numbers: Numbers): readonly PushConfigRecord[] {
    return (typeof numbers === 'number' ? [numbers] : numbers).flatMap(
      (number) => this.#configs.get(`${number}`) ?? [],
    );
  }
}

const countOf = (numbers: Numbers | undefined): number =>
  numbers === undefined ? 0 : typeof numbers === 'number' ? 1 : numbers.length;

function withNumber(numbers: Numbers | undefined, number: number): Numbers {
  if (numbers === undefined) return number;
  if (typeof numbers === 'number') return [numbers, number];
  numbers.push(number);
  return numbers;
}
