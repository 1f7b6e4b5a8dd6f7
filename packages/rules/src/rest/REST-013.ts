import type { DecodedExchange } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, v1 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

const get = { verb: 'GET', path: '/tasks/task-1' } as const;
const send = {
  verb: 'POST',
  path: '/message:send',
  body: { message: v1.message('hello') },
  response: { task: v1.task('COMPLETED') },
} as const;

const sides = ['request', 'response'] as const;

/** The body of a side whose label says JSON, with the label; undefined where there is none. */
function jsonBody({ captured, request, response }: DecodedExchange, side: 'request' | 'response') {
  const json = side === 'request' ? request.json : response?.json;
  if (json === undefined || json.text === '') return undefined;
  const type = header(captured[side]?.headers ?? [], 'content-type') ?? '';
  return type.includes('json') ? { json, type } : undefined;
}

/** The `charset` parameter of a media type, in lower case and without quotes. */
function charsetOf(type: string): string | undefined {
  if (!type.includes(';')) return undefined;
  const parameter = type
    .toLowerCase()
    .split(';')
    .find((text) => text.trim().startsWith('charset='));
  return parameter?.split('=')[1]?.trim().replaceAll('"', '');
}

export default defineRule({
  id: 'REST-013',
  level: 'MUST',
  party: 'sender',
  summary: 'The JSON text of an HTTP+JSON body is UTF-8.',
  spec: { '1.0': '14.1.1' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    bytes: 'The {side} body is no valid UTF-8',
    charset: 'The {side} body is labelled as {found}',
  },
  why: 'JSON readers take every body for UTF-8: they refuse the bytes, or show wrong letters. A label with another charset on a body that is good UTF-8 is a warning: most readers do not look at it.',
  fix: 'Encode JSON as UTF-8 and leave the `charset` parameter out.',
  examples: {
    good: [
      [rest({ ...get, response: v1.task('WORKING') })],
      ...['utf-8', '"UTF-8"', ' utf-8', 'utf8', 'us-ascii'].map((charset) => [
        rest({ ...send, headers: { 'Content-Type': `application/a2a+json; charset=${charset}` } }),
      ]),
    ],
    skip: [
      [rest({ ...get, status: 204, responseText: '' })],
      [
        rest({
          ...get,
          status: 502,
          responseText: 'Bad gateway',
          responseHeaders: { 'Content-Type': 'text/plain; charset=iso-8859-1' },
        }),
      ],
    ],
    bad: [
      {
        example: [
          {
            ...rest(get),
            response: {
              status: 200,
              headers: { 'Content-Type': 'application/a2a+json' },
              body_base64: Buffer.from(
                JSON.stringify(v1.task('WORKING', { metadata: { place: 'Zürich' } })),
                'latin1',
              ).toString('base64'),
            },
          },
        ],
        messages: ['bytes'],
      },
      {
        example: [rest({ ...send, headers: { 'Content-Type': 'application/a2a+json; charset=iso-8859-1' } })],
        messages: ['charset'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange) => {
    let applies: boolean | 'undecidable' = false;
    for (const side of sides) {
      const body = jsonBody(exchange, side);
      if (body === undefined) continue;
      if (!isUnread(body.json.state)) return true;
      applies = 'undecidable';
    }
    return applies;
  },
  check: (exchange, { report }) => {
    for (const side of sides) {
      const body = jsonBody(exchange, side);
      // What is cut off may end within a character.
      if (body === undefined || isUnread(body.json.state)) continue;
      const charset = charsetOf(body.type);
      if (!body.json.utf8) report('bytes', { data: { side }, at: { side, pointer: '' }, expected: 'UTF-8' });
      else if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii')
        report('charset', {
          outcome: 'warn',
          data: { side, found: charset },
          at: { side, header: 'Content-Type' },
          expected: 'no charset, or utf-8',
          actual: charset,
        });
    }
  },
});
