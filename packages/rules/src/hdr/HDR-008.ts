import type { DecodedExchange } from '@plugfest/a2a';
import { header, headerValues, parseTraceparent } from '@plugfest/model';
import type { CheckContext, HandedOn } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpc, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { majorMinor } from '../major-minor.ts';

const geo = 'https://extensions.example/geo/v1';
const [trace, child] = ['00f067aa0ba902b7', '53995c3f42cd8ad8'].map(
  (span) => `00-4bf92f3577b34da6a3ce929d0e0e4736-${span}-01`,
);
const cite = 'urn:example:cite';
const sent = { 'A2A-Extensions': `${geo}, ${cite}`, traceparent: trace, Authorization: 'Bearer t-1' };
type Headers = Readonly<Record<string, string | undefined>>;
const lowerCase = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const params = { message: v1.message('hello') };
const result = { task: v1.task('COMPLETED') };
const hops = {
  JSONRPC: (from: string, to: string, headers: Headers) =>
    rpc({ method: 'SendMessage', params, result, from, to, headers }),
  'HTTP+JSON': (from: string, to: string, headers: Headers) =>
    rest({ verb: 'POST', path: '/message:send', body: params, response: result, from, to, headers }),
  GRPC: (from: string, to: string, headers: Headers) =>
    grpc({
      method: 'SendMessage',
      request: params,
      response: result,
      from,
      to,
      metadata: lowerCase(headers),
    }),
} as const;
const hop = hops.JSONRPC;
const first = hop('client', 'middle', sent);
const second = (more: Headers) => hop('middle', 'agent', { ...sent, ...more });

export default defineRule({
  id: 'HDR-008',
  level: 'MUST',
  party: 'client',
  summary: 'Whoever hands a message on hands on its service parameters, trace and credentials with it.',
  spec: { '1.0': '3.2.6, 3.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    dropped: 'The message came with `{name}: {sent}`, and is handed on without',
    changed: 'The message came with `{name}: {sent}`, and is handed on with {found}',
    coined: 'The message came without `A2A-Version`, and is handed on with {found}',
    credentials: 'The message is handed on with other credentials than it came with',
  },
  why: 'The agent answers another version than the client speaks, leaves out what an extension was to add, or cannot be found in the trace. A gateway may belong to a trace itself, or stand for its clients with credentials of its own, so a lost trace is a warning and other credentials are for information.',
  fix: 'Copy `A2A-Version` and `A2A-Extensions` as they are, and add none; keep the trace id in `traceparent`; pass `Authorization` through unless the gateway signs in for its clients.',
  examples: {
    good: [
      [first, second({ traceparent: child })],
      [
        first,
        rest({
          verb: 'POST',
          path: '/message:send',
          body: params,
          response: result,
          from: 'middle',
          to: 'agent',
          headers: sent,
        }),
      ],
      // Another spelling of the list is the same list.
      [first, second({ 'A2A-Extensions': `${geo},${cite}` })],
      // A trace may begin at the gateway.
      [hop('client', 'middle', { ...sent, traceparent: undefined }), second({})],
      // Who translates between versions speaks for himself.
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello') },
          result: v03.task('completed'),
          from: 'client',
          to: 'middle',
        }),
        hop('middle', 'agent', {}),
      ],
    ],
    skip: [
      [first],
      [
        first,
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('of my own') },
          result,
          from: 'middle',
          to: 'agent',
        }),
      ],
    ],
    bad: [
      { example: [first, second({ 'A2A-Version': undefined })], messages: ['dropped'] },
      { example: [first, second({ traceparent: undefined })], messages: ['dropped'], outcomes: ['warn'] },
      ...Object.values(hops).flatMap((by) => {
        const came = by('client', 'middle', sent);
        const goes = (more: Headers) => by('middle', 'agent', { ...sent, ...more });
        const unversioned = by('client', 'middle', { ...sent, 'A2A-Version': undefined });
        return [
          { example: [came, goes({ 'A2A-Extensions': undefined })], messages: ['dropped'] as const },
          {
            example: [came, goes({ 'A2A-Extensions': `${geo.replace('v1', 'v2')}, ${cite}` })],
            messages: ['changed'] as const,
          },
          { example: [unversioned, goes({})], messages: ['coined'] as const },
        ];
      }),
      { example: [first, second({ 'A2A-Version': '1.1' })], messages: ['changed'] },
      {
        example: [
          hop('client', 'middle', { ...sent, 'A2A-Version': '1.0.0', 'A2A-Extensions': `${geo},,${cite}` }),
          second({ 'A2A-Extensions': geo }),
        ],
        messages: ['changed'],
      },
      {
        example: [hop('client', 'middle', { ...sent, 'A2A-Version': '' }), second({})],
        messages: ['coined'],
      },
      // To leave the version out, and to say what that means, is the same.
      ...[undefined, '0.3'].map((version) => ({
        example: [
          hop('client', 'middle', { ...sent, 'A2A-Version': undefined }),
          second({ 'A2A-Version': version, 'A2A-Extensions': undefined }),
        ],
        messages: ['dropped'] as const,
      })),
      {
        example: [first, second({ traceparent: child?.replace('4bf9', '5af0') })],
        messages: ['changed'],
        outcomes: ['warn'],
      },
      {
        example: [first, second({ Authorization: 'Bearer of-the-gateway' })],
        messages: ['credentials'],
        outcomes: ['info'],
      },
    ],
  },
  when: (exchange, { conversation }) => conversation.handedOn(exchange) !== undefined,
  check: (exchange, { conversation, report }) => {
    const before = conversation.handedOn(exchange);
    if (before === undefined) return;
    compareVersion(exchange, before, report);
    compareExtensions(exchange, before, report);
    const { headers } = exchange.captured.request;
    const trace = parseTraceparent(header(before.headers, 'traceparent'))?.traceId;
    const found = parseTraceparent(header(headers, 'traceparent'))?.traceId;
    if (trace !== undefined && found !== trace)
      report(found === undefined ? 'dropped' : 'changed', {
        outcome: 'warn',
        data: { name: 'traceparent', sent: header(before.headers, 'traceparent'), found },
        at: { side: 'request', header: 'traceparent' },
        expected: `the trace ${trace}`,
        actual: header(headers, 'traceparent'),
      });
    // What they are is nobody's business: not even a digest of them is shown.
    if (header(before.headers, 'authorization') !== header(headers, 'authorization'))
      report('credentials', { outcome: 'info', at: { side: 'request', header: 'Authorization' } });
  },
});

type ReportTo = CheckContext<'dropped' | 'changed' | 'coined'>['report'];

function compareVersion({ request, dialect }: DecodedExchange, before: HandedOn, report: ReportTo): void {
  const [sent, found] = [before.a2aVersion, request.a2aVersion];
  // A gateway that translates speaks for itself on the other side.
  if (before.version !== dialect?.version) return;
  const at = { side: 'request', header: 'A2A-Version' } as const;
  const common = { at, expected: sent ?? 'no `A2A-Version`', actual: found };
  if (sent === undefined || sent === '') {
    // Without a version 0.3 is meant (section 3.6.2): to say so changes nothing.
    if (found && majorMinor(found) !== '0.3') report('coined', { ...common, data: { found } });
  } else if (!found) report('dropped', { ...common, data: { name: 'A2A-Version', sent } });
  else if (majorMinor(found) !== majorMinor(sent))
    report('changed', { ...common, data: { name: 'A2A-Version', sent, found } });
}

function compareExtensions({ captured }: DecodedExchange, before: HandedOn, report: ReportTo): void {
  const [sent, found] = [extensionsIn(before.headers), extensionsIn(captured.request.headers)];
  const lost = sent.filter((uri) => !found.includes(uri));
  if (lost.length === 0) return;
  report(found.length === 0 ? 'dropped' : 'changed', {
    data: { name: 'A2A-Extensions', sent: sent.join(', '), found: found.join(', ') },
    at: { side: 'request', header: 'A2A-Extensions' },
    expected: sent.join(', '),
    actual: found.join(', '),
  });
}

/** A request may have as many as it likes. */
const comparedExtensions = 64;

const extensionsIn = (headers: readonly string[]): readonly string[] =>
  headerValues(headers, 'a2a-extensions')
    .flatMap((value) => value.split(','))
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '')
    .slice(0, comparedExtensions);
