import type { Json, JsonObject } from '@plugfest/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../cards/json-text.ts';
import { answersWithConfig, locateInAnswer, locateInRequest } from './config-places.ts';

const places = (text: string, isConfig = false): string[] =>
  (locateInRequest(text, isConfig)?.places ?? []).map(({ pointer, url }) => `${pointer} ${url}`);

describe('webhook URLs of a request', () => {
  it('are found where a name stands twice, since parsers differ in which they read', () => {
    const text =
      '{"params":{"pushNotificationConfig":{"url":"a","url":"b"},"pushNotificationConfig":{"url":"c"}},"method":"x"}';
    expect(places(text).map((place) => place.at(-1))).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['in a message', '{"method":"SendMessage","params":{"message":{"pushNotificationConfig":{"url":"a"}}}}'],
    ['in metadata', '{"method":"SendMessage","params":{"metadata":{"pushNotificationConfig":{"url":"a"}}}}'],
    ['beside a config', '{"method":"SendMessage","params":{"url":"a","configuration":{"url":"b"}}}'],
    ['of a task', '{"method":"GetTask","params":{"url":"a"}}'],
    ['that are no texts', '{"method":"x","params":{"pushNotificationConfig":{"url":5}}}'],
    ['in no JSON', '{"params":{"pushNotificationConfig":{"url":"a"}}'],
  ])('are none %s', (_name, text) => {
    expect(places(text)).toEqual([]);
  });

  it('have pointers that lead to them', () => {
    const text = '[{"method":"CreateTaskPushNotificationConfig","params":{"url":"a"}}]';
    expect(places(text)).toEqual(['/0/params/url a']);
    expect(places('{"config":{"pushNotificationConfig":{"url":"b"}}}', true)).toEqual([
      '/config/pushNotificationConfig/url b',
    ]);
  });

  it('are all that differs once they are replaced, whatever else there is', () => {
    const rest = fc.jsonValue().map((value) => value as Json);
    const url = fc.string();
    const request = fc.record({ message: rest, metadata: rest, url }).map(({ message, metadata, url }) => ({
      method: 'SendMessage',
      params: {
        message,
        configuration: { x: metadata, taskPushNotificationConfig: { url, token: metadata } },
      },
    }));
    fc.assert(
      fc.property(request, fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const edits = (locateInRequest(text, false)?.places ?? []).map(({ start, end }) => ({
          start,
          end,
          text: '"new"',
        }));
        expect(edits).toHaveLength(1);
        const expected = structuredClone(value);
        expected.params.configuration.taskPushNotificationConfig.url = 'new';
        expect(JSON.parse(applyEdits(text, edits))).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });

  it('are looked for in whatever comes, and never throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify({ method: 'x', params: value })),
        ),
        (text) => {
          locateInRequest(text, true);
          locateInAnswer(text, 'root');
          locateInAnswer(text, 'result');
        },
      ),
    );
    expect(locateInRequest(`${'['.repeat(100_000)}`, true)).toBeUndefined();
  });

  it('are bounded in number', () => {
    const configs: JsonObject[] = Array.from({ length: 5000 }, () => ({ url: 'a' }));
    expect(locateInAnswer(JSON.stringify({ configs }), 'root')).toHaveLength(1024);
  });
});

it.each([
  ['CreateTaskPushNotificationConfig', true],
  ['ListTaskPushNotificationConfigs', true],
  ['ListTaskPushNotificationConfig', true],
  ['tasks/pushNotificationConfig/list', true],
  ['tasks/pushNotification/set', true],
  ['DeleteTaskPushNotificationConfig', false],
  ['tasks/pushNotificationConfig/delete', false],
  ['SendMessage', false],
  ['XGetTaskPushNotificationConfig', false],
])('%s answers with a config: %s', (method, answers) => {
  expect(answersWithConfig(method)).toBe(answers);
});
