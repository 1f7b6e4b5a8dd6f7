import type { CardView, DecodedExchange, Payload, PeerContext } from '@plugfest/a2a';
import type { CapturedExchange, ExchangeId, ProtocolVersion } from '@plugfest/model';
import { digestArtifact } from './digest.ts';
import type {
  CardSubject,
  Channel,
  ClientAction,
  ContextHistory,
  PushConfigRecord,
  Sighting,
  TaskHistory,
  TaskObservation,
  WebhookSubject,
} from './subjects.ts';
import { calledWebhookKey, webhookHost, webhookKey } from './webhook-url.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
type OpenTask = Mutable<TaskHistory>;
type OpenContext = Mutable<ContextHistory>;
type OpenConfig = Mutable<PushConfigRecord>;

const channels: Readonly<Record<string, Channel>> = {
  SendMessage: 'send',
  SendStreamingMessage: 'stream',
  SubscribeToTask: 'subscribe',
  GetTask: 'get',
  ListTasks: 'list',
  CancelTask: 'cancel',
};

const nowhere: ReadonlySet<string> = new Set();
const noFetches: ReadonlyMap<string, CapturedExchange> = new Map();

/** A client that guesses paths does so at its first calls. */
const keptMissedPaths = 32;

/** Key of something an agent owns. Ids are per server: two agents may hand out the same one. */
const owned = (agent: string, id: string): string => `${agent}\u0000${id}`;

/**
 * What a capture says across exchanges: tasks, contexts, cards and push configs, by agent. It is built by adding
 * exchanges in order of observation and keeps no bodies, only what rules compare.
 */
export class Conversation {
  readonly #tasks = new Map<string, OpenTask>();
  readonly #contexts = new Map<string, OpenContext>();
  readonly #cards = new Map<string, CardSubject[]>();
  readonly #refusedCardFetches = new Map<string, Map<string, CapturedExchange>>();
  readonly #missedPaths = new Map<string, Set<string>>();
  readonly #configs: OpenConfig[] = [];
  readonly #configsByUrl = new Map<string, OpenConfig[]>();
  readonly #configsByTask = new Map<string, OpenConfig[]>();
  readonly #deliveries: { readonly exchange: DecodedExchange; readonly taskId: string | undefined }[] = [];
  readonly #deliveredHosts = new Set<string>();
  #observedUntilNs = 0;
  readonly #messages = new Map<string, ExchangeId>();
  readonly #versionOf = new Map<string, ProtocolVersion>();
  readonly #basePaths = new Map<string, readonly string[]>();

  /** Tasks in order of first sight. */
  tasks(): IterableIterator<TaskHistory> {
    return this.#tasks.values();
  }

  contexts(): IterableIterator<ContextHistory> {
    return this.#contexts.values();
  }

  /** A task of an agent, as far as it has been seen. */
  task(agent: string, id: string | undefined): TaskHistory | undefined {
    return id === undefined ? undefined : this.#tasks.get(owned(agent, id));
  }

  context(agent: string, id: string | undefined): ContextHistory | undefined {
    return id === undefined ? undefined : this.#contexts.get(owned(agent, id));
  }

  /** Card fetches of an agent so far, oldest first. */
  cards(agent: string): readonly CardSubject[] {
    return this.#cards.get(agent) ?? [];
  }

  /** The last card that an agent has shown, of one version where given. */
  cardInForce(agent: string, version?: ProtocolVersion): CardSubject | undefined {
    return this.cards(agent).findLast((seen) => version === undefined || seen.card.version === version);
  }

  /** By path, the first fetches of an agent's card that it answered with a client error, e.g. 404. */
  refusedCardFetches(agent: string): ReadonlyMap<string, CapturedExchange> {
    return this.#refusedCardFetches.get(agent) ?? noFetches;
  }

  /** The first paths at which a caller's HTTP+JSON calls to an agent got 404 without an A2A error. */
  missedPaths(caller: string, agent: string): ReadonlySet<string> {
    return this.#missedPaths.get(owned(agent, caller)) ?? nowhere;
  }

  /** The exchange in which a caller first used a messageId towards an agent. */
  firstUseOfMessage(caller: string, agent: string, messageId: string): ExchangeId | undefined {
    return this.#messages.get(`${caller}\u0000${owned(agent, messageId)}`);
  }

  /** What other traffic says of an agent; decides dialects that one exchange alone leaves open. */
  peer(agent: string): PeerContext {
    const version = this.#versionOf.get(agent);
    const basePaths = this.#basePaths.get(agent);
    return {
      ...(version === undefined ? {} : { version }),
      ...(basePaths === undefined ? {} : { basePaths }),
    };
  }

  configs(): readonly PushConfigRecord[] {
    return this.#configs;
  }

  /** Push configs registered for a task so far, oldest first; also where the task itself was not seen. */
  configsOf(agent: string, taskId: string | undefined): readonly PushConfigRecord[] {
    return taskId === undefined ? [] : (this.#configsByTask.get(owned(agent, taskId)) ?? []);
  }

  /** Deliveries to a webhook's host are in the capture: so others to it would be, too. */
  seesDeliveriesTo(url: string): boolean {
    return this.#deliveredHosts.has(webhookHost(webhookKey(url)));
  }

  /** The latest time of anything added so far, in monotonic ns of the run. */
  get observedUntilNs(): number {
    return this.#observedUntilNs;
  }

  /** Push deliveries with what was registered for them. Complete only after the last exchange. */
  *webhooks(): IterableIterator<WebhookSubject> {
    for (const { exchange, taskId } of this.#deliveries) {
      const { captured } = exchange;
      const key = calledWebhookKey(captured);
      const configs = this.#configsByUrl.get(key) ?? [];
      const ofTask = this.configsOf(captured.edge.caller, taskId);
      yield {
        exchange,
        payload: exchange.payloads.find((payload) => payload.side === 'request'),
        taskId,
        configs,
        config:
          ofTask.find(({ accepted, url }) => accepted && url !== undefined && webhookKey(url) === key) ??
          (configs.length === 1 ? configs[0] : undefined),
        task: this.task(captured.edge.caller, taskId),
      };
    }
  }

  /** Adds the next exchange. */
  add(exchange: DecodedExchange): void {
    const { request, response, end } = exchange.captured;
    const endedAtNs = end.atNs ?? response?.atNs ?? request.atNs;
    this.#observedUntilNs = Math.max(this.#observedUntilNs, endedAtNs);
    if (exchange.kind === 'other' || exchange.dialect === undefined) return;
    if (exchange.kind === 'card') {
      this.#addCards(exchange, false);
      this.#addRefusedCard(exchange);
    } else if (exchange.kind === 'webhook') this.#addDelivery(exchange);
    else this.#addOperation(exchange);
  }

  #addCards(exchange: DecodedExchange, extended: boolean): void {
    for (const payload of exchange.payloads) {
      if (payload.kind !== 'card') continue;
      const agent = exchange.captured.edge.callee;
      const seen = this.#cards.get(agent) ?? [];
      seen.push({ exchange, card: payload.card, extended });
      this.#cards.set(agent, seen);
      this.#basePaths.set(agent, restBasePaths(payload.card));
    }
  }

  #addRefusedCard({ captured, request, response }: DecodedExchange): void {
    if (response === undefined || response.status < 400 || response.status > 499) return;
    const agent = captured.edge.callee;
    const fetches = this.#refusedCardFetches.get(agent) ?? new Map<string, CapturedExchange>();
    // Whoever asks for cards at ever new places must not fill the memory.
    if (fetches.size < 64 && !fetches.has(request.path)) fetches.set(request.path, captured);
    this.#refusedCardFetches.set(agent, fetches);
  }

  #addDelivery(exchange: DecodedExchange): void {
    const { captured } = exchange;
    const payload = exchange.payloads.find((each) => each.side === 'request');
    const taskId = payload === undefined ? undefined : taskIdOf(payload);
    this.#deliveries.push({ exchange, taskId });
    this.#deliveredHosts.add(webhookHost(calledWebhookKey(captured)));
    for (const each of exchange.payloads) {
      if (each.side === 'request') this.#observe(captured.edge.caller, 'webhook', exchange, each);
    }
    if (taskId !== undefined)
      this.#tasks.get(owned(captured.edge.caller, taskId))?.deliveries.push(captured.id);
  }

  #addOperation(exchange: DecodedExchange): void {
    const { captured, operation, dialect } = exchange;
    if (operation === undefined || dialect === undefined) return;
    const agent = captured.edge.callee;
    this.#versionOf.set(agent, dialect.version);
    this.#addMissedPath(exchange);
    if (operation === 'GetExtendedAgentCard') this.#addCards(exchange, true);
    const inline = this.#addRequest(exchange);
    const channel = channels[operation];
    for (const payload of exchange.payloads) {
      if (payload.side === 'request') continue;
      if (channel !== undefined) this.#observe(agent, channel, exchange, payload);
      if (payload.kind === 'pushConfig') this.#completeConfig(exchange, payload, inline);
    }
    this.#attachConfigs(exchange, inline);
  }

  #addMissedPath({ captured, dialect, request, response }: DecodedExchange): void {
    if (dialect?.binding !== 'HTTP+JSON' || response?.status !== 404 || response.error !== undefined) return;
    const key = owned(captured.edge.callee, captured.edge.caller);
    const paths = this.#missedPaths.get(key) ?? new Set();
    if (paths.size < keptMissedPaths) paths.add(request.path);
    this.#missedPaths.set(key, paths);
  }

  /** The client's side: actions on tasks, contexts named, push configs registered. */
  #addRequest(exchange: DecodedExchange): OpenConfig[] {
    const { captured, operation, request, response, dialect } = exchange;
    if (operation === undefined || dialect === undefined) return [];
    const agent = captured.edge.callee;
    const accepted = response !== undefined && response.error === undefined && response.status < 400;
    const at = captured.request.atNs;
    const base = { exchange: captured, seq: captured.seq, atNs: at, side: 'request' as const };
    const configs: OpenConfig[] = [];
    let action: { taskId: string; messageId?: string; contextId?: string; pointer: string } | undefined;

    for (const payload of exchange.payloads) {
      if (payload.side !== 'request') continue;
      const sighting: Sighting = { ...base, pointer: payload.pointer };
      if (payload.kind === 'message') {
        const { messageId, taskId, contextId } = payload.message;
        if (messageId !== undefined) {
          const key = `${captured.edge.caller}\u0000${owned(agent, messageId)}`;
          if (!this.#messages.has(key)) this.#messages.set(key, captured.id);
        }
        if (contextId !== undefined)
          this.#nameContext(agent, contextId, dialect.version, sighting, undefined);
        if (taskId !== undefined)
          action = {
            taskId,
            pointer: payload.pointer,
            ...(messageId === undefined ? {} : { messageId }),
            ...(contextId === undefined ? {} : { contextId }),
          };
      } else if (payload.kind === 'pushConfig') {
        const { config } = payload;
        const record: OpenConfig = {
          ...sighting,
          agent,
          version: dialect.version,
          taskId: config.taskId,
          id: config.id,
          url: config.url,
          token: config.token,
          scheme: config.scheme,
          credentials: config.credentials,
          inline: config.inline,
          accepted,
          deletedAtNs: undefined,
        };
        configs.push(record);
        this.#configs.push(record);
        if (accepted && config.url !== undefined) {
          const key = webhookKey(config.url);
          const same = this.#configsByUrl.get(key) ?? [];
          same.push(record);
          this.#configsByUrl.set(key, same);
        }
      }
    }

    const named = action?.taskId ?? taskIdInParams(request.params, operation);
    if (named !== undefined) {
      const entry: ClientAction = {
        ...base,
        pointer: action?.pointer ?? request.pointer,
        operation,
        messageId: action?.messageId,
        contextId: action?.contextId,
        accepted,
        answeredAtNs: captured.response?.atNs,
      };
      // A task that only a client has named is no task of the agent until the agent confirms it.
      this.#pendingActions(agent, named).push(entry);
      if (operation === 'DeleteTaskPushNotificationConfig' && accepted) {
        const configId =
          idInParams(request.params, 'pushNotificationConfigId') ?? idInParams(request.params, 'id');
        for (const config of this.#configsByTask.get(owned(agent, named)) ?? []) {
          if (config.id === configId) config.deletedAtNs ??= captured.end.atNs ?? captured.response?.atNs;
        }
      }
    }
    return configs;
  }

  readonly #actions = new Map<string, ClientAction[]>();

  #pendingActions(agent: string, taskId: string): ClientAction[] {
    const key = owned(agent, taskId);
    const task = this.#tasks.get(key);
    if (task) return task.actions;
    const pending = this.#actions.get(key) ?? [];
    this.#actions.set(key, pending);
    return pending;
  }

  /** Fills in what the server assigned to a config: its id, and the task. */
  #completeConfig(
    exchange: DecodedExchange,
    payload: Payload & { kind: 'pushConfig' },
    requested: OpenConfig[],
  ): void {
    if (exchange.operation !== 'CreateTaskPushNotificationConfig') return;
    const [record] = requested;
    if (record === undefined) return;
    record.id = payload.config.id ?? record.id;
    record.taskId = payload.config.taskId ?? record.taskId;
  }

  #attachConfigs(exchange: DecodedExchange, configs: OpenConfig[]): void {
    if (configs.length === 0) return;
    const agent = exchange.captured.edge.callee;
    const created = exchange.payloads.find(
      (payload) => payload.side === 'response' && taskIdOf(payload) !== undefined,
    );
    for (const config of configs) {
      if (config.inline) config.taskId = (created && taskIdOf(created)) ?? config.taskId;
      if (config.taskId === undefined) continue;
      const key = owned(agent, config.taskId);
      this.#tasks.get(key)?.configs.push(config);
      const same = this.#configsByTask.get(key) ?? [];
      same.push(config);
      this.#configsByTask.set(key, same);
    }
  }

  #nameContext(
    agent: string,
    id: string,
    version: ProtocolVersion,
    sighting: Sighting,
    taskId: string | undefined,
  ): void {
    const key = owned(agent, id);
    let context = this.#contexts.get(key);
    if (!context) {
      context = { agent, id, version, taskIds: [], firstFromServer: undefined, firstFromClient: undefined };
      this.#contexts.set(key, context);
    }
    if (taskId === undefined && sighting.side === 'request') context.firstFromClient ??= sighting;
    else context.firstFromServer ??= sighting;
    if (taskId !== undefined && !context.taskIds.includes(taskId)) context.taskIds.push(taskId);
  }

  #observe(agent: string, channel: Channel, exchange: DecodedExchange, payload: Payload): void {
    const { captured, dialect } = exchange;
    if (dialect === undefined) return;
    const sighting: Sighting = {
      exchange: captured,
      seq: captured.seq,
      atNs: payload.atNs,
      side: payload.side,
      pointer: payload.pointer,
      ...(payload.event === undefined ? {} : { event: payload.event }),
    };
    const version = dialect.version;
    if (payload.kind === 'message') {
      const { contextId } = payload.message;
      if (contextId !== undefined)
        this.#nameContext(agent, contextId, version, { ...sighting, side: 'response' }, undefined);
      return;
    }
    if (payload.kind !== 'task' && payload.kind !== 'statusUpdate' && payload.kind !== 'artifactUpdate')
      return;
    const id = taskIdOf(payload);
    const observation = observationOf(sighting, channel, version, payload);
    if (observation.contextId !== undefined)
      this.#nameContext(agent, observation.contextId, version, { ...sighting, side: 'response' }, id);
    if (id === undefined) return;
    const key = owned(agent, id);
    let task = this.#tasks.get(key);
    if (!task) {
      task = {
        agent,
        id,
        version,
        observations: [],
        actions: this.#actions.get(key) ?? [],
        configs: [],
        deliveries: [],
      };
      this.#actions.delete(key);
      this.#tasks.set(key, task);
    }
    insertByTime(task.observations, observation);
  }
}

/** Paths of a card's HTTP+JSON interfaces, without trailing slash. */
function restBasePaths(card: CardView): readonly string[] {
  return card.interfaces
    .filter(({ binding }) => binding === 'HTTP+JSON')
    .map(({ url }) => URL.parse(url ?? '')?.pathname.replace(/\/+$/, ''))
    .filter((path) => path !== undefined);
}

/** Observations arrive nearly in order; a stream that overlaps later calls is what breaks it. */
function insertByTime(observations: TaskObservation[], next: TaskObservation): void {
  let at = observations.length;
  while (at > 0) {
    const before = observations[at - 1];
    if (before === undefined || before.atNs <= next.atNs) break;
    at -= 1;
  }
  observations.splice(at, 0, next);
}

function observationOf(
  sighting: Sighting,
  channel: Channel,
  version: ProtocolVersion,
  payload: Payload & { kind: 'task' | 'statusUpdate' | 'artifactUpdate' },
): TaskObservation {
  const base = { ...sighting, channel, version, kind: payload.kind };
  if (payload.kind === 'artifactUpdate') {
    const { update } = payload;
    return {
      ...base,
      state: undefined,
      timestamp: undefined,
      contextId: update.contextId,
      artifacts: update.artifact ? [digestArtifact(update.artifact)] : [],
      append: update.append,
      lastChunk: update.lastChunk,
      statusMessage: undefined,
      historyLength: undefined,
    };
  }
  const owner = payload.kind === 'task' ? payload.task : payload.update;
  const { status } = owner;
  return {
    ...base,
    state: status.state,
    timestamp: status.timestamp,
    contextId: owner.contextId,
    artifacts: payload.kind === 'task' ? payload.task.artifacts?.map(digestArtifact) : undefined,
    append: false,
    lastChunk: false,
    statusMessage: status.message && {
      role: status.message.role,
      taskId: status.message.taskId,
      contextId: status.message.contextId,
    },
    historyLength: payload.kind === 'task' ? payload.task.history?.length : undefined,
  };
}

/** The task that a payload speaks of. */
export function taskIdOf(payload: Payload): string | undefined {
  switch (payload.kind) {
    case 'task':
      return payload.task.id;
    case 'statusUpdate':
    case 'artifactUpdate':
      return payload.update.taskId;
    case 'message':
      return payload.message.taskId;
    case 'pushConfig':
      return payload.config.taskId;
    case 'card':
      return undefined;
  }
}

function idInParams(params: unknown, member: string): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const value: unknown = (params as Record<string, unknown>)[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The task id that an operation's input names. Config operations name the task in `taskId` (1.0) or `id` (0.x). */
function taskIdInParams(params: unknown, operation: string): string | undefined {
  switch (operation) {
    case 'GetTask':
    case 'CancelTask':
    case 'SubscribeToTask':
      return idInParams(params, 'id');
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
    case 'ListTaskPushNotificationConfigs':
    case 'DeleteTaskPushNotificationConfig':
      return idInParams(params, 'taskId') ?? idInParams(params, 'id');
    default:
      return undefined;
  }
}
