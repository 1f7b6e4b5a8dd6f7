import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { owned } from './owned.ts';

/** The tenant that a request names; undefined where it names none. The empty text counts as none (proto3). */
export function requestTenant({ request }: DecodedExchange): string | undefined {
  const { params } = request;
  if (!isJsonObject(params)) return undefined;
  const { tenant } = params;
  return typeof tenant === 'string' && tenant !== '' ? tenant : undefined;
}

/** The tenants under which agents first showed their tasks. Tasks of requests without tenant are not listed. */
export class Tenants {
  readonly #tenants = new Map<string, string>();

  of(agent: string, taskId: string): string | undefined {
    return this.#tenants.get(owned(agent, taskId));
  }

  add(agent: string, taskId: string, tenant: string): void {
    const key = owned(agent, taskId);
    if (!this.#tenants.has(key)) this.#tenants.set(key, tenant);
  }
}
