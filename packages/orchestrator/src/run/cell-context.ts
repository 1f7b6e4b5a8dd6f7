import { createHash } from 'node:crypto';
import type { CellId, FaultSwitch } from '@plugfest/model';
import type { StartedAgent } from '../agents/start.ts';
import type { HttpClient } from '../client/http.ts';
import type { RawResult } from '../client/raw-client.ts';
import { seenResult } from '../client/seen.ts';
import type { Clock } from '../clock.ts';
import { AgentDriver } from '../driver/agent-driver.ts';
import type {
  CallOptions,
  Dialect,
  DriveCall,
  DriveConfiguration,
  DriveMessage,
  Driver,
} from '../driver/drive.ts';
import { encodeInstruction, instructionFilename, instructionMediaType } from '../driver/instruction.ts';
import { RawDriver } from '../driver/raw-driver.ts';
import type { Delegation } from '../lab/lab.ts';
import type { Checks } from '../scenario/checks.ts';
import type { Calls, Onward, Outgoing, RawAnswer, ScenarioContext, Webhook } from '../scenario/context.ts';
import type { Random } from '../seeded.ts';
import type { WebhookReceiver } from '../webhook/receiver.ts';
import type { Peer, PlannedCell } from './cells.ts';
import { resolverUrl, type Taps } from './taps.ts';

export interface LivePeer extends Peer {
  readonly started: StartedAgent;
  /** That it ended by itself and was started again, and how it had ended; undefined where it did not. */
  revived(): string | undefined;
}

/** How many calls a caller has begun in a cell. */
export type CallsSeen = (caller: string, callee: string, cell: CellId) => number;

export interface CellWorld {
  readonly cell: PlannedCell;
  readonly server: LivePeer;
  /** Undefined where Plugfest is the client. */
  readonly client: LivePeer | undefined;
  /** All agents of the lab, by name. */
  readonly peers: ReadonlyMap<string, LivePeer>;
  readonly taps: Taps;
  readonly http: HttpClient;
  readonly webhooks: WebhookReceiver;
  /** Undefined where the interposer plays no faults. */
  readonly faults: FaultSwitch | undefined;
  /** Undefined where the lab has nobody who has to be asked in words. */
  readonly callsSeen: CallsSeen | undefined;
  /** Called where somebody else makes the calls in the client's place. */
  readonly onStandIn: (name: string) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly checks: Checks;
  readonly signal: AbortSignal;
}

/** What one cell's scenario works with. */
export async function contextOf(world: CellWorld): Promise<ScenarioContext> {
  const { cell, server, client, taps, http, webhooks, faults, clock, random, checks, signal } = world;
  const cellTaps = taps.forCell(cell.id);
  const probeTaps = taps.forCell(cell.id, 'probe');
  let played = 0;
  const messageId = (prefix = 'm') => `${prefix}-${random.hex(20)}`;

  const rawDriver = async (purpose: 'normal' | 'probe', dialect = cell.dialect) => {
    const address = await (purpose === 'probe' ? probeTaps : cellTaps).address('plugfest', server.started);
    return new RawDriver(http, address, dialect);
  };
  const onward = (caller: string, names: readonly string[]): readonly Onward[] =>
    names.flatMap((name) => {
      const peer = world.peers.get(name);
      if (!peer) return [];
      const receiver = world.peers.get(caller);
      return [
        {
          name,
          dialects: peer.dialects,
          url: async () => {
            const url = resolverUrl(await cellTaps.address(caller, peer.started), peer.started);
            cellTaps.claim(caller, name);
            return url;
          },
          tapDeliveries: async () => {
            if (!receiver) throw new Error(`${caller} has no receiver of its own`);
            await cellTaps.tapDeliveries(name, receiver.started);
          },
          calls: async (dialect) => {
            const address = await cellTaps.address('plugfest', peer.started);
            return callsOf(new RawDriver(http, address, dialect), messageId, signal);
          },
        },
      ];
    });
  const agentDriver = async (from: LivePeer, to: LivePeer, dialect: Dialect, called = cellTaps) => {
    const [via] = from.dialects;
    if (!via) throw new Error(`${from.agent.name} offers no dialect`);
    const [told, target] = await Promise.all([
      cellTaps.address('plugfest', from.started),
      called.address(from.agent.name, to.started),
    ]);
    const serverUrl = resolverUrl(target, to.started);
    const [as] = to.started.tokens.keys();
    return new AgentDriver({
      http,
      client: told,
      via,
      server: to.agent.name,
      requiredExtensions: to.requiredExtensions,
      serverUrl,
      dialect,
      as,
      nextMessageId: messageId,
      claim: () => called.claim(from.agent.name, to.agent.name),
    });
  };
  const forward = client ? await agentDriver(client, server, cell.dialect) : await rawDriver('normal');
  const rawProber = once(() => rawDriver('probe'));
  const prober = client ? once(() => agentDriver(client, server, cell.dialect, probeTaps)) : rawProber;
  const probe = once(() => rawProber().then((driver) => driver.connected(signal)));
  const probing: Pick<Driver, 'call'> = { call: async (...args) => (await prober()).call(...args) };

  return {
    ...callsOf(forward, messageId, signal),
    with: (options) => callsOf(forward, messageId, signal, options),
    principals: [...server.started.tokens.keys()],
    credentials: (principal) => credentialsOf(server.started, principal),
    probing: {
      ...callsOf(probing, messageId, signal),
      with: (options) => callsOf(probing, messageId, signal, options),
    },
    client: cell.client,
    server: cell.server,
    dialect: cell.dialect,
    offers: server,
    behaviours: server.behaviours,
    capabilities: { streaming: server.streaming, pushNotifications: server.pushNotifications },
    random,
    signal,
    advise: (...args: Parameters<Checks['advise']>) => checks.advise(...args),
    check: (...args) => checks.check(...args),
    require: (...args: Parameters<Checks['require']>) => checks.require(...args),
    nonce: () => `N${random.hex(24)}`,
    messageId,
    sleep: (ms) => clock.sleep(ms, signal),
    webhook: async (expected, answers): Promise<Webhook> => {
      const secret = random.hex(32);
      const registration = webhooks.register({
        ...{ secret, sender: cell.server, cell: cell.id, expected },
        ...(answers === undefined ? {} : { answers }),
      });
      const origin = await cellTaps.webhookOrigin(cell.server, webhooks.origin);
      return {
        url: origin + registration.path,
        deliveries: registration.deliveries,
        waitFor: (matches, timeoutMs) => registration.waitFor(matches, timeoutMs, signal),
      };
    },
    fault: (spec, { from, to } = { from: 'client', to: 'server' }) => {
      if (faults === undefined) throw new Error('the interposer of this run plays no faults');
      const participants = { client: cell.client, server: cell.server, webhook: 'plugfest' };
      const edge = `${participants[from]} -> ${participants[to]}`;
      const id = faultId(cell.id, ++played);
      faults.put({ ...spec, edge, cell: cell.id }, id);
      // What it did is still told after its end.
      let last = 0;
      const applied = (): number => {
        last = faults.get(id)?.applied ?? last;
        return last;
      };
      const stop = (): void => {
        applied();
        faults.delete(id);
      };
      signal.addEventListener('abort', stop, { once: true });
      return { applied, stop };
    },
    probe: {
      body: async (operation, body, path) =>
        rawAnswer(await (await probe()).raw(operation, body, signal, path)),
      unknownMethod: async (name) => rawAnswer(await (await probe()).unknownMethod(name, signal)),
      request: async (operation, params, headers = {}) => {
        const answer = await (await probe()).withHeaders(operation, params, headers, signal);
        return rawAnswer(answer.result, answer.headers);
      },
    },
    over: async (dialect, options) => {
      const driver = client ? await agentDriver(client, server, dialect) : await rawDriver('normal', dialect);
      return callsOf(driver, messageId, signal, options);
    },
    dialects: cell.dialects,
    beside: onward(cell.client, cell.beside),
    beyond: onward(cell.server, cell.beyond),
    reverseDialects: client?.dialects ?? [],
    reverse: async (wanted) => {
      if (!client || !server.agent.drive) return undefined;
      const { binding, version } = wanted ?? cell.dialect;
      const same = client.dialects.find((one) => one.binding === binding && one.version === version);
      const dialect = same ?? client.dialects[0];
      return dialect && callsOf(await agentDriver(server, client, dialect), messageId, signal);
    },
    ask: async (task) => {
      const { callsSeen } = world;
      const words = client && 'delegate' in client.agent ? client.agent.delegate : undefined;
      const [via] = client?.dialects ?? [];
      if (!client || !words || !via || !callsSeen) throw new Error('ask is for an agent with `delegate`');
      const target = await cellTaps.address(cell.client, server.started);
      const message = {
        text: wordsFor(words, { card: target.origin + target.cardPath, name: cell.server }, task),
      };
      const asked = new RawDriver(http, await cellTaps.address('plugfest', client.started), via);
      const answer = await callsOf(asked, messageId, signal).send(message);
      const calls = () => callsSeen(cell.client, cell.server, cell.id);
      // An agent may answer first and do what it was asked for after that.
      for (let waited = 0; calls() === 0 && waited < afterAnswerMs; waited += 250)
        await clock.sleep(250, signal);
      return { answer, calls: calls() };
    },
    standIn: async () => {
      world.onStandIn('plugfest');
      return callsOf(await rawDriver('normal'), messageId, signal);
    },
    restart: async (role) => {
      const peer = role === 'server' ? server : client;
      if (!peer?.started.restart) throw new Error(`the ${role} is not ours to start again`);
      await peer.started.restart();
    },
    serverUrl: async () => resolverUrl(await cellTaps.address(cell.client, server.started), server.started),
    instruct: async (instruction) => {
      if (!(forward instanceof AgentDriver))
        throw new Error('instruct is for scenarios with an agent as client');
      const raw = Buffer.from(encodeInstruction(instruction)).toString('base64');
      const part = { raw, mediaType: instructionMediaType, filename: instructionFilename };
      const message = { messageId: messageId(), role: 'ROLE_USER', parts: [part] };
      return { ok: true, events: [seenResult(await forward.tell({ message }, 'an instruction', signal))] };
    },
  };
}

const afterAnswerMs = 3000;

function wordsFor(
  { message }: Delegation,
  peer: { readonly card: string; readonly name: string },
  task: string,
): string {
  const values: Readonly<Record<string, string>> = { 'peer.card': peer.card, 'peer.name': peer.name, task };
  return message.replace(/\{\{(peer\.card|peer\.name|task)\}\}/g, (_, place: string) => values[place] ?? '');
}

function callsOf(
  driver: Pick<Driver, 'call'>,
  messageId: () => string,
  signal: AbortSignal,
  options: CallOptions = {},
): Calls {
  const message = (outgoing: Outgoing): DriveMessage => ({ messageId: messageId(), ...outgoing });
  const settings = (configuration: DriveConfiguration | undefined) =>
    configuration ? { configuration } : {};
  const call = (made: DriveCall) => driver.call(made, signal, options);
  return {
    call,
    send: (outgoing, configuration) =>
      call({ op: 'SendMessage', message: message(outgoing), ...settings(configuration) }),
    stream: (outgoing, configuration, stopAfterEvents) =>
      call({
        op: 'SendStreamingMessage',
        message: message(outgoing),
        ...settings(configuration),
        ...(stopAfterEvents === undefined ? {} : { stopAfterEvents }),
      }),
  };
}

function credentialsOf(
  { name, tokens }: StartedAgent,
  principal: string,
): { readonly authorization: string } {
  const token = tokens.get(principal);
  if (token === undefined) throw new Error(`${name} knows no principal ${principal}`);
  return { authorization: `Bearer ${token}` };
}

function rawAnswer(
  { ok, status, mediaType, error, json, task, tasks, grpcStatus }: RawResult,
  headers: RawAnswer['headers'] = {},
): RawAnswer {
  return {
    headers,
    taskIds: [...(task ? [task] : []), ...tasks].flatMap(({ id }) => (id === undefined ? [] : [id])),
    status,
    contentType: mediaType,
    ...(error?.name === undefined ? {} : { errorName: error.name }),
    ...(error?.code === undefined ? {} : { errorCode: error.code }),
    ...(grpcStatus?.name === undefined ? {} : { grpcStatus: grpcStatus.name }),
    isError: error !== undefined,
    ok,
    text: json.text.slice(0, 2000),
  };
}

/** Of the cell's own, the same in each run, so that what a fault draws by it is the same, too. */
function faultId(cell: string, number: number): string {
  return `cell-${createHash('sha256').update(cell).digest('hex').slice(0, 16)}-${number}`;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
