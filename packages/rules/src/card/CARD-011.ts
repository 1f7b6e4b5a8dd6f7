import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

const grpcAt = (url: string) =>
  getCard(v1.card({ supportedInterfaces: [{ url, protocolBinding: 'GRPC', protocolVersion: '1.0' }] }));

const hostAndPort = /^(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,255}):\d{1,5}$/;

export default defineRule({
  id: 'CARD-011',
  level: 'SHOULD',
  party: 'server',
  summary: 'The URL of a gRPC interface is `host:port`, or an absolute URL as the first texts of 1.0 had it.',
  spec: { '1.0': '4.4.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { form: 'The gRPC interface has the URL {url}, neither `host:port` nor an absolute URL' },
  why: 'gRPC clients hand the value to their channel as it is, and fail to resolve it.',
  fix: 'Write the address as `host:port`.',
  examples: {
    good: [[grpcAt('grpc.agent.example:443')], [grpcAt('https://grpc.agent.example/a2a')]],
    // No address at all is the matter of CARD-009.
    skip: [[getCard(v1.card())], [grpcAt('')]],
    bad: [
      { example: [grpcAt('/a2a.grpc')], messages: ['form'] },
      { example: [grpcAt('/see https://agent.example')], messages: ['form'] },
    ],
  },
  when: ({ card }) =>
    card.interfaces.some(({ binding, url }) => binding === 'GRPC' && url !== undefined && url !== ''),
  check: (subject, { report }) => {
    for (const { binding, url, pointer } of subject.card.interfaces) {
      if (binding !== 'GRPC' || url === undefined || url === '') continue;
      if (hostAndPort.test(url) || /^[A-Za-z][A-Za-z0-9+.-]*:\/\/\S/.test(url)) continue;
      report('form', {
        data: { url },
        at: inCard(subject, `${pointer}/url`),
        expected: 'host:port',
        actual: url,
      });
    }
  },
});
