import type { Binding, Level, ProtocolVersion } from '@plugfest/model';

/** A requirement of the specification as the catalogue lists it, whether a rule judges it or not. */
export interface CatalogueRow {
  readonly id: string;
  /** The RFC 2119 word, `†` where it follows from schema or example, `‡` where only a topic page says it. */
  readonly level: string;
  /** `all`, `0.x`, or versions and inclusive ranges with commas between. */
  readonly versions: string;
  /** `all`, or letters: J JSON-RPC, R HTTP+JSON, G gRPC, W webhook, H card; or a word. */
  readonly bindings: string;
  readonly who: string;
  /** P: a log suffices; A: needs active probing; B: works both ways. */
  readonly mode: 'P' | 'A' | 'B';
  readonly condition: string;
  readonly spec: string;
}

const everyVersion: readonly ProtocolVersion[] = ['0.1', '0.2', '0.3', '1.0'];

/** The dialects that a row speaks of. A patch release counts as its minor. */
export function versionsOf({ versions }: CatalogueRow): readonly ProtocolVersion[] {
  const minor = (text: string): number =>
    everyVersion.findIndex((version) => text === version || text.startsWith(`${version}.`));
  const named = versions.split(',').flatMap((range) => {
    if (range === 'all') return everyVersion;
    if (range === '0.x') return everyVersion.slice(0, 3);
    const [first, last = first] = range.split('-');
    return everyVersion.slice(minor(first ?? ''), minor(last ?? '') + 1);
  });
  return everyVersion.filter((version) => named.includes(version));
}

const bindingOfLetter: Readonly<Record<string, Binding>> = { J: 'JSONRPC', R: 'HTTP+JSON', G: 'GRPC' };

/** The bindings of operations that a row speaks of; none where it is about cards or webhooks alone. */
export function bindingsOf({ bindings }: CatalogueRow): readonly Binding[] {
  const letters = bindings === 'all' ? ['J', 'R', 'G'] : bindings.split(',');
  return letters.flatMap((letter) => bindingOfLetter[letter] ?? []);
}

/** The level that a rule for this row has. What is not forbidden or asked for is information. */
export function levelOf({ level }: CatalogueRow): Level {
  const word = level.replace(/ NOT|[†‡]/g, '');
  return word === 'MUST' || word === 'SHOULD' ? word : 'INFO';
}
