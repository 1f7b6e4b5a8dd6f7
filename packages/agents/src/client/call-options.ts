import { type RequestOptions, ServiceParameters, withA2AExtensions } from '@a2a-js/sdk/client';
import type { Principals } from '../principals.ts';
import { InvalidCall, type Members, optionalText, optionalTexts } from './members.ts';

/** What goes with every call of a drive: as whom, and which extensions are asked for. */
export function callOptions(drive: Members, principals: Principals, signal: AbortSignal): RequestOptions {
  const as = optionalText(drive, 'as');
  const extensions = optionalTexts(drive, 'extensions') ?? [];
  const updates = [
    ...(as === undefined ? [] : [withBearer(as, principals)]),
    ...(extensions.length > 0 ? [withA2AExtensions(...extensions)] : []),
  ];
  return updates.length > 0
    ? { signal, serviceParameters: ServiceParameters.create(...updates) }
    : { signal };
}

/** Service parameters are headers over HTTP and metadata over gRPC. */
function withBearer(name: string, { tokens }: Principals) {
  const token = tokens.get(name);
  if (token === undefined) throw new InvalidCall(`as ${name}: not a principal of LAB_AGENT_TOKENS`);
  return (parameters: ServiceParameters) => {
    parameters.Authorization = `Bearer ${token}`;
  };
}
