import type { StartedAgent } from '../agents/start.ts';
import { seenResult } from '../client/seen.ts';
import { AgentDriver } from '../driver/agent-driver.ts';
import type { Dialect, Driver } from '../driver/drive.ts';
import { encodeInstruction, instructionFilename, instructionMediaType } from '../driver/instruction.ts';
import { RawDriver } from '../driver/raw-driver.ts';
import type { Checks } from '../scenario/checks.ts';
import type { ScenarioContext, Webhook } from '../scenario/context.ts';
import { callsOf } from './calls.ts';
import { faultsOf } from './cell-faults.ts';
import type { CellWorld, LivePeer } from './cell-world.ts';
import { onwardOf } from './onward.ts';
import { rawAnswer } from './raw-answer.ts';
import { resolverUrl } from './taps.ts';
import { wordsFor } from './words.ts';

/** What one cell's scenario works with. */
export async function contextOf(world: CellWorld): Promise<ScenarioContext> {
  const { cell, server, client, taps, http, webhooks, clock, random, checks, signal } = world;
  const cellTaps = taps.forCell(cell.id);
  const probeTaps = taps.forCell(cell.id, 'probe');
  const playFault = faultsOf(world);
  const messageId = (prefix = 'm') => `${prefix}-${random.hex(20)}`;

  const rawDriver = async (purpose: 'normal' | 'probe', dialect = cell.dialect) => {
    const address = await (purpose === 'probe' ? probeTaps : cellTaps).address('plugfest', server.started);
    return new RawDriver(http, address, dialect);
  };
  const onward = (caller: string, names: readonly string[]) =>
    onwardOf(caller, names, { world, cellTaps, messageId });
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
    fault: (spec, on = { from: 'client', to: 'server' }) => playFault(spec, on),
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

function credentialsOf(
  { name, tokens }: StartedAgent,
  principal: string,
): { readonly authorization: string } {
  const token = tokens.get(principal);
  if (token === undefined) throw new Error(`${name} knows no principal ${principal}`);
  return { authorization: `Bearer ${token}` };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
