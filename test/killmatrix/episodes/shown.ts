import type { JsonObject } from '@plugfest/model';
import { deliver, getCard, rpc, type Target, v1, v03 } from '@plugfest/verifier/examples';
import type { Episode } from '../session.ts';
import { canonical, signed } from './extras.ts';
import { at, task } from './words.ts';

/** Cards that are shown in ways that are allowed and rare, and a delivery with a JWT: plain HTTP beside every binding. */

const is = (version: string) => (target: Target) => target.version === version;
const legacyUrl = 'https://agent.example/.well-known/agent.json';

/** A card with members that the canonical form leaves out and some that it keeps, though they are empty. */
const sparse = { ...v1.card({ name: 'Sparse agent' }), capabilities: {}, documentationUrl: '' };
const withUnprotected = (card: JsonObject): JsonObject => {
  const [signature] = card.signatures as readonly JsonObject[];
  return { ...card, signatures: [{ ...signature, header: { note: 'rotated in May' } }] };
};

const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = `${part({ alg: 'ES256', kid: 'key-1' })}.${part({
  iss: 'https://agent.example',
  aud: 'https://other.example/fresh',
  iat: 1767225600,
  exp: 1767225900,
  jti: 'notification-7',
})}.c2lnbmF0dXJl`;

const varying = { to: 'varying agent' } as const;
const forAll = v1.card({ name: 'Varying agent' });
const forMembers = v1.card({ name: 'Varying agent', description: 'Answers members', version: '1.2.4' });
const vary = (tag: string) => ({ ETag: tag, Vary: 'Authorization' });

export const shown: readonly Episode[] = [
  {
    only: is('1.0'),
    asItIs: true,
    exchanges: {
      freshlyAsserted: at(
        deliver(
          { task: task('push', 'COMPLETED', 88) },
          {
            url: 'https://other.example/fresh',
            headers: { Authorization: `Bearer ${jwt}`, 'X-A2A-Notification-Token': undefined },
            responseHeaders: { Date: 'Thu, 01 Jan 2026 00:01:29 GMT' },
          },
        ),
        89,
      ),
    },
  },
  {
    only: is('1.0'),
    asItIs: true,
    exchanges: {
      sparseShown: at(
        getCard(withUnprotected(signed({ ...sparse, securitySchemes: {} }, {}, canonical(sparse))), {
          to: 'sparse agent',
        }),
        700,
      ),
    },
  },
  {
    only: is('1.0'),
    asItIs: true,
    exchanges: {
      bothEras: at(
        getCard(
          v1.card({
            name: 'Agent of both eras',
            capabilities: { extendedAgentCard: true },
            supportsAuthenticatedExtendedCard: true,
            securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
            supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
              url: 'https://agent.example/a2a',
              protocolBinding: 'JSONRPC',
              protocolVersion,
            })),
            url: 'https://agent.example/a2a',
            preferredTransport: 'JSONRPC',
            protocolVersion: '0.3.0',
          }),
          { to: 'agent of both eras' },
        ),
        702,
      ),
      servedOlder: at(
        rpc({
          version: '0.3',
          id: 'o-1',
          to: 'agent of both eras',
          method: 'message/send',
          params: { message: v03.message('as before', { messageId: 'm-as-before' }) },
          result: v03.task('completed', { id: 'task-as-before', contextId: 'ctx-as-before' }),
        }),
        703,
      ),
    },
  },
  {
    only: is('1.0'),
    asItIs: true,
    exchanges: {
      ownPlace: at(getCard(v1.card({ name: 'Kind agent' }), { to: 'kind agent' }), 704),
      olderPlace: at(
        getCard(v1.card({ name: 'Kind agent' }), { to: 'kind agent', url: legacyUrl, from: 'other client' }),
        705,
      ),
    },
  },
  {
    only: is('0.3'),
    asItIs: true,
    exchanges: {
      ownPlace: at(getCard(v03.card({ name: 'Kind agent' }), { to: 'kind agent' }), 704),
      olderPlace: at(
        getCard(v03.card({ name: 'Kind agent' }), { to: 'kind agent', url: legacyUrl, from: 'other client' }),
        705,
      ),
      signed03: at(
        getCard(v03.card({ name: 'Signed agent', signatures: signed(v03.card()).signatures ?? null }), {
          to: 'signed agent',
        }),
        706,
      ),
    },
  },
  {
    only: is('0.1'),
    asItIs: true,
    exchanges: {
      configured: at(
        getCard(
          {
            name: 'Configured agent',
            description: 'Answers questions',
            url: 'https://agent.example/a2a',
            version: '1.2.3',
            authentication: { schemes: ['Bearer'], credentials: 'https://id.example/authorize' },
            capabilities: {},
            defaultInputModes: ['text/plain'],
            defaultOutputModes: ['text/plain'],
            skills: [{ id: 'answer', name: 'Answer', description: 'Answers', tags: ['questions'] }],
          },
          { to: 'configured agent', url: legacyUrl },
        ),
        704,
      ),
    },
  },
  {
    only: is('1.0'),
    asItIs: true,
    exchanges: {
      varied: at(getCard(forAll, { ...varying, responseHeaders: vary('"all-1"') }), 800),
      variedForMember: at(
        getCard(forMembers, {
          ...varying,
          headers: { Authorization: 'Bearer member-1', 'If-None-Match': '"all-1"' },
          responseHeaders: vary('"member-1"'),
        }),
        4500,
      ),
      variedAgain: at(
        getCard(forAll, {
          ...varying,
          headers: { 'If-None-Match': '"member-1"' },
          responseHeaders: vary('"all-1"'),
        }),
        8200,
      ),
    },
  },
];
