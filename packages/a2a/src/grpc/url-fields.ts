import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { Side } from '@plugfest/model';
import { rpcOf } from './schemas.ts';

/** Where the URLs of agents and webhooks stand in a message, by the numbers of its fields. */
export interface UrlFields {
  /** Full name of the message. */
  readonly message: string;
  /** A URL that says where an interface is served, or where a webhook is. */
  readonly url: number | undefined;
  /** What tells the binding that is served there. */
  readonly binding: number | undefined;
  /** Signatures, which cover the URLs. */
  readonly signatures: number | undefined;
  /** Fields whose messages hold such URLs. */
  readonly children: ReadonlyMap<number, UrlChild>;
}

export interface UrlChild {
  /** Its name in ProtoJSON. */
  readonly name: string;
  readonly repeated: boolean;
  readonly fields: UrlFields;
}

/** Messages with a URL of that kind; others have `url` fields for people, or for third parties. */
const withUrl: Readonly<Record<string, 'card' | 'push-config'>> = {
  'lf.a2a.v1.AgentInterface': 'card',
  'a2a.v1.AgentInterface': 'card',
  'a2a.v1.AgentCard': 'card',
  'lf.a2a.v1.TaskPushNotificationConfig': 'push-config',
  'a2a.v1.PushNotificationConfig': 'push-config',
};
const bindingNames = new Set(['protocol_binding', 'transport', 'preferred_transport']);

/** `seen` ends the descent into messages that hold themselves. */
function fieldsOf(type: DescMessage, what: string, seen: readonly DescMessage[]): UrlFields | undefined {
  if (seen.includes(type) || type.typeName.startsWith('google.')) return undefined;
  const named = (test: (field: DescField) => boolean): number | undefined => type.fields.find(test)?.number;
  const children = new Map<number, UrlChild>();
  for (const field of type.fields) {
    const inner = field.fieldKind === 'message' || field.fieldKind === 'list' ? field.message : undefined;
    const found = inner && fieldsOf(inner, what, [...seen, type]);
    if (found === undefined) continue;
    children.set(field.number, {
      name: field.jsonName,
      repeated: field.fieldKind === 'list',
      fields: found,
    });
  }
  const own = withUrl[type.typeName] === what;
  if (!own && children.size === 0) return undefined;
  return {
    message: type.typeName,
    url: own ? named(({ name }) => name === 'url') : undefined,
    binding: own ? named(({ name }) => bindingNames.has(name)) : undefined,
    signatures: type.name === 'AgentCard' ? named(({ name }) => name === 'signatures') : undefined,
    children,
  };
}

export interface UrlMessage {
  readonly what: 'card' | 'push-config';
  readonly fields: UrlFields;
}

const known = new Map<string, UrlMessage | undefined>();

/**
 * The URLs of agents or webhooks in the messages that an RPC of A2A takes or gives. Undefined for paths of no such RPC,
 * and for messages without them.
 */
export function grpcUrlFields(path: string, side: Side): UrlMessage | undefined {
  const rpc = rpcOf(path);
  if (rpc === undefined) return undefined;
  const key = `${side} ${path}`;
  if (!known.has(key)) {
    const type = side === 'request' ? rpc.input : rpc.output;
    const found = (['card', 'push-config'] as const).flatMap((what) => {
      const fields = fieldsOf(type, what, []);
      return fields === undefined ? [] : [{ what, fields }];
    });
    known.set(key, found[0]);
  }
  return known.get(key);
}
