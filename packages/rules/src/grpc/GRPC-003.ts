import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { productionCall } from '../auth/production.ts';
import { elsewhere, faultless10, gotBytes, gotBytes03 } from './calls.ts';
import { isWrittenAsJson } from './messages.ts';

const isWeb = ({ request }: DecodedExchange): boolean => request.mediaType.startsWith('application/grpc-web');

const publicAddress = 'http://203.0.113.7';

export default defineRule({
  id: 'GRPC-003',
  level: 'MUST',
  party: 'sender',
  summary: 'A call runs over HTTP/2 with TLS, and what is answered to it is application/grpc.',
  spec: { '0.3': '3.2.2', '1.0': '10.1' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: {
    version: 'The call is gRPC over HTTP/{found}',
    type: 'The call is answered with {found} instead of application/grpc',
    open: 'The agent at {host} serves gRPC without TLS',
  },
  why: 'Without HTTP/2 there are no trailers, and the status that ends a call is lost; libraries take another media type for the page of a gateway and report UNKNOWN. A capture does not say what is production, so the missing TLS is a warning.',
  fix: 'Serve gRPC over HTTP/2 with TLS and let the gRPC library write the heads; only gRPC-Web may run over HTTP/1.1.',
  examples: {
    good: [
      gotBytes(),
      gotBytes03(),
      gotBytes({ responseHeaders: { 'content-type': 'application/grpc+proto' } }),
    ],
    skip: [elsewhere, faultless10.get],
    bad: [
      { example: gotBytes({ httpVersion: '1.1' }), messages: ['version'] },
      { example: gotBytes03({ httpVersion: '1.1' }), messages: ['version'] },
      {
        example: gotBytes({ responseHeaders: { 'content-type': 'application/x-protobuf' } }),
        messages: ['type'],
      },
      { example: gotBytes({ responseHeaders: { 'content-type': '' } }), messages: ['type'] },
      {
        example: gotBytes03({ responseHeaders: { 'content-type': 'text/plain' } }),
        messages: ['type'],
      },
      { example: gotBytes({ origin: publicAddress }), messages: ['open'], outcomes: ['warn'] },
      { example: gotBytes03({ origin: publicAddress }), messages: ['open'], outcomes: ['warn'] },
    ],
  },
  // Heads that a recorder made up prove nothing.
  when: (exchange) => !isWrittenAsJson(exchange),
  check: (exchange, { report }) => {
    const { httpVersion } = exchange.captured.request;
    if (!isWeb(exchange) && !httpVersion.startsWith('2') && !httpVersion.startsWith('3'))
      report('version', {
        data: { found: httpVersion },
        at: { side: 'request' },
        expected: 'HTTP/2',
        actual: httpVersion,
      });
    const { response } = exchange;
    const call = productionCall(exchange);
    if (call?.scheme === 'http' && response !== undefined)
      report('open', {
        outcome: 'warn',
        data: { host: call.hostname },
        at: { side: 'response' },
        expected: 'TLS',
      });
    // What a gateway refuses, it refuses in a form of its own.
    if (response === undefined || response.status !== 200) return;
    const { mediaType } = response;
    if (!mediaType.startsWith('application/grpc'))
      report('type', {
        data: { found: mediaType === '' ? 'no media type' : mediaType },
        at: { side: 'response', header: 'content-type' },
        expected: 'application/grpc',
        actual: mediaType,
      });
  },
});
