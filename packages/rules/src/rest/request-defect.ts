import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { isOurs } from '../json/member-owners.ts';
import { memberBreaches, typedRoots } from '../json/typed-roots.ts';
import { onceForEach } from '../last-exchange.ts';
import { inputsInQuery, isBodiless } from './query-parameters.ts';
import { fitsQuery } from './query-values.ts';

/** What makes an HTTP+JSON request unusable. */
export interface RequestDefect {
  /** `syntax`: no JSON; `type`: JSON of another type; `query`: a value that cannot be read; `label`: labelled as no JSON. */
  readonly kind: 'syntax' | 'type' | 'query' | 'label';
  readonly text: string;
}

/** The first defect of a call of 1.0 that its server notices when it reads the request; undefined where there is none. */
export const requestDefect = onceForEach((exchange): RequestDefect | undefined => {
  const { operation, captured } = exchange;
  if (operation === undefined) return undefined;
  if (captured.request.method === 'POST') return bodyDefect(exchange);
  return isBodiless(exchange) ? queryDefect(exchange) : undefined;
});

function bodyDefect(exchange: DecodedExchange): RequestDefect | undefined {
  const { json, mediaType } = exchange.request;
  // What a body without JSON's label holds is nobody's concern: the label comes first.
  if (
    json.state !== 'absent' &&
    mediaType !== '' &&
    !/^application\/(?:[\w.-]{1,60}\+)?json$/.test(mediaType)
  )
    return { kind: 'label', text: `its body is labelled ${mediaType.slice(0, 80)}` };
  if (json.state === 'invalid') return { kind: 'syntax', text: 'its body is no JSON' };
  if (json.state !== 'ok') return undefined;
  // A cancel may come without a body, for which some clients write `null` (CANC-008).
  if (!isJsonObject(json.value) && json.value !== null)
    return { kind: 'type', text: 'its body is no JSON object' };
  for (const root of typedRoots(exchange)) {
    if (root.side !== 'request') continue;
    const [wrong] = memberBreaches(exchange, root, 'type').filter((each) => isOurs(exchange, each));
    if (wrong !== undefined) return { kind: 'type', text: `the member ${wrong.member} has another type` };
  }
  return undefined;
}

function queryDefect(exchange: DecodedExchange): RequestDefect | undefined {
  const wrong = inputsInQuery(exchange).find(
    // Unknown states are for LIST-018.
    ({ type, value }) => type !== 'state' && value !== '' && !fitsQuery(type, value),
  );
  return wrong && { kind: 'query', text: `the query parameter ${wrong.name} is no ${wrong.type}` };
}
