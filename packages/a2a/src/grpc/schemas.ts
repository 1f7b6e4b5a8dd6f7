import type { DescMessage, DescMethod } from '@bufbuild/protobuf';
import type { ProtocolVersion } from '@plugfest/model';
import * as v03 from './generated/a2a/v1/a2a_pb.ts';
import * as v10 from './generated/lf/a2a/v1/a2a_pb.ts';

const services = [v10.A2AService, v03.A2AService] as const;

const methods: ReadonlyMap<string, DescMethod> = new Map(
  services.flatMap((service) =>
    service.methods.map((method) => [`/${service.typeName}/${method.name}`, method] as const),
  ),
);

/** The RPC that a path names, with the messages that it takes and gives; undefined for any other path. */
export function rpcOf(path: string): DescMethod | undefined {
  return methods.get(path);
}

const messages: ReadonlyMap<string, DescMessage> = new Map(
  [v10.file_lf_a2a_v1_a2a, v03.file_a2a_v1_a2a].flatMap((file) =>
    file.messages.map((message) => [message.typeName, message] as const),
  ),
);

/** A message of either package by its full name. */
export function messageOf(name: string): DescMessage | undefined {
  return messages.get(name);
}

/** The same message in the other package, where it has one of that name. */
export function counterpart(type: DescMessage): DescMessage | undefined {
  const other = type.file.proto.package === 'lf.a2a.v1' ? v03.file_a2a_v1_a2a : v10.file_lf_a2a_v1_a2a;
  const name = renamed[type.name] ?? type.name;
  return other.messages.find((message) => message.name === name);
}

/** Messages that 1.0 gave another name. */
const renamed: Readonly<Record<string, string>> = {
  SubscribeToTaskRequest: 'TaskSubscriptionRequest',
  TaskSubscriptionRequest: 'SubscribeToTaskRequest',
  GetExtendedAgentCardRequest: 'GetAgentCardRequest',
  GetAgentCardRequest: 'GetExtendedAgentCardRequest',
  SecurityRequirement: 'Security',
  Security: 'SecurityRequirement',
};

const packages: ReadonlyMap<string, ProtocolVersion> = new Map([
  ['lf.a2a.v1', '1.0'],
  ['a2a.v1', '0.3'],
]);

/** The version whose messages a package holds. */
export function versionOfPackage(name: string): ProtocolVersion | undefined {
  return packages.get(name);
}
