import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Json, JsonObject } from '@plugfest/model';
import { getCard, type HttpExampleExchange, type Target, v1 } from '@plugfest/verifier/examples';
import type { Episode } from '../session.ts';
import { artifactEvent, at, call, statusEvent, stream, task } from './words.ts';

/** Output of several artifacts, extensions, tenants, signed cards and cards that are kept. */

const is10 = ({ version }: Target): boolean => version === '1.0';
const isHttp = ({ binding }: Target): boolean => binding !== 'GRPC';
const geo = 'https://extensions.example/geo/v1';

const chart = v1.artifact('{"answer": 4}', {
  artifactId: 'artifact-2',
  name: 'data',
  parts: [{ data: { answer: 4 } }],
  metadata: { source: 'sum' },
});
const draft = v1.artifact('A draft', { parts: [{ text: 'A draft' }] });
const final = v1.artifact('The answer', { parts: [{ text: 'The answer' }] });

/** A key that signs the card of an agent for these sessions, and nothing else. */
const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});
const publicJwk = createPublicKey(privateKey).export({ format: 'jwk' });
const keysUrl = 'https://keys.example/jwks.json';

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** RFC 8785 for cards whose names and texts are ASCII and whose numbers are none. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((each: Json) => canonical(each)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
}

/** A card with a signature over it (A2A 1.0 section 8.4.2). */
export function signed(
  card: JsonObject,
  header: JsonObject = {},
  payload: string = canonical(card),
): JsonObject {
  const protectedHeader = base64url(
    JSON.stringify({ alg: 'EdDSA', typ: 'JOSE', kid: 'key-1', jku: keysUrl, ...header }),
  );
  const signature = sign(null, Buffer.from(`${protectedHeader}.${base64url(payload)}`), privateKey);
  return {
    ...card,
    signatures: [{ protected: protectedHeader, signature: signature.toString('base64url') }],
  };
}

export const signedCard = v1.card({ name: 'Signed agent', capabilities: { streaming: true } });

/** A card that a gateway passes on as it is. */
const passedCard = v1.card({ name: 'Passed agent' });

const keys: HttpExampleExchange = {
  from: 'client',
  to: 'key server',
  request: { method: 'GET', url: keysUrl, headers: { Accept: 'application/json' } },
  response: {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: { keys: [{ ...publicJwk, kid: 'key-1', alg: 'EdDSA', use: 'sig' } as JsonObject] },
  },
};

const tenantCard = v1.card({
  name: 'Tenant agent',
  supportedInterfaces: [
    { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'blue' },
    {
      url: 'https://agent.example/rest',
      protocolBinding: 'HTTP+JSON',
      protocolVersion: '1.0',
      tenant: 'blue',
    },
    { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0', tenant: 'blue' },
  ],
});
const tenant = { to: 'tenant agent' } as const;

export const extras: readonly Episode[] = [
  {
    exchanges: {
      rich: call(300, {
        method: 'SendMessage',
        params: {
          message: v1.message('as data', { messageId: 'm-rich' }),
          configuration: { acceptedOutputModes: ['text/plain', 'application/json'] },
        },
        result: { task: task('rich', 'COMPLETED', 300, { artifacts: [v1.artifact('answer'), chart] }) },
      }),
      bare: call(302, {
        method: 'GetTask',
        params: { id: 'task-rich', historyLength: 0 },
        result: task('rich', 'COMPLETED', 300, { artifacts: [v1.artifact('answer'), chart] }),
      }),
    },
  },
  {
    exchanges: {
      redone: stream(
        310,
        {
          method: 'SendStreamingMessage',
          params: { message: v1.message('again', { messageId: 'm-redone' }) },
        },
        [
          { task: task('redone', 'WORKING', 310) },
          artifactEvent('redone', 'A draft', { artifact: draft }),
          artifactEvent('redone', 'The answer', { artifact: final }),
          statusEvent('redone', 'COMPLETED', 313),
        ],
      ),
      redoneGet: call(316, {
        method: 'GetTask',
        params: { id: 'task-redone' },
        result: task('redone', 'COMPLETED', 313, { artifacts: [final] }),
      }),
    },
  },
  {
    exchanges: {
      noted: stream(
        320,
        {
          method: 'SendStreamingMessage',
          params: { message: v1.message('noted', { messageId: 'm-noted' }) },
        },
        [
          { task: task('noted', 'WORKING', 320) },
          artifactEvent('noted', '', { artifact: chart }),
          statusEvent('noted', 'COMPLETED', 322),
        ],
      ),
      notedGet: call(324, {
        method: 'GetTask',
        params: { id: 'task-noted' },
        result: task('noted', 'COMPLETED', 322, { artifacts: [chart] }),
      }),
    },
  },
  {
    only: (target) => is10(target) && !isHttp(target),
    exchanges: {
      placed: call(330, {
        method: 'SendMessage',
        params: {
          message: v1.message('near me', {
            messageId: 'm-placed',
            extensions: [geo],
            metadata: { [geo]: { place: 'home' } },
          }),
        },
        headers: { 'A2A-Extensions': geo },
        result: {
          task: task('placed', 'COMPLETED', 330, {
            artifacts: [v1.artifact('answer', { extensions: [geo] })],
          }),
        },
      }),
    },
  },
  {
    only: (target) => is10(target) && isHttp(target),
    exchanges: {
      placed: call(330, {
        method: 'SendMessage',
        params: {
          message: v1.message('near me', {
            messageId: 'm-placed',
            extensions: [geo],
            metadata: { [geo]: { place: 'home' } },
          }),
        },
        headers: { 'A2A-Extensions': geo },
        responseHeaders: { 'A2A-Extensions': geo },
        result: {
          task: task('placed', 'COMPLETED', 330, {
            artifacts: [v1.artifact('answer', { extensions: [geo] })],
          }),
        },
      }),
    },
  },
  {
    only: is10,
    asItIs: true,
    exchanges: {
      keys: at(keys, 340),
      signedCard: at(getCard(signed(signedCard), { to: 'signed agent' }), 341),
    },
  },
  {
    only: is10,
    exchanges: {
      tenantCard: at(getCard(tenantCard, { to: 'tenant agent' }), 350),
      tenantSend: call(351, {
        ...tenant,
        method: 'SendMessage',
        params: { tenant: 'blue', message: v1.message('hello', { messageId: 'm-tenant' }) },
        result: { task: task('tenant', 'COMPLETED', 351) },
      }),
      tenantGet: call(353, {
        ...tenant,
        method: 'GetTask',
        params: { tenant: 'blue', id: 'task-tenant' },
        result: task('tenant', 'COMPLETED', 351),
      }),
    },
  },
  {
    only: is10,
    asItIs: true,
    exchanges: {
      upstreamCard: at(getCard(signed(passedCard), { from: 'passing gateway', to: 'passed agent' }), 344),
      downstreamCard: at(getCard(signed(passedCard), { to: 'passing gateway' }), 345),
    },
  },
  {
    only: is10,
    asItIs: true,
    exchanges: {
      keptCard: at(
        getCard(v1.card({ name: 'Kept agent' }), { to: 'kept agent', responseHeaders: { ETag: '"card-1"' } }),
        360,
      ),
      sameCard: at(
        {
          ...getCard(v1.card(), { to: 'kept agent', headers: { 'If-None-Match': '"card-1"' } }),
          response: { status: 304, headers: { ETag: '"card-1"', 'Cache-Control': 'max-age=3600' } },
        },
        4000,
      ),
    },
  },
];
