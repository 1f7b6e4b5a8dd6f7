import { generateKeyPairSync } from 'node:crypto';
import type { Json, JsonObject } from '@plugfest/model';
import * as fc from 'fast-check';
import { exportJWK, FlattenedSign, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { cardDefaults } from './differences.ts';
import { canonicalCard } from './forms.ts';
import { type Jwk, readKeys } from './jwk.ts';
import { checkCard, type KeyCandidate } from './verify-card.ts';

interface Signer {
  readonly alg: string;
  readonly key: Jwk;
  sign(payload: string, header?: Record<string, unknown>): Promise<JsonObject>;
}

/** One key for all: making them takes long. */
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

async function signer(alg: string): Promise<Signer> {
  const { publicKey, privateKey } = /^[RP]S/.test(alg)
    ? rsa
    : await generateKeyPair(alg, { extractable: true });
  const [key] = readKeys(JSON.stringify({ ...(await exportJWK(publicKey)), kid: 'key-1' }));
  if (key === undefined) throw new Error('no key');
  return {
    alg,
    key,
    async sign(payload, header = {}) {
      const jws = await new FlattenedSign(Buffer.from(payload, 'utf8'))
        .setProtectedHeader({ alg, typ: 'JOSE', kid: 'key-1', ...header })
        .sign(privateKey);
      return { protected: jws.protected ?? '', signature: jws.signature };
    },
  };
}

const es256 = await signer('ES256');

/** A card in which each canonical form differs from the others. */
const card: JsonObject = {
  name: 'Café 😀',
  description: '',
  supportedInterfaces: [
    { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
  ],
  version: '1.2.3',
  documentationUrl: '',
  capabilities: {
    streaming: false,
    extensions: [{ uri: 'https://e.example/v1', required: false, params: { n: 10, empty: [] } }],
  },
  securitySchemes: {
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
    mtls: { mtlsSecurityScheme: {} },
  },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  url: 'https://agent.example/a2a',
};

const certain = (key: Jwk) => (): readonly KeyCandidate[] => [{ key, certain: true }];
const withSignatures = (...signatures: readonly Json[]): JsonObject => ({ ...card, signatures });
const first = (signed: JsonObject, key: Jwk = es256.key) => checkCard(signed, certain(key))[0];

describe('the canonical card', () => {
  it('is that of the example in section 8.4.1', () => {
    const fragment = {
      name: 'Example Agent',
      description: '',
      capabilities: { streaming: false, pushNotifications: false, extensions: [] },
      skills: [],
    };
    expect(canonicalCard(fragment)).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    );
  });

  it('keeps what is REQUIRED or set, and leaves out defaults, unknown members and signatures', () => {
    const canonical = JSON.parse(canonicalCard(withSignatures({})) ?? '');
    expect(canonical).not.toHaveProperty('signatures');
    expect(canonical).not.toHaveProperty('url');
    expect(canonical).toMatchObject({ description: '', documentationUrl: '', skills: [] });
    expect(canonical.supportedInterfaces[0]).not.toHaveProperty('tenant');
    expect(canonical.capabilities.extensions[0]).toEqual({
      uri: 'https://e.example/v1',
      params: { n: 10, empty: [] },
    });
    expect(canonical.securitySchemes.mtls).toEqual({ mtlsSecurityScheme: {} });
  });

  it('does not exist for a card with half a surrogate pair', () => {
    expect(canonicalCard({ name: '\ud800' })).toBeUndefined();
  });

  it('names the members at their default, by what becomes of them', () => {
    expect(cardDefaults(card)).toEqual({
      implicit: ['/supportedInterfaces/0/tenant', '/capabilities/extensions/0/required'],
      present: ['/documentationUrl', '/capabilities/streaming', '/securitySchemes/mtls/mtlsSecurityScheme'],
      required: ['/description', '/skills'],
    });
  });
});

describe('a signature over the canonical card', () => {
  for (const alg of [
    ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
    ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ]) {
    it(`is valid with ${alg}`, async () => {
      const by = await signer(alg);
      const signed = withSignatures(await by.sign(canonicalCard(card) ?? ''));
      expect(first(signed, by.key)).toMatchObject({ status: 'valid', differences: [] });
      expect(first({ ...signed, name: 'Forged' }, by.key)).toMatchObject({ status: 'void' });
    });
  }

  it('does not depend on the order of members, nor on what the schema does not know', async () => {
    const signed = withSignatures(await es256.sign(canonicalCard(card) ?? ''));
    const reversed = Object.fromEntries(Object.entries(signed).reverse());
    expect(first({ ...reversed, preferredTransport: 'JSONRPC' })).toMatchObject({ status: 'valid' });
  });

  it('may cover unknown members, of which the specification says nothing', async () => {
    const { url: _, ...known } = JSON.parse(canonicalCard(card) ?? '');
    const payload = canonicalJson({ ...known, url: 'https://agent.example/a2a' }) ?? '';
    expect(first(withSignatures(await es256.sign(payload)))).toMatchObject({ status: 'valid' });
  });

  it('covers its members: a change of any text voids it', async () => {
    const signed = withSignatures(await es256.sign(canonicalCard(card) ?? ''));
    for (const changed of [
      { ...signed, description: 'x' },
      { ...signed, securitySchemes: {} },
      { ...signed, capabilities: { streaming: true } },
    ])
      expect(first(changed)).toMatchObject({ status: 'void' });
  });
});

describe('a signature over another form', () => {
  const kindsOf = (signed: JsonObject): readonly string[] =>
    first(signed)?.differences.map(({ kind, pointer }) => `${kind} ${pointer}`) ?? [];

  it('is told by its name and by what is different in it', async () => {
    const { url: _, ...known } = card;
    const served = withSignatures(await es256.sign(canonicalJson(known) ?? ''));
    expect(first(served)).toMatchObject({
      status: 'other-form',
      form: { name: 'every known member as served, RFC 8785', rfc8785: true, withSignatures: false },
    });
    expect(kindsOf(served)).toEqual([
      'kept-default /supportedInterfaces/0/tenant',
      'kept-default /capabilities/extensions/0/required',
    ]);
  });

  it('is found where empty members were taken out, as the official SDKs do', async () => {
    const cleaned =
      '{"capabilities":{"extensions":[{"params":{"n":10},"uri":"https://e.example/v1"}],"streaming":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"name":"Café 😀","securitySchemes":{"bearer":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}},"supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"https://agent.example/a2a"}],"version":"1.2.3"}';
    const js = withSignatures(await es256.sign(cleaned));
    expect(first(js)).toMatchObject({ status: 'other-form', form: { name: 'clean-empty, RFC 8785' } });
    expect(kindsOf(js)).toEqual([
      'left-out-required /description',
      'left-out-present /documentationUrl',
      'left-out-other /capabilities/extensions/0/params/empty',
      'left-out-present /securitySchemes/mtls',
      'left-out-required /skills',
    ]);
    const ascii = cleaned.replace('Café 😀', 'Caf\\u00e9 \\ud83d\\ude00');
    const python = withSignatures(await es256.sign(ascii.replace('"n":10', '"n":10.0')));
    expect(first(python)).toMatchObject({
      status: 'other-form',
      form: { name: 'clean-empty, sorted ASCII with floats', rfc8785: false },
    });
    const noSchemes = cleaned.replace(/"securitySchemes":.*?\}\}\},/, '');
    expect(first(withSignatures(await es256.sign(noSchemes)))).toMatchObject({
      status: 'other-form',
      form: { name: 'clean-empty without security schemes, RFC 8785' },
    });
  });

  it('is found where signatures were left in: an empty list, or those that were there before', async () => {
    const payload = (signatures: readonly Json[]): string =>
      canonicalJson({ ...JSON.parse(canonicalCard(card) ?? ''), signatures }) ?? '';
    const one = await es256.sign(payload([]));
    expect(first(withSignatures(one))).toMatchObject({
      status: 'other-form',
      form: { withSignatures: true, rfc8785: true },
    });
    const two = await es256.sign(payload([one]));
    expect(checkCard(withSignatures(one, two), certain(es256.key))[1]).toMatchObject({
      status: 'other-form',
      form: { withSignatures: true },
    });
  });

  it('is found where absent members were signed as null', async () => {
    const served = { ...card, provider: null };
    const signature = await es256.sign(canonicalJson(served) ?? '');
    expect(kindsOf({ ...served, signatures: [signature] })).toContain('kept-default /provider');
    expect(cardDefaults(served).implicit).toContain('/provider');
  });

  it('is found where the card was signed as a JSON library wrote it', async () => {
    const { url: _, ...known } = card;
    expect(first(withSignatures(await es256.sign(JSON.stringify(known))))).toMatchObject({
      status: 'other-form',
      form: { rfc8785: false },
    });
  });
});

describe('a signature that cannot be decided', () => {
  const valid = () => es256.sign(canonicalCard(card) ?? '');

  it('has no key, or one of another type', async () => {
    const other = await signer('RS256');
    const signed = withSignatures(await valid());
    expect(checkCard(signed, () => [])).toMatchObject([{ status: 'no-key' }]);
    expect(first(signed, other.key)).toMatchObject({ status: 'no-key' });
  });

  it('has a key that may be somebody else’s', async () => {
    const other = await signer('ES256');
    const signed = withSignatures(await valid());
    expect(checkCard(signed, () => [{ key: other.key, certain: false }])).toMatchObject([
      { status: 'uncertain' },
    ]);
    expect(
      checkCard(signed, () => [
        { key: other.key, certain: false },
        { key: es256.key, certain: false },
      ]),
    ).toMatchObject([{ status: 'valid' }]);
  });

  it('is a MAC, of an unknown algorithm, or has extensions that must be understood', async () => {
    const header = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const status = (value: object) =>
      first(withSignatures({ protected: header(value), signature: 'AAAA' }))?.status;
    expect(status({ alg: 'HS256', kid: 'key-1' })).toBe('mac');
    expect(status({ alg: 'XX999', kid: 'key-1' })).toBe('unsupported');
    expect(status({ alg: 'ES256', kid: 'key-1', b64: false, crit: ['b64'] })).toBe('unsupported');
  });

  it('is no JWS at all', () => {
    for (const entry of [
      null,
      'text',
      {},
      { protected: 7, signature: 8 },
      { protected: '!', signature: 'AAAA' },
      { protected: 'W10', signature: 'AAAA' },
      { protected: 'eyJhbGciOiJFUzI1NiJ9', signature: '====' },
    ])
      expect(first(withSignatures(entry))).toMatchObject({ status: 'malformed' });
  });

  it('has extensions that must be understood, or an unencoded payload, each by itself', () => {
    const status = (value: object) =>
      first(
        withSignatures({
          protected: Buffer.from(JSON.stringify(value)).toString('base64url'),
          signature: 'AAAA',
        }),
      )?.status;
    expect([status({ alg: 'ES256', crit: [] }), status({ alg: 'ES256', b64: true })]).toEqual([
      'unsupported',
      'unsupported',
    ]);
    expect([status({ alg: 'ES256' }), status({ kid: 'key-1' })]).toEqual(['void', 'malformed']);
  });

  it('has a key that is none, or one more than are tried', async () => {
    const other = await signer('ES256');
    const signed = withSignatures(await valid());
    const broken: Jwk = { ...es256.key, x: 'AAAA' };
    expect(first(signed, broken)).toMatchObject({ status: 'unsupported' });
    const candidates = (count: number) => [
      ...Array.from({ length: count }, () => ({ key: other.key, certain: false })),
      { key: es256.key, certain: true },
    ];
    expect(checkCard(signed, () => candidates(3))).toMatchObject([{ status: 'valid' }]);
    expect(checkCard(signed, () => candidates(4))).toMatchObject([{ status: 'uncertain' }]);
  });

  it('belongs to a card that is too large', async () => {
    const signed = { ...withSignatures(await valid()), iconUrl: 'x'.repeat(1024 * 1024) };
    expect(first(signed)).toMatchObject({ status: 'too-large' });
  });
});

describe('any card', () => {
  it('is checked without an exception, whatever is in it', async () => {
    const entry = await es256.sign('{}');
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.jsonValue()),
        (more, signatures) => {
          const checked = checkCard(
            { ...card, ...(more as JsonObject), signatures: [...(signatures as Json[]), entry] },
            certain(es256.key),
          );
          expect(checked.every(({ status }) => status !== 'valid')).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('has no more than 16 signatures checked, and is given up after a number of checks', async () => {
    const entry = await es256.sign('{}');
    const checked = checkCard({ ...card, signatures: new Array(100).fill(entry) }, certain(es256.key));
    expect(checked).toHaveLength(16);
    expect(checked[0]).toMatchObject({ status: 'void' });
    expect(checked[15]).toMatchObject({ status: 'too-large' });
  });
});
