import type { DecodedExchange, Jwk, MessageView, Payload, PeerContext } from '@plugfest/a2a';
import {
  type CapturedExchange,
  type ExchangeId,
  type Gap,
  header,
  type Json,
  type Operation,
  type ProtocolVersion,
  parseTraceparent,
} from '@plugfest/model';
import { CallerHabits } from './conversation/caller-habits.ts';
import { type CallerRecord, Calls, type CredentialUse } from './conversation/calls.ts';
import { CardFetches } from './conversation/card-fetches.ts';
import { Cards } from './conversation/cards.ts';
import { Contexts } from './conversation/contexts.ts';
import { Deliveries } from './conversation/deliveries.ts';
import { Gaps } from './conversation/gaps.ts';
import { KeySets } from './conversation/key-sets.ts';
import { inKnownOrder } from './conversation/known-order.ts';
import { filtersOf, ListWalks } from './conversation/list-walks.ts';
import { Messages, type MessageUse, type Relay } from './conversation/messages.ts';
import { NamedTasks } from './conversation/named-tasks.ts';
import { isTaskPayload, observationOf } from './conversation/observation.ts';
import { type OpenCall, OpenCalls } from './conversation/open-calls.ts';
import { type ByBinding, faultOf, Operations, type Refusals } from './conversation/operations.ts';
import { owned } from './conversation/owned.ts';
import { taskIdOf } from './conversation/payload-task.ts';
import { Peers } from './conversation/peers.ts';
import { PushConfigs } from './conversation/push-configs.ts';
import { configIdInParams, taskIdInParams } from './conversation/request-ids.ts';
import { SignedCards } from './conversation/signed-cards.ts';
import { Tasks } from './conversation/tasks.ts';
import { requestTenant, Tenants } from './conversation/tenants.ts';
import { endedByItself } from './stream-of.ts';
import type {
  CardSighting,
  Channel,
  ContextHistory,
  Discovery,
  ExchangeRef,
  HandedOn,
  ListPage,
  PushConfigRecord,
  RefusedFetch,
  Sighting,
  TaskHistory,
  WebhookSubject,
} from './subjects.ts';
import { unreadSides } from './unread.ts';

const channels: Readonly<Record<string, Channel>> = {
  SendMessage: 'send',
  SendStreamingMessage: 'stream',
  SubscribeToTask: 'subscribe',
  GetTask: 'get',
  ListTasks: 'list',
  CancelTask: 'cancel',
};

const noConfigs: readonly PushConfigRecord[] = [];

/**
 * What a capture says across exchanges: tasks, contexts, cards and push configs, by agent. It is built by adding
 * exchanges in order of observation and keeps no bodies, only what rules compare.
 */
export class Conversation {
  readonly #tasks: Tasks;
  readonly #contexts: Contexts;
  readonly #cards = new Cards();
  readonly #configs: PushConfigs;
  readonly #deliveries: Deliveries;
  readonly #messages: Messages;
  readonly #namedTasks = new NamedTasks();
  readonly #openCalls = new OpenCalls();
  readonly #peers = new Peers();
  readonly #calls = new Calls();
  readonly #listWalks = new ListWalks();
  readonly #operations = new Operations();
  readonly #cardFetches = new CardFetches();
  readonly #signedCards = new SignedCards();
  readonly #habits = new CallerHabits();
  readonly #tenants = new Tenants();
  readonly #keys: KeySets;
  /** By agent, who fetched a card where that could not be read. */
  readonly #unreadCards = new Map<string, Set<string>>();
  readonly #gaps: Gaps;
  #observedUntilNs = 0;

  /**
   * `gaps`: what the capture says it lost. `keys`: public keys that card signatures may have been made with. `packs`:
   * what was not touched lately is packed; else it takes a kilobyte an exchange, and less time.
   */
  constructor(gaps: readonly Pick<Gap, 'atNs'>[] = [], keys: readonly Jwk[] = [], packs = true) {
    const warmth = packs ? undefined : { warm: Number.POSITIVE_INFINITY };
    this.#tasks = new Tasks(warmth);
    this.#contexts = new Contexts(warmth);
    this.#configs = new PushConfigs(warmth);
    this.#deliveries = new Deliveries(warmth);
    this.#messages = new Messages(warmth);
    this.#gaps = new Gaps(gaps);
    this.#keys = new KeySets(keys);
  }

  /** Tasks in order of first sight. */
  *tasks(): Generator<TaskHistory> {
    for (const task of this.#tasks.all()) yield inKnownOrder(task);
  }

  contexts(): IterableIterator<ContextHistory> {
    return this.#contexts.all();
  }

  /** Who asked for whose card, in order of first request. */
  discoveries(): IterableIterator<Discovery> {
    return this.#cards.discoveries();
  }

  /** A task of an agent, as far as it has been seen. */
  task(agent: string, id: string | undefined): TaskHistory | undefined {
    return id === undefined ? undefined : this.#tasks.get(agent, id);
  }

  context(agent: string, id: string | undefined): ContextHistory | undefined {
    return id === undefined ? undefined : this.#contexts.get(agent, id);
  }

  /**
   * The cards that an agent has shown so far, by caller, path and content, in order of their last fetch. The array is
   * the same until another card is shown.
   */
  cards(agent: string): readonly CardSighting[] {
    return this.#cards.of(agent);
  }

  /** A card of the agent crossed that could not be read, and was not fetched again: what it declares is not known. */
  missesCard(agent: string): boolean {
    return (this.#unreadCards.get(agent)?.size ?? 0) > 0;
  }

  /** All cards that any agent showed, as `cards` has them. */
  *shownCards(): IterableIterator<CardSighting> {
    for (const sightings of this.#cards.all()) yield* sightings;
  }

  /** What callers' caches may hold of agents' cards, and what agents served at each URL of a card. */
  get cardFetches(): Pick<CardFetches, 'stored' | 'served' | 'hasReloaded' | 'hasLacked'> {
    return this.#cardFetches;
  }

  /** Keys for card signatures: given, or fetched within the capture. Complete only after the last exchange. */
  get keys(): Pick<KeySets, 'at' | 'for'> {
    return this.#keys;
  }

  /** The hops on which each signature of a card was seen. */
  get signedCards(): Pick<SignedCards, 'of'> {
    return this.#signedCards;
  }

  /** What callers can do, and whom they have called. */
  get habits(): Pick<CallerHabits, 'speaks' | 'isFirstCall'> {
    return this.#habits;
  }

  /** The tenant under which an agent first showed a task; undefined where no tenant was named. */
  tenantOf(agent: string, taskId: string | undefined): string | undefined {
    return taskId === undefined ? undefined : this.#tenants.of(agent, taskId);
  }

  /** By path, the first fetches of an agent's card that it answered with a client error, e.g. 404. */
  refusedCardFetches(agent: string): ReadonlyMap<string, RefusedFetch> {
    return this.#cards.refusals(agent);
  }

  /** The first paths at which a caller's HTTP+JSON calls to an agent got 404 without an A2A error. */
  missedPaths(caller: string, agent: string): ReadonlySet<string> {
    return this.#peers.missedPaths(caller, agent);
  }

  /** The last use of a message's id before, if it was by the same caller. */
  lastUseOfMessage(caller: string, message: MessageView): MessageUse | undefined {
    return this.#messages.lastUse(caller, message);
  }

  /** The JSON-RPC calls that were open on the connection of an exchange when its request went out. */
  callsBeside({ captured }: DecodedExchange): readonly OpenCall[] {
    return this.#openCalls.beside(captured);
  }

  /** Where an agent first named a task in a direct reply, without showing it. */
  namedInReply(agent: string, taskId: string): Sighting | undefined {
    return this.#namedTasks.of(agent, taskId);
  }

  /** The exchange in which a caller first used a messageId towards an agent. */
  firstUseOfMessage(caller: string, agent: string, messageId: string): ExchangeId | undefined {
    return this.#messages.firstUse(caller, agent, messageId);
  }

  /** The gateway on the way of an exchange's message: who got it, and sent it on to another agent as it was. */
  gatewayOf(exchange: ExchangeId): string | undefined {
    return this.#messages.relayOf(exchange)?.gateway;
  }

  /** The two hops of an exchange's message, where a gateway is on its way. */
  relayOf(exchange: ExchangeId): Relay | undefined {
    return this.#messages.relayOf(exchange);
  }

  /** The hop on which the message came that the caller of this exchange sends on as it was; asked before it is added. */
  handedOn({ captured, payloads }: DecodedExchange): HandedOn | undefined {
    const sent = payloads.find(({ side, kind }) => side === 'request' && kind === 'message');
    return sent?.kind === 'message' ? this.#messages.handedOn(sent.message, captured.edge) : undefined;
  }

  /**
   * The page of a task list that gave this token, where it is still remembered; of several lists that have it, the one with
   * these parameters.
   */
  pageBefore(agent: string, pageToken: string, params?: Json): ListPage | undefined {
    return this.#listWalks.before(agent, pageToken, filtersOf(params));
  }

  /** By binding, the first exchange in which an agent served an operation. */
  servedOn(agent: string, version: ProtocolVersion, operation: Operation): ByBinding {
    return this.#operations.served(agent, version, operation);
  }

  /** What is wrong with a request, in a word that is the same for requests with the same fault; asked before it is added. */
  faultOf(exchange: DecodedExchange): string | undefined {
    const sent = exchange.payloads.find(({ side, kind }) => side === 'request' && kind === 'message');
    const taskId =
      sent === undefined || exchange.operation === undefined
        ? taskIdInParams(exchange.request.params, exchange.operation ?? '')
        : taskIdOf(sent);
    return faultOf(exchange, taskId, this.task(exchange.captured.edge.callee, taskId));
  }

  /** By binding, how an agent first refused requests with this fault. */
  refusalsOf(agent: string, fault: string): Refusals {
    return this.#operations.refusals(agent, fault);
  }

  /** By binding, the first exchange in which an agent did not know an operation. */
  missingOn(agent: string, version: ProtocolVersion, operation: Operation): ByBinding {
    return this.#operations.missing(agent, version, operation);
  }

  /** What a caller did towards an agent so far, beside tasks. */
  callsOf(caller: string, agent: string): CallerRecord {
    return this.#calls.of(caller, agent);
  }

  /** Between whom an `Authorization` value, or its keyed token, has been seen so far. */
  usesOf(credential: string): readonly CredentialUse[] {
    return this.#calls.usesOf(credential);
  }

  /** The first push config of a caller that had this token or these credentials. */
  firstConfigWith(caller: string, secret: string): PushConfigRecord | undefined {
    return this.#configs.firstWith(caller, secret);
  }

  /** What other traffic says of an agent; decides dialects that one exchange alone leaves open. */
  peer(agent: string): PeerContext {
    return this.#peers.of(agent);
  }

  /** Push configs registered for a task so far, oldest first; also where the task itself was not seen. */
  configsOf(agent: string, taskId: string | undefined): readonly PushConfigRecord[] {
    return taskId === undefined ? noConfigs : this.#configs.ofTask(agent, taskId);
  }

  /** Some push config was registered for the task, be they too many to tell apart. */
  hasConfigs(agent: string, taskId: string): boolean {
    return this.#configs.has(agent, taskId);
  }

  /** Accepted push configs of a task for one webhook, given by its key, oldest first. */
  configsFor(agent: string, taskId: string | undefined, webhook: string): readonly PushConfigRecord[] {
    return taskId === undefined ? noConfigs : this.#configs.ofTaskAndUrl(agent, taskId, webhook);
  }

  /** Deliveries to a webhook's host are in the capture: so others to it would be, too. */
  seesDeliveriesTo(url: string): boolean {
    return this.#deliveries.reached(url);
  }

  /** The latest time of anything added so far, in monotonic ns of the run. */
  get observedUntilNs(): number {
    return this.#observedUntilNs;
  }

  /**
   * True where the capture lost traffic from one time to the other, in monotonic ns: what is not there may have
   * happened all the same, so a rule of absence has to answer `undecidable`.
   */
  gapBetween(fromNs: number, toNs: number): boolean {
    return this.#gaps.between(fromNs, toNs);
  }

  /** Push deliveries with what was registered for them. Complete only after the last exchange. */
  *webhooks(): IterableIterator<WebhookSubject> {
    const conversation = this;
    for (const delivery of this.#deliveries.all()) {
      const { webhook, taskId, exchange } = delivery;
      const agent = exchange.edge.caller;
      const configs = this.#configs.ofUrl(webhook);
      yield {
        delivery,
        taskId,
        configs,
        config:
          this.configsFor(agent, taskId, webhook)[0] ??
          // The only one for this URL, unless the task's own may have been lost.
          (configs.length === 1 && !this.gapBetween(Number.NEGATIVE_INFINITY, exchange.startNs)
            ? configs[0]
            : undefined),
        // Few rules look at it, and it may have to be unpacked.
        get task() {
          const task = conversation.task(agent, taskId);
          return task && inKnownOrder(task);
        },
      };
    }
  }

  /** Adds the next exchange. */
  add(exchange: DecodedExchange): void {
    const { captured, kind } = exchange;
    const endedAtNs = answeredAtNs(captured) ?? captured.request.atNs;
    this.#observedUntilNs = Math.max(this.#observedUntilNs, endedAtNs);
    if (unreadSides(exchange) !== undefined) {
      this.#gaps.add(captured.request.atNs);
      this.#gaps.add(endedAtNs);
    }
    if (kind === 'other') this.#keys.add(exchange, () => refOf(captured));
    if (kind === 'other' || exchange.dialect === undefined) return;
    this.#peers.add(exchange);
    const ref = refOf(captured);
    if (kind === 'card') {
      this.#cardFetches.add(exchange, ref);
      this.#addCards(exchange, ref, false);
      this.#cards.fetched(exchange, ref);
    } else if (kind === 'webhook') this.#addDelivery(exchange, ref);
    else this.#addOperation(exchange, ref);
  }

  #addCards(exchange: DecodedExchange, ref: ExchangeRef, extended: boolean): void {
    this.#noteUnreadCard(exchange);
    const card = this.#cards.add(exchange, ref, extended);
    if (card !== undefined) this.#signedCards.add(card, ref);
  }

  #noteUnreadCard(exchange: DecodedExchange): void {
    const { caller, callee } = exchange.captured.edge;
    const unread = this.#unreadCards.get(callee);
    const place = owned(caller, exchange.request.path);
    if (unreadSides(exchange)?.response !== true) unread?.delete(place);
    else if (unread === undefined) this.#unreadCards.set(callee, new Set([place]));
    else unread.add(place);
  }

  #addDelivery(exchange: DecodedExchange, ref: ExchangeRef): void {
    const { webhook } = this.#deliveries.add(exchange, ref);
    for (const payload of exchange.payloads) {
      if (payload.side === 'request')
        this.#observe(ref.edge.caller, 'webhook', exchange, ref, payload, webhook);
    }
  }

  #addOperation(exchange: DecodedExchange, ref: ExchangeRef): void {
    const { operation, response } = exchange;
    if (operation === undefined) return;
    const { caller, callee: agent } = ref.edge;
    this.#calls.add(exchange, isAccepted(exchange));
    this.#openCalls.add(exchange, ref);
    this.#habits.add(exchange);
    const tenant = requestTenant(exchange);
    if (isAccepted(exchange)) this.#cards.served(caller, agent);
    this.#operations.add(exchange, ref, isAccepted(exchange));
    if ((response?.error ?? response?.events?.[0]?.error) !== undefined) {
      const fault = this.faultOf(exchange);
      if (fault !== undefined) this.#operations.refuse(exchange, ref, fault);
    }
    if (operation === 'ListTasks') this.#listWalks.add(exchange, ref);
    if (operation === 'GetExtendedAgentCard') this.#addCards(exchange, ref, true);
    const configs = this.#addRequest(exchange, ref);
    const channel = channels[operation];
    for (const payload of exchange.payloads) {
      if (payload.side === 'request') continue;
      const shown = tenant === undefined || !isTaskPayload(payload) ? undefined : taskIdOf(payload);
      if (tenant !== undefined && shown !== undefined) this.#tenants.add(agent, shown, tenant);
      if (channel !== undefined) this.#observe(agent, channel, exchange, ref, payload, undefined);
      const [config] = configs;
      if (
        payload.kind === 'pushConfig' &&
        operation === 'CreateTaskPushNotificationConfig' &&
        config !== undefined
      )
        this.#configs.complete(config, payload.config);
    }
    if (response?.events !== undefined) this.#addStream(exchange, ref);
    if (configs.length > 0) this.#attachConfigs(exchange, configs);
  }

  /** The client's side: actions on tasks, contexts named, push configs registered. Gives the numbers of these. */
  #addRequest(exchange: DecodedExchange, ref: ExchangeRef): readonly number[] {
    const { captured, operation, request, dialect } = exchange;
    if (operation === undefined || dialect === undefined) return [];
    const { version } = dialect;
    const agent = ref.edge.callee;
    const accepted = isAccepted(exchange);
    const sightingAt = (pointer: string) => ({
      exchange: ref,
      seq: ref.seq,
      atNs: ref.startNs,
      side: 'request' as const,
      event: undefined,
      pointer,
    });
    const configs: number[] = [];
    let taskId: string | undefined;
    let messageId: string | undefined;
    let contextId: string | undefined;
    let { pointer } = request;

    for (const payload of exchange.payloads) {
      if (payload.side !== 'request') continue;
      if (payload.kind === 'message') {
        const { message } = payload;
        if (message.messageId !== undefined)
          this.#messages.add(ref, message.messageId, message.parts, exchange);
        if (message.contextId !== undefined)
          this.#contexts.name({ agent, id: message.contextId, version, by: 'client' }, () =>
            sightingAt(payload.pointer),
          );
        if (message.taskId !== undefined) {
          ({ taskId, messageId, contextId } = message);
          pointer = payload.pointer;
        }
      } else if (payload.kind === 'pushConfig') {
        configs.push(
          this.#configs.register({
            sighting: sightingAt(payload.pointer),
            agent,
            version,
            accepted,
            mapped: captured.changes.some(
              ({ place, reason }) => place === 'body' && !reason.startsWith('fault-'),
            ),
            answeredAtNs: answeredAtNs(captured),
            traceId: parseTraceparent(header(captured.request.headers, 'traceparent'))?.traceId,
            config: payload.config,
          }),
        );
      }
    }

    taskId ??= taskIdInParams(request.params, operation);
    if (taskId === undefined) return configs;
    this.#tasks.act(agent, taskId, {
      ...sightingAt(pointer),
      operation,
      messageId,
      contextId,
      accepted,
      answeredAtNs: captured.response?.atNs,
    });
    if (operation === 'DeleteTaskPushNotificationConfig' && accepted)
      this.#configs.delete(agent, taskId, configIdInParams(request.params), answeredAtNs(captured));
    return configs;
  }

  /** Every event of a stream is of one task; which one the first that names it says. */
  #addStream({ captured, payloads, response }: DecodedExchange, exchange: ExchangeRef): void {
    const first = payloads.find((payload) => payload.side === 'response' && isTaskPayload(payload));
    const taskId = first && taskIdOf(first);
    if (taskId === undefined) return;
    this.#tasks.addStream(exchange.edge.callee, taskId, {
      exchange,
      endedAtNs: captured.end.atNs,
      complete: endedByItself({ captured, response }),
      timesSynthetic: captured.timesSynthetic === true,
    });
  }

  #attachConfigs(exchange: DecodedExchange, configs: readonly number[]): void {
    const created = exchange.payloads.find(
      (payload) => payload.side === 'response' && taskIdOf(payload) !== undefined,
    );
    for (const config of configs) this.#configs.attach(config, created && taskIdOf(created));
  }

  #observe(
    agent: string,
    channel: Channel,
    { dialect }: DecodedExchange,
    exchange: ExchangeRef,
    payload: Payload,
    webhook: string | undefined,
  ): void {
    if (dialect === undefined) return;
    const { version } = dialect;
    const { atNs, event, pointer } = payload;
    const taskId = isTaskPayload(payload) ? taskIdOf(payload) : undefined;
    const contextId = contextIdOf(payload);
    const sighting = (): Sighting => ({
      exchange,
      seq: exchange.seq,
      atNs,
      side: 'response',
      event,
      pointer,
    });
    if (contextId !== undefined)
      this.#contexts.name({ agent, id: contextId, version, by: 'server', taskId }, sighting);
    if (payload.kind === 'message' && payload.message.taskId && webhook === undefined)
      this.#namedTasks.add(agent, payload.message.taskId, sighting);
    if (isTaskPayload(payload) && taskId !== undefined)
      this.#tasks.observe(agent, taskId, observationOf({ exchange, channel, dialect, webhook }, payload));
  }
}

function contextIdOf(payload: Payload): string | undefined {
  switch (payload.kind) {
    case 'task':
      return payload.task.contextId;
    case 'message':
      return payload.message.contextId;
    case 'statusUpdate':
    case 'artifactUpdate':
      return payload.update.contextId;
    case 'pushConfig':
    case 'card':
      return undefined;
  }
}

/** The server did what it was asked to: an error says no, and a redirect sends elsewhere (RFC 9110 section 15). */
const isAccepted = ({ response }: DecodedExchange): boolean =>
  response !== undefined && response.error === undefined && response.status < 300;

const answeredAtNs = ({ end, response }: CapturedExchange): number | undefined => end.atNs ?? response?.atNs;

function refOf({ id, seq, edge, cell, purpose, request, lost }: CapturedExchange): ExchangeRef {
  const eventTimesLost = lost?.includes('chunk-times') === true;
  const credentials = header(request.headers, 'authorization');
  return { id, seq, edge, cell, purpose, startNs: request.atNs, eventTimesLost, credentials };
}
