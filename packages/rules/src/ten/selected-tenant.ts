import { type DecodedExchange, percentDecode } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { v1 } from '@plugfest/verifier/examples';
import { goesTo } from '../called-interface.ts';
import { interfacesSeenByCaller } from '../seen-by-caller.ts';
import { isUnread } from '../unread-body.ts';

const known = new WeakMap<DecodedExchange, ReadonlySet<string | undefined>>();

/**
 * The tenants of the interfaces that a call may mean, by the cards that its client has seen; `undefined` stands for
 * an interface without one. Empty where no card declares where it goes.
 */
export function declaredTenants(
  exchange: DecodedExchange,
  conversation: Conversation,
): ReadonlySet<string | undefined> {
  const before = known.get(exchange);
  if (before !== undefined) return before;
  const { dialect } = exchange;
  const tenants = new Set<string | undefined>();
  for (const entry of interfacesSeenByCaller(exchange, conversation))
    if (goesTo(exchange, entry) && (entry.version ?? '0.3') === dialect?.version)
      tenants.add(entry.tenant === '' ? undefined : entry.tenant);
  known.set(exchange, tenants);
  return tenants;
}

/** Every interface that the call may mean has a tenant. */
export const demandsTenant = (tenants: ReadonlySet<string | undefined>): boolean =>
  tenants.size > 0 && !tenants.has(undefined);

/** The request's message was cut off or not decoded, so that a tenant in it would not have been seen. */
export function isTenantUnseen({ request, dialect }: DecodedExchange): boolean {
  if (isUnread(request.json.state)) return true;
  return dialect?.binding === 'GRPC' && request.params === undefined && request.json.state !== 'absent';
}

/** The same tenant, changed in a way in which software changes texts: case, white space, encoding. */
export function isAltered(found: string, tenants: Iterable<string | undefined>): boolean {
  const plain = (text: string): string => percentDecode(text).normalize('NFC').trim().toLowerCase();
  for (const tenant of tenants)
    if (tenant !== undefined && found !== tenant && plain(found) === plain(tenant)) return true;
  return false;
}

/** A place of the request that holds a declared tenant, though the binding has no tenant there. */
export interface StrayTenant {
  /** In words, for the message. */
  readonly place: string;
  readonly header?: string;
  readonly pointer?: string;
}

const tenantName = /^(?:x-)?(?:a2a-)?tenant(?:[-_]?id)?$/i;

function strayMember(
  owner: JsonObject,
  pointer: string,
  tenants: ReadonlySet<string | undefined>,
): StrayTenant | undefined {
  for (const [name, value] of Object.entries(owner))
    if (tenantName.test(name) && typeof value === 'string' && tenants.has(value))
      return {
        place: `the member \`${pointer.slice(1).replaceAll('/', '.')}${pointer === '' ? '' : '.'}${name}\``,
        pointer: `${pointer}/${name}`,
      };
  return undefined;
}

const memberOf = (owner: Json | undefined, name: string): Json | undefined =>
  isJsonObject(owner) ? owner[name] : undefined;

/** Where a tenant went instead of where it belongs; undefined where the request names it nowhere. */
export function strayTenant(
  { captured, request, dialect }: DecodedExchange,
  tenants: ReadonlySet<string | undefined>,
): StrayTenant | undefined {
  const { headers } = captured.request;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (tenantName.test(name) && tenants.has(headers[i + 1]?.trim()))
      return { place: `the header \`${name}\``, header: name };
  }
  const inQuery = request.query.find(([name, value]) => tenantName.test(name) && tenants.has(value));
  if (inQuery !== undefined && (dialect?.binding !== 'HTTP+JSON' || inQuery[0] !== 'tenant'))
    return { place: `the query parameter \`${inQuery[0]}\`` };
  const body = request.json.value;
  const params = dialect?.binding === 'JSONRPC' ? memberOf(body, 'params') : body;
  const root = dialect?.binding === 'JSONRPC' ? '/params' : '';
  const owners: readonly (readonly [Json | undefined, string])[] = [
    ...(dialect?.binding === 'JSONRPC' ? ([[body, '']] as const) : []),
    [params, root],
    [memberOf(params, 'message'), `${root}/message`],
    [memberOf(params, 'configuration'), `${root}/configuration`],
  ];
  for (const [owner, pointer] of owners) {
    if (!isJsonObject(owner)) continue;
    const stray = strayMember(owner, pointer, tenants);
    if (stray !== undefined && stray.pointer !== `${root}/tenant`) return stray;
  }
  return undefined;
}

/** A card whose interfaces have a tenant. */
export const tenantCard = (tenant = 'acme') =>
  v1.card({
    supportedInterfaces: [
      { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant },
      { url: 'https://agent.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant },
    ],
  });
