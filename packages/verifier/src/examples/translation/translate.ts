import { isDeepStrictEqual } from 'node:util';
import type { Binding, ProtocolVersion } from '@plugfest/model';
import type { Example, ExampleExchange, HttpExampleExchange } from '../example.ts';
import { v1 } from '../protocol-objects.ts';
import { getCard } from '../traffic.ts';
import { movedCard } from './cards.ts';
import { Untranslatable, untranslatable } from './codec.ts';
import { rpcMethods, type Target } from './dialect.ts';
import { readGrpc, writeGrpc } from './grpc.ts';
import { readJsonRpc, writeJsonRpc } from './jsonrpc.ts';
import type { Call, CardFetch, Meaning } from './meaning.ts';
import { OldestConversation } from './oldest.ts';
import { isCardFetch, readCardFetch, readDelivery, writeCardFetch, writeDelivery } from './plain-http.ts';
import { readRest, writeRest } from './rest.ts';

interface Read {
  readonly meaning: Meaning;
  readonly source: Target;
}

/**
 * The same conversation in another version and binding, or undefined where the example says something that the target
 * has no words for: raw bodies, faults of an envelope, headers of one binding, members of a later version.
 *
 * Each exchange is read into 1.0 objects and written in the target's form. It counts as read only if writing it in its
 * own dialect gives the very exchange again, so that nothing that an example shows can get lost.
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
  const calls = read.filter(({ meaning }) => meaning.kind === 'call');
  const bindings = new Set(calls.map(({ source }) => source.binding));
  const [sole, other] = bindings;
  const from = sole !== undefined && other === undefined ? sole : target.binding;
  for (const { source } of read)
    if (source.version < target.version) untranslatable(`${target.version} is newer than the example`);
  const oldest = new OldestConversation();
  return introduced(
    read.map(({ meaning }) => meaning),
    target,
  ).map((meaning) => write(meaning, target, from, oldest));
}

/** Reads an exchange, and makes sure that all of it was understood. */
function readExchange(exchange: ExampleExchange): Read {
  const read = understood(exchange);
  const again = write(read.meaning, read.source, read.source.binding, new OldestConversation());
  if (!isDeepStrictEqual(plain(again), plain(exchange))) untranslatable('more than its meaning');
  return read;
}

const plain = (exchange: ExampleExchange): unknown => JSON.parse(JSON.stringify(exchange));

function understood(exchange: ExampleExchange): Read {
  if ('grpc' in exchange) return { meaning: readGrpc(exchange), source: { version: '1.0', binding: 'GRPC' } };
  if (exchange.to === 'webhook receiver') {
    const version = versionOfBody(exchange);
    return { meaning: readDelivery(exchange), source: { version, binding: 'HTTP+JSON' } };
  }
  if (isCardFetch(exchange)) {
    const meaning = readCardFetch(exchange);
    const { body } = exchange.response ?? {};
    const modern = body === undefined || JSON.stringify(body).includes('supportedInterfaces');
    return { meaning, source: { version: modern ? '1.0' : '0.3', binding: 'HTTP+JSON' } };
  }
  const { method } = (exchange.request.body ?? {}) as { readonly method?: unknown };
  if (typeof method === 'string') {
    const modern = Object.values(rpcMethods['1.0']).includes(method);
    return {
      meaning: readJsonRpc(exchange),
      source: { version: modern ? '1.0' : '0.3', binding: 'JSONRPC' },
    };
  }
  const meaning = readRest(exchange) ?? untranslatable('neither a call, nor a card, nor a delivery');
  return { meaning, source: { version: '1.0', binding: 'HTTP+JSON' } };
}

const versionOfBody = ({ request }: HttpExampleExchange): ProtocolVersion =>
  typeof request.body === 'object' && request.body !== null && 'kind' in request.body ? '0.3' : '1.0';

/** Before 0.3 nothing but the card says which version a peer speaks: so the client has read it first. */
function introduced(meanings: readonly Meaning[], { version }: Target): readonly Meaning[] {
  if (version !== '0.1' && version !== '0.2') return meanings;
  const known = new Set<string>();
  return meanings.flatMap((meaning) => {
    const agent = meaning.kind === 'delivery' ? meaning.parties.from : meaning.parties.to;
    const isNew = meaning.kind !== 'card' && !known.has(agent);
    known.add(agent);
    return isNew ? [introduction(meaning, agent), meaning] : [meaning];
  });
}

function introduction(meaning: Meaning, agent: string): CardFetch {
  const { from } = meaning.parties;
  const at = meaning.parties.at;
  const client = meaning.kind === 'delivery' ? 'client' : from;
  const fetch = readCardFetch(getCard(v1.card(), { from: client, to: agent }) as HttpExampleExchange);
  return at === undefined ? fetch : { ...fetch, parties: { ...fetch.parties, at } };
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
