import { isJsonObject, type Json } from '@plugfest/model';
import { z } from 'zod';
import { defineFault, type Flow } from '../fault.ts';
import { addField, codingOf, removeFields, shownBytes, withoutLength } from '../head-edits.ts';

const maxCardBytes = 1024 * 1024;

/** TCPMUX (RFC 1078): nothing listens there. */
const unusedPort = 1;

/** Most cards that one fault remembers. */
const maxCards = 256;

/** By the parameters of a fault: the first card it saw from one agent to one caller. */
const firstCards = new WeakMap<object, Map<string, Buffer>>();

const isGrpc = (binding: Json | undefined): boolean =>
  typeof binding === 'string' && binding.toUpperCase() === 'GRPC';

/** Where an interface was before its agent moved: a gRPC target has no path of its own (gRPC naming), so its port is another. */
function formerUrl(url: string, binding: Json | undefined, path: string): string {
  const parsed = URL.parse(url);
  const isHttp = parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
  if (parsed !== null && isHttp && !isGrpc(binding)) return `${parsed.origin}${path}`;
  const hasHost = isHttp || isGrpc(binding) || /^(?:\[[^\]]+\]|[^/:]+):\d+\/?$/.test(url);
  if (!hasHost) return url;
  const target = (isHttp ? (parsed?.origin ?? url) : url).replace(/\/$/, '');
  return `${target.replace(/:\d+$/, '')}:${unusedPort}`;
}

/** The card with its interfaces at another path of the same origins, as before an agent moved. */
function moved(text: string, path: string): string | undefined {
  let card: unknown;
  try {
    card = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(card)) return undefined;
  const at = (url: Json | undefined, binding: Json | undefined): Json | undefined =>
    typeof url === 'string' ? formerUrl(url, binding, path) : url;
  const listed = (value: Json | undefined): Json | undefined =>
    Array.isArray(value)
      ? value.map((item) =>
          isJsonObject(item) && 'url' in item
            ? { ...item, url: at(item.url, item.protocolBinding ?? item.transport) ?? null }
            : item,
        )
      : value;
  const edited: Record<string, Json | undefined> = { ...card };
  if ('url' in edited) edited.url = at(edited.url, card.preferredTransport);
  for (const list of ['supportedInterfaces', 'additionalInterfaces'])
    if (list in edited) edited[list] = listed(edited[list]);
  return JSON.stringify(edited);
}

export default defineFault({
  name: 'stale-card',
  about:
    'The caller is shown an agent card that is out of date: the first one that was seen, or one from before the agent moved.',
  edges: 'a2a',
  requests: 'card',
  parameters: {
    interfacePath: z
      .string()
      .regex(/^\/[\x21-\x7e]*$/, 'a path begins with a slash')
      .optional()
      .describe(
        'The card names its interfaces at this path, where nothing is, and those of gRPC, which have none, at port 1. Default: the first card that this fault saw.',
      ),
    ageSeconds: z
      .int()
      .min(0)
      .optional()
      .describe('`Age` that the response says it has (RFC 9111 section 5.1).'),
  },
  response: (parameters, act) => {
    const { interfacePath, ageSeconds } = parameters;
    const coding = codingOf(act);
    const why =
      act.status !== 200 || !act.hasBody
        ? `there is no card in the response (${act.status})`
        : coding === undefined
          ? undefined
          : `the card is encoded (${coding})`;
    if (why !== undefined) {
      act.bypassed(why);
      return undefined;
    }
    withoutLength(act);
    removeFields(act, new Set(['etag', 'last-modified', ...(ageSeconds === undefined ? [] : ['age'])]));
    if (ageSeconds !== undefined) addField(act, 'Age', String(ageSeconds));
    const cards = firstCards.get(parameters) ?? new Map<string, Buffer>();
    firstCards.set(parameters, cards);
    const key = `${act.caller}>${act.callee}`;
    return (next): Flow => {
      const held: Buffer[] = [];
      let bytes = 0;
      let large = false;
      const stale = (card: Buffer): Buffer | undefined => {
        if (interfacePath !== undefined) {
          const text = moved(card.toString('utf8'), interfacePath);
          return text === undefined ? undefined : Buffer.from(text);
        }
        const first = cards.get(key);
        if (first === undefined && cards.size < maxCards) cards.set(key, card);
        return first?.equals(card) === false ? first : undefined;
      };
      return {
        head: () => next.head(),
        data: (chunk) => {
          bytes += chunk.length;
          if (large) {
            next.data(chunk);
            return;
          }
          held.push(chunk);
          if (bytes <= maxCardBytes) return;
          large = true;
          act.bypassed(`the card is larger than ${maxCardBytes} bytes`);
          for (const each of held) next.data(each);
        },
        end: (trailers) => {
          if (!large) {
            const card = Buffer.concat(held);
            const shown = stale(card);
            if (shown === undefined) act.bypassed('there is no older card than this one');
            else act.applied({ place: 'body', before: shownBytes(card), after: shownBytes(shown) });
            if (bytes > 0) next.data(shown ?? card);
          }
          next.end(trailers);
        },
        cut: (reset, code) => {
          if (!large) {
            act.bypassed('the card broke off');
            for (const each of held) next.data(each);
          }
          next.cut(reset, code);
        },
      };
    };
  },
});
