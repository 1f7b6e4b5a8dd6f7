import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { deliver, grpc, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { type ExtendedObject, extendedObjects } from './extended-objects.ts';
import { cite, familyOf, geo } from './extensions.ts';

/** How many keys of metadata are looked at, and how many extensions for each. */
const [lookedAtKeys, lookedAtExtensions] = [64, 16];

/** Messages and artifacts with extensions whose metadata has some member. Its values are never looked at. */
const withMetadata = (exchange: DecodedExchange): readonly (ExtendedObject & { keys: readonly string[] })[] =>
  extendedObjects(exchange).flatMap((extended) => {
    const { metadata } = extended.object.value;
    const keys = isJsonObject(metadata) ? Object.keys(metadata).slice(0, lookedAtKeys) : [];
    return keys.length > 0 ? [{ ...extended, keys }] : [];
  });

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * A key that can only mean this extension, but is not its URI: the URI without scheme, of other case or another
 * version, or its last name alone.
 */
function means(key: string, uri: string): boolean {
  if (key.length > 2048) return false;
  if (/^[a-z]+:/i.test(key)) return familyOf(key.toLowerCase()) === familyOf(uri.toLowerCase());
  const name = plain(familyOf(uri).replace(/^.*[/:#]/s, ''));
  const whole = plain(uri);
  const own = plain(key);
  return own.length > 2 && (own === name || (own.length > name.length && whole.endsWith(own)));
}

const headers = { 'A2A-Extensions': geo } as const;
const responseHeaders = headers;
const send = (
  metadata: { readonly [key: string]: { readonly [name: string]: number } },
  extensions: readonly string[] = [geo],
) =>
  rpc({
    method: 'SendMessage',
    headers: { 'A2A-Extensions': extensions.join(', ') },
    responseHeaders: { 'A2A-Extensions': extensions.join(', ') },
    params: { message: v1.message('Where am I?', { extensions: [...extensions], metadata }) },
    result: { task: v1.task('COMPLETED') },
  });
const place = { latitude: 41.9, longitude: 12.5 } as const;

const byGrpc = (key: string) =>
  grpc({
    method: 'SendMessage',
    metadata: { 'a2a-extensions': geo },
    request: { message: v1.message('Where am I?', { extensions: [geo], metadata: { [key]: place } }) },
    response: { task: v1.task('COMPLETED') },
  });

export default defineRule({
  id: 'EXT-008',
  level: 'SHOULD',
  party: 'sender',
  summary: 'Data of an extension lies in `metadata` under the URI of the extension.',
  spec: { '1.0': '4.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  messages: {
    key: '`metadata` has the key {key}, which stands for {extension} but does not begin with its URI',
  },
  why: 'The receiver looks for the URI and finds nothing; short names clash where two extensions choose the same.',
  fix: 'Use the URI of the extension as the key, or the URI with a path after it.',
  examples: {
    good: [
      [send({ [geo]: place })],
      [byGrpc(geo)],
      [send({ [`${geo}/position`]: place, trace: { hop: 1 } })],
      [send({ [geo]: place, 'https://traces.example/v1': { hop: 1 } }, [geo, cite])],
      // Two letters may mean anything.
      [send({ ai: { temperature: 1 } }, ['urn:example:ai:v1'])],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          headers,
          responseHeaders,
          response: v1.task('COMPLETED', {
            artifacts: [v1.artifact('Rome', { extensions: [geo], metadata: { [geo]: place } })],
          }),
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [deliver(v1.statusUpdate('WORKING', { metadata: { geo: place } }))],
      [send({})],
    ],
    bad: [
      { example: [send({ geo: place })], messages: ['key'] },
      { example: [byGrpc('geo')], messages: ['key'] },
      {
        example: [send({ geoFence: place }, ['https://extensions.example/geo-fence/v1'])],
        messages: ['key'],
      },
      { example: [send({ 'extensions.example/geo/v1': place })], messages: ['key'] },
      { example: [send({ 'https://extensions.example/geo/v2': place })], messages: ['key'] },
    ],
  },
  when: (exchange) => withMetadata(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { object, extensions, at, keys } of withMetadata(exchange)) {
      for (const key of keys) {
        if (extensions.some((uri) => key.startsWith(uri))) continue;
        const extension = extensions.slice(0, lookedAtExtensions).find((uri) => means(key, uri));
        if (extension === undefined) continue;
        report('key', {
          data: { key, extension },
          at: { ...at, pointer: `${object.pointer}/metadata` },
          expected: extension,
          actual: key,
        });
      }
    }
  },
});
