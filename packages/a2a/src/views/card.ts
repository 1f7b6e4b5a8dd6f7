import {
  type Binding,
  isJsonObject,
  type Json,
  type JsonObject,
  type ProtocolVersion,
} from '@plugfest/model';
import type { CardInterface, CardView } from '../decoded.ts';
import { versionOf } from '../version.ts';
import { list, object, text } from './members.ts';

/** What may say something about a card's version besides the card itself. */
export interface CardHints {
  /** Path it was fetched from. */
  readonly path?: string;
  /** It answered an extended-card operation. */
  readonly extended?: boolean;
  /** Version of the call that it answered. */
  readonly version?: ProtocolVersion;
}

const bindings: ReadonlyMap<string, Binding> = new Map([
  ['JSONRPC', 'JSONRPC'],
  ['HTTP+JSON', 'HTTP+JSON'],
  ['GRPC', 'GRPC'],
]);

/** A binding by its name in a card; letter case is for rules to judge. Undefined for custom bindings. */
export function bindingOf(name: unknown): Binding | undefined {
  return typeof name === 'string' ? bindings.get(name.toUpperCase()) : undefined;
}

/** The version of a card's shape (the table in A2A 1.0 appendix A and the older schemas). */
export function cardVersion(card: JsonObject, hints: CardHints = {}): ProtocolVersion {
  if ('supportedInterfaces' in card || 'supported_interfaces' in card) return '1.0';
  const declared = versionOf(text(card, 'protocolVersion'));
  if (declared !== undefined) return declared;
  if ('signatures' in card) return '0.3';
  if (isJsonObject(card.authentication)) return '0.1';
  if (hints.version !== undefined) return hints.version;
  // 0.3 renamed the well-known file; 0.2 and 0.1 cards without the member above cannot be told apart.
  return hints.path?.endsWith('agent-card.json') === true ? '0.3' : '0.2';
}

/** True for an object that is some agent's card: it names itself and says where or what it can do. */
export function looksLikeCard(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  if ('supportedInterfaces' in value) return true;
  return (
    'name' in value &&
    ('skills' in value || 'capabilities' in value) &&
    ('url' in value || 'version' in value)
  );
}

function modernInterface(entry: Json, index: number): CardInterface[] {
  if (!isJsonObject(entry)) return [];
  const rawVersion = entry.protocolVersion;
  return [
    {
      url: text(entry, 'url'),
      binding: bindingOf(entry.protocolBinding),
      rawBinding: entry.protocolBinding,
      version: versionOf(typeof rawVersion === 'string' ? rawVersion : undefined),
      rawVersion,
      tenant: text(entry, 'tenant'),
      pointer: `/supportedInterfaces/${index}`,
    },
  ];
}

/** Interfaces as 0.x cards give them: the main `url`, then `additionalInterfaces`. */
function legacyInterfaces(card: JsonObject, version: ProtocolVersion): readonly CardInterface[] {
  const entries: CardInterface[] = [];
  const rawVersion = card.protocolVersion;
  if ('url' in card) {
    const preferred = card.preferredTransport;
    entries.push({
      url: text(card, 'url'),
      binding: preferred === undefined ? 'JSONRPC' : bindingOf(preferred),
      rawBinding: preferred,
      version,
      rawVersion,
      tenant: undefined,
      pointer: '',
    });
  }
  list(card, 'additionalInterfaces')?.forEach((entry, index) => {
    if (!isJsonObject(entry)) return;
    entries.push({
      url: text(entry, 'url'),
      binding: bindingOf(entry.transport),
      rawBinding: entry.transport,
      version,
      rawVersion,
      tenant: undefined,
      pointer: `/additionalInterfaces/${index}`,
    });
  });
  return entries;
}

const none: readonly CardInterface[] = [];

/** A card of any version. A 1.0 card may carry the 0.3 members too: they are its `legacyInterfaces`. */
export function cardView(card: JsonObject, hints: CardHints = {}): CardView {
  const version = cardVersion(card, hints);
  const capabilities = object(card, 'capabilities');
  const modern = version === '1.0';
  const declared = versionOf(text(card, 'protocolVersion'));
  const legacyVersion = declared === undefined || declared === '1.0' ? '0.3' : declared;
  return {
    version,
    name: text(card, 'name'),
    interfaces: modern
      ? (list(card, 'supportedInterfaces')?.flatMap(modernInterface) ?? none)
      : legacyInterfaces(card, version),
    legacyInterfaces: modern ? legacyInterfaces(card, legacyVersion) : none,
    streaming: capabilities?.streaming === true,
    pushNotifications: capabilities?.pushNotifications === true,
    requiredExtensions: extensionsIn(capabilities, true),
    offeredExtensions: extensionsIn(capabilities, false),
    extendedCard: modern
      ? capabilities?.extendedAgentCard === true
      : card.supportsAuthenticatedExtendedCard === true,
    extended: hints.extended === true,
    value: card,
  };
}

function extensionsIn(capabilities: JsonObject | undefined, required: boolean): readonly string[] {
  const extensions = Array.isArray(capabilities?.extensions) ? capabilities.extensions : [];
  return extensions.flatMap((extension) =>
    isJsonObject(extension) && (extension.required === true) === required && typeof extension.uri === 'string'
      ? [extension.uri]
      : [],
  );
}
