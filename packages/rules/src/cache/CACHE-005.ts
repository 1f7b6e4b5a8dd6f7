import type { DecodedExchange } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { namedTags, opaqueTag } from './card-responses.ts';
import { isOtherUnderSameTag } from './same-tag.ts';

/** The agent says itself that the client's copy is current: by 304, or by a tag that the client named. */
function isCurrent(exchange: DecodedExchange): boolean {
  const { response } = exchange.captured;
  const tags = namedTags(exchange);
  if (exchange.kind !== 'card' || response === undefined || tags.length === 0) return false;
  if (response.status === 304) return true;
  const etag = header(response.headers, 'etag');
  return response.status === 200 && etag !== undefined && tags.includes(opaqueTag(etag));
}

const conditional = { headers: { 'If-None-Match': '"1.2.3"' } } as const;
const ETag = '"1.2.3"';
const unchanged = getCard(null, {
  ...conditional,
  status: 304,
  text: '',
  responseHeaders: { ETag, 'Content-Type': undefined },
});

export default defineRule({
  id: 'CACHE-005',
  level: 'SHOULD',
  party: 'server',
  summary: 'A client that names the current `ETag` of the card gets 304 without a body.',
  spec: { '1.0': '8.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  about: ['card'],
  messages: {
    resent: 'The client names the current `ETag` {etag}, and gets the whole card again',
    body: 'The answer 304 has a body of {sizeBytes} bytes',
  },
  why: 'The tag saves nothing if the card is sent all the same. A body after 304 is taken for the start of the next response.',
  fix: 'Compare `If-None-Match` with the tag of the card, and answer 304 with headers only where they are the same.',
  examples: {
    good: [[getCard(v1.card(), { responseHeaders: { ETag } }), unchanged]],
    skip: [
      [getCard(v1.card())],
      [getCard(v1.card(), conditional)],
      [getCard(v03.card(), { ...conditional, responseHeaders: { ETag } })],
      [getCard(v1.card(), { ...conditional, responseHeaders: { ETag: undefined } })],
      [getCard({ detail: 'Not Found' }, { ...conditional, status: 404, responseHeaders: { ETag } })],
      // Asked by date.
      [
        getCard(v1.card(), { responseHeaders: { ETag } }),
        getCard(null, {
          headers: { 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
          status: 304,
          text: '',
          responseHeaders: { 'Content-Type': undefined },
        }),
      ],
      [
        rpc({
          ...conditional,
          method: 'GetTask',
          params: { id: 'task-1' },
          result: v1.task('WORKING'),
          responseHeaders: { ETag },
        }),
      ],
    ],
    bad: [
      { example: [getCard(v1.card(), { ...conditional, responseHeaders: { ETag } })], messages: ['resent'] },
      {
        example: [getCard(v1.card(), { ...conditional, responseHeaders: { ETag: `W/${ETag}` } })],
        messages: ['resent'],
      },
      {
        example: [
          getCard(v1.card(), { responseHeaders: { ETag } }),
          getCard(v1.card(), { ...conditional, status: 304, responseHeaders: { ETag } }),
        ],
        messages: ['body'],
      },
    ],
  },
  when: isCurrent,
  check: (exchange, { conversation, report }) => {
    const { captured } = exchange;
    const { response } = captured;
    if (response === undefined) return;
    const { totalBytes } = response.body;
    if (response.status === 304) {
      if (totalBytes > 0)
        report('body', {
          data: { sizeBytes: totalBytes },
          at: { side: 'response' },
          expected: 'no body',
          actual: `${totalBytes} bytes`,
        });
      return;
    }
    // Another card under the same tag is CACHE-004.
    if (isOtherUnderSameTag(exchange, conversation)) return;
    const etag = header(response.headers, 'etag');
    report('resent', {
      data: { etag },
      at: { side: 'response' },
      expected: 'HTTP 304',
      actual: response.status,
    });
  },
});
