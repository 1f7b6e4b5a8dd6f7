import type { DecodedExchange } from '@plugfest/a2a';
import { type Field, protocolSchemas, type SchemaBreach, schemaBreaches } from '@plugfest/a2a/schemas';
import type { FindingLocation, Json, JsonObject } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { onceForEach } from '../last-exchange.ts';
import { documentsOf } from './documents.ts';

/** A protocol object that is not part of another one, with the definition that it has to meet. */
export interface TypedRoot {
  readonly side: 'request' | 'response';
  readonly event: number | undefined;
  readonly definition: string;
  readonly value: JsonObject;
  readonly pointer: string;
}

const none: readonly TypedRoot[] = [];

/** The outermost protocol objects of an exchange, with those of requests and cards also before 1.0. */
export const typedRoots = onceForEach((exchange): readonly TypedRoot[] => {
  const { dialect, kind } = exchange;
  if (dialect === undefined) return none;
  // HTTP+JSON of 0.3 has two live forms (JSON-033), one of which is no form of this schema.
  const isLegacy = dialect.version !== '1.0';
  if (isLegacy && kind === 'operation' && dialect.binding !== 'JSONRPC') return none;
  const roots: TypedRoot[] = [];
  const params = isLegacy && kind === 'operation' ? legacyParams(exchange) : undefined;
  if (params !== undefined) roots.push(params);
  for (const { side, event, objects } of documentsOf(exchange).all) {
    const [root] = objects;
    if (root === undefined || (params !== undefined && side === 'request')) continue;
    roots.push({ side, event, definition: root.type, value: root.value, pointer: root.pointer });
  }
  if (isLegacy)
    for (const payload of exchange.payloads)
      if (payload.kind === 'card') {
        const { side, event, pointer, card } = payload;
        roots.push({ side, event, definition: 'AgentCard', value: card.value, pointer });
      }
  return roots;
});

function legacyParams({ dialect, wireMethod, request }: DecodedExchange): TypedRoot | undefined {
  if (dialect === undefined || wireMethod === undefined || !isJsonObject(request.params)) return undefined;
  const { methods } = protocolSchemas[dialect.version];
  const definition = Object.hasOwn(methods, wireMethod) ? methods[wireMethod]?.params : undefined;
  return definition === undefined
    ? undefined
    : { side: 'request', event: undefined, definition, value: request.params, pointer: request.pointer };
}

/** A breach with the member that it is about. */
export interface MemberBreach {
  readonly breach: SchemaBreach;
  readonly type: string;
  readonly member: string;
  readonly field: Field;
  readonly found: Json;
}

const noBreaches: readonly MemberBreach[] = [];

/** What the roots of an exchange break; undefined where all are well. */
const breachesOf = onceForEach((exchange): ReadonlyMap<TypedRoot, readonly MemberBreach[]> | undefined => {
  const version = exchange.dialect?.version;
  if (version === undefined) return undefined;
  let found: Map<TypedRoot, readonly MemberBreach[]> | undefined;
  for (const root of typedRoots(exchange)) {
    const breaches = schemaBreaches(version, root.definition, root.value);
    if (breaches.length === 0) continue;
    found ??= new Map();
    found.set(
      root,
      breaches.flatMap((breach) => placed(version, root, breach) ?? []),
    );
  }
  return found;
});

/** The breaches of one keyword in a root; a member is named once, however often it breaks. */
export function memberBreaches(
  exchange: DecodedExchange,
  root: TypedRoot,
  keyword: 'type' | 'required',
): readonly MemberBreach[] {
  const all = breachesOf(exchange)?.get(root);
  if (all === undefined || all.length === 0) return noBreaches;
  const seen = new Set<string>();
  return all.filter(({ breach, type, member }) => {
    const name = `${type}.${member}`;
    if (breach.keyword !== keyword || seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** Which member of which type a pointer leads to. */
function placed(
  version: keyof typeof protocolSchemas,
  root: TypedRoot,
  breach: SchemaBreach,
): MemberBreach | undefined {
  const { types } = protocolSchemas[version];
  let type = root.definition;
  let place: { type: string; member: string; field: Field } | undefined;
  let found: Json | undefined = root.value;
  let inside = false;
  for (const token of breach.pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    found = Array.isArray(found) ? found[Number(name)] : isJsonObject(found) ? found[name] : undefined;
    if (inside) {
      // An entry of a list or map.
      inside = false;
      continue;
    }
    const field = types.get(type)?.get(name);
    // What lies inside of a free-form member has no name of ours: the breach is the member's.
    if (field === undefined) break;
    place = { type, member: name, field };
    type = field.type;
    inside = field.shape !== 'one';
  }
  if (breach.keyword === 'required' && breach.expected !== undefined) {
    const field = types.get(type)?.get(breach.expected);
    return field && { breach, type, member: breach.expected, field, found: null };
  }
  return place && found !== undefined ? { breach, ...place, found } : undefined;
}

export function placeOf({ side, event, pointer }: TypedRoot, breach: SchemaBreach): FindingLocation {
  return { side, ...(event === undefined ? {} : { event }), pointer: pointer + breach.pointer };
}
