import type { DecodedExchange } from '@plugfest/a2a';
import type { Operation } from '@plugfest/model';
import { onceForEach } from '../last-exchange.ts';

export type ParameterType = 'string' | 'boolean' | 'number' | 'state' | 'time';

const tenant = { tenant: 'string' } as const;

/** Inputs of the calls without body that may stand in the query (section 11.5 and the request messages of the proto). */
const parameters: Readonly<Partial<Record<Operation, Readonly<Record<string, ParameterType>>>>> = {
  GetTask: { ...tenant, historyLength: 'number' },
  ListTasks: {
    ...tenant,
    contextId: 'string',
    status: 'state',
    pageSize: 'number',
    pageToken: 'string',
    historyLength: 'number',
    statusTimestampAfter: 'time',
    includeArtifacts: 'boolean',
  },
  SubscribeToTask: tenant,
  GetTaskPushNotificationConfig: tenant,
  ListTaskPushNotificationConfigs: { ...tenant, pageSize: 'number', pageToken: 'string' },
  DeleteTaskPushNotificationConfig: tenant,
  GetExtendedAgentCard: tenant,
};

/** True for the HTTP+JSON calls whose inputs travel in path and query only. */
export function isBodiless({ operation, captured }: DecodedExchange): boolean {
  const { method } = captured.request;
  return operation !== undefined && (method === 'GET' || method === 'DELETE');
}

/** Letters only, in lower case: what is left when spelling does not count. */
const plain = (name: string): string => name.replace(/[^A-Za-z]/g, '').toLowerCase();

/** The parameter of an operation that a query name stands for, however it is spelled. */
function meantParameter(
  operation: Operation | undefined,
  name: string,
): { readonly name: string; readonly type: ParameterType } | undefined {
  const known = operation && parameters[operation];
  if (known === undefined || name.length > 64) return undefined;
  const wanted = plain(name);
  const found = Object.entries(known).find(([each]) => plain(each) === wanted);
  return found && { name: found[0], type: found[1] };
}

interface QueryInput {
  readonly written: string;
  readonly value: string;
  readonly name: string;
  readonly type: ParameterType;
}

/** Query parameters that are inputs of the operation, with what they stand for. */
export const inputsInQuery = onceForEach(({ operation, request }): readonly QueryInput[] =>
  request.query.flatMap(([written, value]) => {
    const meant = meantParameter(operation, written);
    return meant === undefined ? [] : [{ written, value, ...meant }];
  }),
);
