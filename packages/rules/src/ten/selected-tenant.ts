import { type CardInterface, type DecodedExchange, percentDecode } from '@plugfest/a2a';
import { type FindingLocation, isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { v1 } from '@plugfest/verifier/examples';
import { calledInterfacesSeen } from '../called-interface.ts';
import { onceForShared } from '../last-exchange.ts';
import { isUnread } from '../unread-body.ts';

/**
 * The tenants of the interfaces that a call may mean, by the cards that its client has seen; `undefined` stands for
 * an interface without one. Empty where no card declares where it goes.
 */
export const declaredTenants = (
  exchange: DecodedExchange,
  conversation: Conversation,
): ReadonlySet<string | undefined> => tenantsOf(calledInterfacesSeen(exchange, conversation));

const tenantsOf = onceForShared(
  (entries: readonly CardInterface[]): ReadonlySet<string | undefined> =>
    // Tenants came with 1.0.
    new Set(entries.filter((entry) => entry.version === '1.0').map(({ tenant }) => tenant || undefined)),
);

/** Every interface that the call may mean has a tenant. */
export const demandsTenant = (tenants: ReadonlySet<string | undefined>): boolean =>
  tenants.size > 0 && !tenants.has(undefined);

/** The request's message was cut off or not decoded, so that a tenant in it would not have been seen. */
export function isTenantUnseen({ request, dialect }: DecodedExchange): boolean {
  if (isUnread(request.json.state)) return true;
  return dialect?.binding === 'GRPC' && request.params === undefined && request.json.state !== 'absent';
}

/** One of the tenants, changed in a way in which software changes texts: case, white space, encoding. */
export function isAltered(found: string, tenants: Iterable<string | undefined>): boolean {
  const plain = (text: string): string => percentDecode(text).normalize('NFC').trim().toLowerCase();
  for (const tenant of tenants) if (tenant !== undefined && plain(found) === plain(tenant)) return true;
  return false;
}

/** A place of the request that holds a declared tenant, though the binding has no tenant there. */
export interface StrayTenant {
  /** In words, for the message. */
  readonly place: string;
  readonly at: Pick<FindingLocation, 'header' | 'pointer'>;
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
        at: { pointer: `${pointer}/${name}` },
      };
  return undefined;
}

const memberOf = (owner: Json | undefined, name: string): Json | undefined =>
  isJsonObject(owner) ? owner[name] : undefined;

/** Where the tenant of a request went that has none where it belongs; undefined where it names none at all. */
export function strayTenant(
  { captured, request, dialect }: DecodedExchange,
  tenants: ReadonlySet<string | undefined>,
): StrayTenant | undefined {
  const { headers } = captured.request;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (tenantName.test(name) && tenants.has(headers[i + 1]?.trim()))
      return { place: `the header \`${name}\``, at: { header: name } };
  }
  const inQuery = request.query.find(([name, value]) => tenantName.test(name) && tenants.has(value));
  if (inQuery !== undefined) return { place: `the query parameter \`${inQuery[0]}\``, at: {} };
  const body = request.json.value;
  const isRpc = dialect?.binding === 'JSONRPC';
  const params = isRpc ? memberOf(body, 'params') : body;
  const root = isRpc ? '/params' : '';
  const owners: readonly (readonly [Json | undefined, string])[] = [
    [body, ''],
    [params, root],
    [memberOf(params, 'message'), `${root}/message`],
    [memberOf(params, 'configuration'), `${root}/configuration`],
  ];
  for (const [owner, pointer] of owners) {
    if (!isJsonObject(owner)) continue;
    const stray = strayMember(owner, pointer, tenants);
    if (stray !== undefined) return stray;
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

const endpoint = { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };

/** A card with two agents, or one of them twice, behind one URL. */
export const twoTenantsCard = v1.card({
  supportedInterfaces: [
    { ...endpoint, tenant: 'acme' },
    { ...endpoint, tenant: 'globex' },
  ],
});
export const oneTenantCard = v1.card({ supportedInterfaces: [{ ...endpoint, tenant: 'acme' }, endpoint] });
