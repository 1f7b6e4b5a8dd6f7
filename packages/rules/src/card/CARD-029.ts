import type { CardInterface, CardView } from '@plugfest/a2a';
import type { Operation, ProtocolVersion } from '@plugfest/model';
import type { CardSighting, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { majorMinor } from '../major-minor.ts';
import { inShownCard } from '../sign/checked-signatures.ts';

const older = ['0.1', '0.2', '0.3'] as const;
const operations: readonly Operation[] = ['SendMessage', 'SendStreamingMessage', 'GetTask', 'CancelTask'];

/** Older versions in which the agent served calls. */
const servedVersions = ({ exchange }: CardSighting, conversation: Conversation): readonly ProtocolVersion[] =>
  older.filter((version) =>
    operations.some((operation) => conversation.servedOn(exchange.edge.callee, version, operation).size > 0),
  );

const all = ({ interfaces, legacyInterfaces }: CardView): readonly CardInterface[] => [
  ...interfaces,
  ...legacyInterfaces,
];

/** 0.2 and 0.3 look the same on the wire, so that either declares both. */
function isListed(card: CardView, version: ProtocolVersion): boolean {
  return all(card).some(
    (entry) =>
      entry.version === version ||
      (version !== '0.1' && (entry.version === '0.2' || entry.version === '0.3')),
  );
}

/** Interfaces of a newer minor beside which an older one of the same major, binding and URL is listed. */
function supersededIn({
  interfaces,
}: CardView): readonly { readonly entry: CardInterface; readonly newer: string }[] {
  return interfaces.flatMap((entry) => {
    const own = majorMinor(entry.rawVersion);
    if (own === undefined || own.startsWith('0.')) return [];
    const [major, minor] = own.split('.');
    const newer = interfaces
      .filter(
        ({ url, binding, tenant }) =>
          url === entry.url && binding === entry.binding && tenant === entry.tenant,
      )
      .map(({ rawVersion }) => majorMinor(rawVersion) ?? '')
      .find((version) => version.startsWith(`${major}.`) && Number(version.split('.')[1]) > Number(minor));
    return newer === undefined ? [] : [{ entry, newer }];
  });
}

const endpoint = { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC' };
const listing = (...versions: readonly string[]) =>
  getCard(
    v1.card({ supportedInterfaces: versions.map((protocolVersion) => ({ ...endpoint, protocolVersion })) }),
  );
const get03 = rpc({
  version: '0.3',
  method: 'tasks/get',
  params: { id: 'task-1' },
  result: v03.task('working'),
});

export default defineRule({
  id: 'CARD-029',
  level: 'SHOULD',
  party: 'server',
  summary:
    'The card lists the newest minor of each major version that the agent speaks, and every 0.x by itself.',
  spec: { '1.0': '4.4.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'shown-card',
  messages: {
    unlisted: 'The agent served calls of {version}, which its card does not list',
    superseded: 'The card lists {version} at {url}, where it also lists {newer}',
  },
  why: 'Clients of an older version find no interface that they speak, though the agent would serve them.',
  fix: 'Add an interface for each 0.x that is served, and for every other major version one with its newest minor.',
  examples: {
    good: [
      [listing('1.0', '0.3'), get03],
      [listing('1.1', '0.3'), get03],
    ],
    skip: [[getCard(v1.card())], [getCard(v03.card()), get03]],
    bad: [
      { example: [listing('1.0'), get03], messages: ['unlisted'] },
      { example: [listing('1.1', '1.0', '0.3'), get03], messages: ['superseded'] },
    ],
  },
  when: (sighting, { conversation }) =>
    !sighting.extended &&
    (servedVersions(sighting, conversation).length > 0 || supersededIn(sighting.card).length > 0),
  check: (sighting, { conversation, report }) => {
    for (const version of servedVersions(sighting, conversation)) {
      // Another card may be there for older clients, chosen by `A2A-Version`.
      const cards = conversation.cards(sighting.exchange.edge.callee);
      if (cards.some(({ card }) => isListed(card, version))) continue;
      report('unlisted', {
        data: { version },
        at: inShownCard(sighting, '/supportedInterfaces'),
        expected: `an interface with protocolVersion ${version}`,
      });
    }
    for (const { entry, newer } of supersededIn(sighting.card))
      report('superseded', {
        data: { version: entry.rawVersion, url: entry.url, newer },
        at: inShownCard(sighting, `${entry.pointer}/protocolVersion`),
        expected: newer,
        actual: entry.rawVersion,
      });
  },
});
