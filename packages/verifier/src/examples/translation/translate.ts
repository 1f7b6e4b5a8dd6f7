import { isDeepStrictEqual } from 'node:util';
import { type Binding, isJsonObject, type Json } from '@plugfest/model';
import type { Example, ExampleExchange, HttpExampleExchange } from '../example.ts';
import { v1 } from '../protocol-objects.ts';
import { getCard } from '../traffic.ts';
import { movedCard } from './cards.ts';
import { Untranslatable, untranslatable } from './codec.ts';
import { endpoints, type Target } from './dialect.ts';
import { readGrpc, writeGrpc } from './grpc.ts';
import { readJsonRpc, writeJsonRpc } from './jsonrpc.ts';
import type { Call, Meaning } from './meaning.ts';
import { OldestConversation } from './oldest.ts';
import { isCardFetch, readCardFetch, readDelivery, writeCardFetch, writeDelivery } from './plain-http.ts';
import { readRest, writeRest } from './rest.ts';
import { withinJsonRpc } from './within.ts';
import { withinPlainHttp, withinRest } from './within-http.ts';

/** An exchange, and what it means; no meaning where it says more than that. */
interface Read {
  readonly exchange: ExampleExchange;
  readonly source: Target;
  readonly meaning: Meaning | undefined;
  readonly why: string;
}

/**
 * The same conversation in another version and binding, or undefined where the example says something that the target
 * has no words for: raw bodies, faults of an envelope, headers of one binding, members of a later version.
 *
 * Each exchange is read into 1.0 objects and written in the target's form. It counts as read only if writing it in its
 * own dialect gives the very exchange again, so that nothing that an example shows can get lost. Where it says more
 * than that, e.g. by an envelope that is at fault, another version of its own binding may still say the same.
 */
export function translate(example: Example, target: Target): Example | undefined {
  try {
    return translated(example, target);
  } catch (problem) {
    if (problem instanceof Untranslatable) return undefined;
    throw problem;
  }
}

/** Why `translate` gives nothing; for reports of what is missing. */
export function whyNot(example: Example, target: Target): string | undefined {
  try {
    translated(example, target);
    return undefined;
  } catch (problem) {
    if (problem instanceof Untranslatable) return problem.message;
    throw problem;
  }
}

function translated(example: Example, target: Target): Example {
  const read = example.map(readExchange);
  const bindings = new Set(
    read.filter(({ exchange }) => isCall(exchange)).map(({ source }) => source.binding),
  );
  const [sole, other] = bindings;
  const from = sole !== undefined && other === undefined ? sole : target.binding;
  const oldest = new OldestConversation();
  return introduced(read, target).map((each) => {
    const { exchange, meaning, source, why } = each;
    if (meaning !== undefined) return write(meaning, target, from, oldest);
    if (source.version < target.version) untranslatable(`${target.version} is newer than the example`);
    if ('grpc' in exchange) return untranslatable(why);
    return within(exchange, source, target, oldest) ?? untranslatable(why);
  });
}

/** An exchange that is not understood as a whole, in another version of its own binding. */
function within(
  exchange: HttpExampleExchange,
  source: Target,
  { version, binding }: Target,
  oldest: OldestConversation,
): ExampleExchange | undefined {
  if (!isCall(exchange)) return withinPlainHttp(exchange, source.version, version);
  if (source.binding !== binding || (source.version !== '0.3' && source.version !== '1.0')) return undefined;
  if (source.version === version) return exchange;
  if (binding === 'JSONRPC') return withinJsonRpc(exchange, source.version, version, oldest);
  return version === '0.3' ? withinRest(exchange) : undefined;
}

/** Reads an exchange, and makes sure that all of it was understood. */
function readExchange(exchange: ExampleExchange): Read {
  const source = sourceOf(exchange);
  try {
    const meaning = understood(exchange);
    const again = write(meaning, source, source.binding, new OldestConversation());
    if (isDeepStrictEqual(plain(again), plain(exchange))) return { exchange, source, meaning, why: '' };
    return { exchange, source, meaning: undefined, why: 'more than its meaning' };
  } catch (problem) {
    if (!(problem instanceof Untranslatable)) throw problem;
    return { exchange, source, meaning: undefined, why: problem.message };
  }
}

const plain = (exchange: ExampleExchange): unknown => JSON.parse(JSON.stringify(exchange));

/** The dialect that an example's exchange is in, as far as its builders make any. */
function sourceOf(exchange: ExampleExchange): Target {
  if ('grpc' in exchange) return { version: '1.0', binding: 'GRPC' };
  const { request, response } = exchange;
  const asJson = (of: { readonly body?: Json; readonly body_raw?: string } | undefined): string =>
    of?.body_raw ?? JSON.stringify(of?.body ?? '');
  if (isDelivery(exchange)) {
    const version = /"kind"/.test(asJson(request)) ? '0.3' : '1.0';
    return { version, binding: 'HTTP+JSON' };
  }
  if (isCardFetch(exchange)) {
    const version = /"protocolVersion":"0/.test(asJson(response).slice(0, 64)) ? '0.3' : '1.0';
    return { version, binding: 'HTTP+JSON' };
  }
  const isModern =
    request.headers['A2A-Version'] !== undefined ||
    (isJsonObject(request.body) &&
      typeof request.body.method === 'string' &&
      /^[A-Z]/.test(request.body.method));
  const version = isModern ? '1.0' : '0.3';
  return { version, binding: isRestAddress(request.url) ? 'HTTP+JSON' : 'JSONRPC' };
}

const isRestAddress = (url: string): boolean =>
  url.startsWith(`${endpoints['HTTP+JSON']}/`) || /\/message:(send|stream)$/.test(url);
const isDelivery = (exchange: ExampleExchange): boolean => exchange.to === 'webhook receiver';
const isCall = (exchange: ExampleExchange): boolean =>
  'grpc' in exchange || !(isDelivery(exchange) || isCardFetch(exchange));

function understood(exchange: ExampleExchange): Meaning {
  if ('grpc' in exchange) return readGrpc(exchange);
  if (isDelivery(exchange)) return readDelivery(exchange);
  if (isCardFetch(exchange)) return readCardFetch(exchange);
  const { body } = exchange.request;
  if (isJsonObject(body) && typeof body.method === 'string') return readJsonRpc(exchange);
  return readRest(exchange) ?? untranslatable('neither a call, nor a card, nor a delivery');
}

/** Before 0.3 nothing but the card says which version a peer speaks: so the client has read it first. */
function introduced(read: readonly Read[], { version }: Target): readonly Read[] {
  if (version !== '0.1' && version !== '0.2') return read;
  const known = new Set<string>();
  return read.flatMap((each) => {
    const { exchange } = each;
    const delivered = isDelivery(exchange);
    const agent = delivered ? exchange.from : exchange.to;
    const isNew = !known.has(agent) && (delivered || isCall(exchange));
    known.add(agent);
    if (!isNew) return [each];
    const card = getCard(v1.card(), { from: delivered ? 'client' : exchange.from, to: agent });
    return [readExchange(exchange.at === undefined ? card : { ...card, at: exchange.at }), each];
  });
}

function write(meaning: Meaning, target: Target, from: Binding, oldest: OldestConversation): ExampleExchange {
  const { version, binding } = target;
  switch (meaning.kind) {
    case 'delivery':
      return writeDelivery(meaning, version, oldest);
    case 'card': {
      const { card } = meaning;
      const moved = card === undefined ? card : movedCard(card, from, binding);
      return writeCardFetch({ ...meaning, card: moved }, version);
    }
    case 'call':
      return writeCall(movedCall(meaning, from, binding), target, oldest);
  }
}

/** The card in an answer moves with the conversation. */
function movedCall(call: Call, from: Binding, to: Binding): Call {
  const { answer, operation } = call;
  if (operation !== 'GetExtendedAgentCard' || answer.kind !== 'result') return call;
  const { value } = answer;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return call;
  return { ...call, answer: { kind: 'result', value: movedCard(value as Record<string, never>, from, to) } };
}

function writeCall(call: Call, { version, binding }: Target, oldest: OldestConversation): ExampleExchange {
  if (binding === 'JSONRPC') return writeJsonRpc(call, version, oldest);
  if (version !== '0.3' && version !== '1.0') return untranslatable(`${version} has JSON-RPC only`);
  return binding === 'GRPC' ? writeGrpc(call, version) : writeRest(call, version);
}
