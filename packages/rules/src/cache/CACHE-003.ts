import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { cardHeader, isPlainFetch } from './card-responses.ts';

const withDate = (text: string) => getCard(v1.card(), { responseHeaders: { 'Last-Modified': text } });

/** The one form in which HTTP dates are sent (RFC 9110 section 5.6.7). */
const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

export default defineRule({
  id: 'CACHE-003',
  level: 'INFO',
  party: 'server',
  summary: 'Where the card comes with `Last-Modified`, that is a date as HTTP writes it.',
  spec: { '1.0': '8.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { date: '`Last-Modified` of the card is {found}, which is no HTTP date' },
  why: 'Caches ignore a date that they cannot read, so that the header is there for nothing.',
  fix: 'Write the date as HTTP has it, e.g. `Thu, 01 Jan 2026 00:00:00 GMT`, or leave the header out.',
  examples: {
    good: [[withDate('Thu, 01 Jan 2026 00:00:00 GMT')]],
    skip: [[getCard(v1.card())], [getCard(v03.card())]],
    bad: [
      { example: [withDate('2026-01-01T00:00:00Z')], messages: ['date'] },
      // Inside of something else.
      { example: [withDate('"Thu, 01 Jan 2026 00:00:00 GMT')], messages: ['date'] },
      { example: [withDate('Thu, 01 Jan 2026 00:00:00 GMT+1')], messages: ['date'] },
    ],
  },
  when: (subject) => isPlainFetch(subject) && cardHeader(subject, 'last-modified') !== undefined,
  check: (subject, { report }) => {
    const found = cardHeader(subject, 'last-modified');
    if (httpDate.test(found ?? '')) return;
    report('date', {
      data: { found },
      at: { side: 'response', header: 'last-modified' },
      expected: 'a date such as Thu, 01 Jan 2026 00:00:00 GMT',
      actual: found,
    });
  },
});
