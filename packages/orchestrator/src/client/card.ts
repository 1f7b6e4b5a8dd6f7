import { type CardView, parseCard, selectInterface } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { z } from 'zod';
import { printable } from '../agents/line-tail.ts';
import type { Dialect } from '../driver/drive.ts';
import type { KindAgent } from '../lab/lab.ts';
import { plainMessage } from '../zod-message.ts';
import type { HttpAnswer } from './http.ts';

/** The dialects that Plugfest's own client speaks, in the order in which it would rather speak them. */
export const spokenDialects: readonly Dialect[] = [
  { binding: 'JSONRPC', version: '1.0' },
  { binding: 'HTTP+JSON', version: '1.0' },
  { binding: 'GRPC', version: '1.0' },
  { binding: 'JSONRPC', version: '0.3' },
  { binding: 'HTTP+JSON', version: '0.3' },
  { binding: 'GRPC', version: '0.3' },
  { binding: 'JSONRPC', version: '0.1' },
];

/** Whether a lab agent of a protocol serves a version; none is of the days of 0.1. */
export const speaksVersion = (protocol: KindAgent['protocol'], version: Dialect['version']): boolean =>
  protocol === version || (protocol === 'both' && version !== '0.1');

export type CardAnswer =
  | { readonly kind: 'card'; readonly card: CardView; readonly dialects: readonly Dialect[] }
  | {
      readonly kind: 'unreachable' | 'http-status' | 'html' | 'no-json' | 'types' | 'no-interface';
      /** One sentence without the agent's name. */
      readonly reason: string;
    };

const flag = z.boolean().nullish();
const mode = z.array(z.string()).nullish();
/** The types of the members that somebody who calls the agent reads; members that are absent are for the rules to judge. */
const cardTypes = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  version: z.string().nullish(),
  url: z.string().nullish(),
  protocolVersion: z.string().nullish(),
  preferredTransport: z.string().nullish(),
  capabilities: z
    .looseObject({ streaming: flag, pushNotifications: flag, extendedAgentCard: flag })
    .nullish(),
  defaultInputModes: mode,
  defaultOutputModes: mode,
  skills: z
    .array(z.looseObject({ id: z.string().nullish(), name: z.string().nullish(), tags: mode }))
    .nullish(),
  supportedInterfaces: z
    .array(
      z.looseObject({
        url: z.string(),
        protocolBinding: z.string(),
        protocolVersion: z.string().nullish(),
        tenant: z.string().nullish(),
      }),
    )
    .nullish(),
  additionalInterfaces: z.array(z.looseObject({ url: z.string(), transport: z.string() })).nullish(),
});

/** What the answer to a GET of the card says. */
export function readCard(answer: HttpAnswer, path: string): CardAnswer {
  const proxied = answer.headers['x-plugfest-error'];
  if (proxied !== undefined) return { kind: 'unreachable', reason: `it cannot be reached (${proxied})` };
  if (answer.status !== 200)
    return {
      kind: 'http-status',
      reason: `a GET of its card (${path}) is answered with HTTP ${answer.status}`,
    };
  if (answer.cut) return { kind: 'no-json', reason: `its card (${path}) is longer than Plugfest reads` };
  const start = answer.text.trimStart().slice(0, 60);
  if (
    /^text\/html|^application\/xhtml/i.test(answer.contentType) ||
    /^<(!doctype|html|head|body|\?xml)/i.test(start)
  )
    return { kind: 'html', reason: `its card (${path}) is an HTML page, not JSON` };
  let value: Json;
  try {
    value = JSON.parse(answer.text);
  } catch {
    const text = printable(start);
    return {
      kind: 'no-json',
      reason: `its card (${path}) is no JSON${text ? `; it starts with ${text}` : ' but empty'}`,
    };
  }
  const types = cardTypes.safeParse(value, { reportInput: true });
  if (!types.success) {
    const problems = types.error.issues.map(
      ({ path: at, message, code, input }) =>
        `/${at.join('/')}: ${code === 'invalid_type' && input === undefined ? 'absent' : plainMessage(message)}`,
    );
    const more = problems.length > 3 ? ` (and ${problems.length - 3} more)` : '';
    return { kind: 'types', reason: `its card has wrong types: ${problems.slice(0, 3).join('; ')}${more}` };
  }
  const { card, problems } = parseCard(value, { path });
  if (!card) return { kind: 'types', reason: `its card is none: ${problems.join('; ')}` };
  const dialects = spokenDialects.filter((dialect) => selectInterface(card, dialect) !== undefined);
  if (dialects.length === 0) return { kind: 'no-interface', reason: noInterface(card) };
  return { kind: 'card', card, dialects };
}

function noInterface(card: CardView): string {
  const offers = [...card.interfaces, ...card.legacyInterfaces].map(({ rawBinding, rawVersion }) =>
    printable(`${rawBinding ?? 'no binding'} ${rawVersion ?? 'no version'}`),
  );
  const spoken = spokenDialects.map(({ binding, version }) => `${binding} ${version}`).join(', ');
  return `its card offers no interface that Plugfest speaks (${spoken}); it offers ${offers.join(', ') || 'none'}`;
}
