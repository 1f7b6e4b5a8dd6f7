import { canonical, signed, signedCard } from '../episodes/extras.ts';
import { client, gateway, type Mutation, server } from '../mutation.ts';
import type { Session } from '../session.ts';

const signature = 'response/body/signatures/0';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Signs the card anew, with another header or over another text. */
const resign =
  (header: Parameters<typeof signed>[1], payload?: string) =>
  (session: Session): void =>
    session.set('signedCard', 'response/body', signed(signedCard, header, payload));

const mutations: readonly Mutation[] = [
  server(
    'SIGN-001',
    'a signature lacks its header',
    (session) => session.drop('signedCard', `${signature}/protected`),
    {
      versions: ['1.0'],
    },
  ),
  server(
    'SIGN-002',
    'the header of a signature is no base64url',
    (session) => session.set('signedCard', `${signature}/protected`, 'no base64url!'),
    { versions: ['1.0'] },
  ),
  server('SIGN-003', 'the header of a signature names no algorithm', (session) =>
    session.set(
      'signedCard',
      `${signature}/protected`,
      base64url({ typ: 'JOSE', kid: 'key-1', jku: 'https://keys.example/jwks.json' }),
    ),
  ),
  server('SIGN-004', 'the header of a signature names no key', (session) =>
    session.set(
      'signedCard',
      `${signature}/protected`,
      base64url({ alg: 'EdDSA', typ: 'JOSE', jku: 'https://keys.example/jwks.json' }),
    ),
  ),
  server('SIGN-005', 'the header of a signature says another type', resign({ typ: 'JWT' })),
  server('SIGN-006', 'the keys are at a URL in the clear', resign({ jku: 'http://keys.example/jwks.json' })),
  server('SIGN-007', 'a card is not signed at all', resign({ alg: 'none' })),
  server('SIGN-008', 'a signature is too short', (session) =>
    session.set('signedCard', `${signature}/signature`, 'c2hvcnQ'),
  ),
  server('SIGN-009', 'the other header repeats the protected one', (session) =>
    session.set('signedCard', `${signature}/header`, { kid: 'key-1' }),
  ),
  server('SIGN-010', 'the card was changed after it was signed', (session) =>
    session.set('signedCard', 'response/body/description', 'Answers everything'),
  ),
  server('SIGN-020', 'the keys lack the one that signed', resign({ kid: 'key-2' })),
  client('SIGN-017', 'keys are fetched in the clear', (session) =>
    session.set('keys', 'request/url', 'http://keys.example/jwks.json'),
  ),
  server('SIGN-012', 'the signatures are part of what is signed', (session) => {
    const card = { ...signedCard, signatures: [] };
    session.set('signedCard', 'response/body', {
      ...signedCard,
      signatures: signed(signedCard, {}, canonical(card)).signatures ?? [],
    });
  }),
  server('SIGN-011', 'the card is signed as it is written', resign({}, JSON.stringify(signedCard))),
  server('SIGN-013', 'a member at its default is signed', (session) => {
    const card = { ...signedCard, securityRequirements: [] };
    session.set('signedCard', 'response/body', signed(card));
  }),
  server('SIGN-014', 'an optional member that is set is not signed', (session) => {
    const card = { ...signedCard, documentationUrl: '' };
    session.set('signedCard', 'response/body', signed(card, {}, canonical(signedCard)));
  }),
  server('SIGN-015', 'a REQUIRED member that is empty is not signed', (session) => {
    const { capabilities: _left, ...rest } = signedCard;
    const card = { ...signedCard, capabilities: {} };
    session.set('signedCard', 'response/body', signed(card, {}, canonical(rest)));
  }),
  server(
    'SIGN-001',
    'the signatures of a 0.3 card have no header',
    (session) => session.set('card', 'response/body/signatures', [{ signature: 'c2lnbmF0dXJl' }]),
    { versions: ['0.3'], level: 'wire' },
  ),
  server(
    'SIGN-002',
    'the header of a signature of 0.3 is no base64url',
    (session) =>
      session.set('card', 'response/body/signatures', [
        { protected: 'no base64url!', signature: 'c2lnbmF0dXJl' },
      ]),
    { versions: ['0.3'], level: 'wire' },
  ),
  server(
    'SIGN-022',
    'an extended card has the signatures of the public one',
    (session) => {
      const signatures = signed(signedCard).signatures ?? [];
      session.set('card', 'response/body/signatures', signatures);
      session.set('extended', 'result/signatures', signatures);
    },
    {
      versions: ['1.0'],
      bindings: ['JSONRPC'],
    },
  ),
  gateway('SIGN-021', 'a gateway changes a signed card', (session) =>
    session.set('downstreamCard', 'response/body/supportedInterfaces', [
      { url: 'https://gateway.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ]),
  ),
  server(
    'SIGN-022',
    'an extended card has the signatures of the public one',
    (session) => {
      const signatures = signed(signedCard).signatures ?? [];
      session.set('card', 'response/body/signatures', signatures);
      session.set('extended', 'response/body/signatures', signatures);
    },
    {
      level: 'wire',
      versions: ['1.0'],
      bindings: ['HTTP+JSON'],
    },
  ),
  server(
    'SIGN-022',
    'an extended card has the signatures of the public one',
    (session) => {
      const signatures = signed(signedCard).signatures ?? [];
      session.set('card', 'response/body/signatures', signatures);
      session.set('extended', 'grpc/response/signatures', signatures);
    },
    {
      level: 'wire',
      versions: ['1.0'],
      bindings: ['GRPC'],
    },
  ),
];

export default mutations;
