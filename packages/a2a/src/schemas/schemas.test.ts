import type { Json, JsonObject } from '@plugfest/model';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSchemaOf, meetsSchema, protocolSchemas, schemaBreaches } from './index.ts';

const message10: JsonObject = { messageId: 'm-1', role: 'ROLE_AGENT', parts: [{ text: 'hello' }] };
const task10: JsonObject = {
  id: 'task-1',
  contextId: 'ctx-1',
  status: { state: 'TASK_STATE_COMPLETED', message: message10, timestamp: '2026-01-01T00:00:00.000Z' },
  artifacts: [{ artifactId: 'a-1', parts: [{ raw: 'aGVsbG8=', mediaType: 'text/plain' }, { data: null }] }],
  history: [message10],
};
const message03: JsonObject = {
  kind: 'message',
  messageId: 'm-1',
  role: 'user',
  parts: [{ kind: 'text', text: 'hello' }],
};

const breaches = (version: keyof typeof protocolSchemas, definition: string, value: Json): string[] =>
  schemaBreaches(version, definition, value).map(({ pointer, keyword, expected }) =>
    `${pointer} ${keyword} ${expected ?? ''}`.trim(),
  );

describe('the JSON Schemas', () => {
  for (const schema of Object.values(protocolSchemas))
    it(`of ${schema.version} are valid JSON Schemas in which every reference leads somewhere`, () => {
      const document = jsonSchemaOf(schema);
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      expect(ajv.validateSchema(document)).toBe(true);
      ajv.addSchema(document);
      for (const definition of Object.keys(document.$defs as object))
        expect(
          ajv.getSchema(`${document.$id}#/$defs/${encodeURIComponent(definition.replaceAll('/', '~1'))}`),
        ).toBeDefined();
    });

  it('accept what each version writes', () => {
    expect(breaches('1.0', 'Task', task10)).toEqual([]);
    expect(
      meetsSchema('1.0', 'SendMessage response', { jsonrpc: '2.0', id: 1, result: { task: task10 } }),
    ).toBe(true);
    expect(breaches('0.3', 'Message', message03)).toEqual([]);
    expect(
      meetsSchema('0.3', 'message/send request', {
        ...{ jsonrpc: '2.0', id: 'a', method: 'message/send', params: { message: message03 } },
      }),
    ).toBe(true);
    expect(
      breaches('0.1', 'Task', {
        id: 't',
        sessionId: 's',
        status: { state: 'unknown' },
        artifacts: [{ parts: [{ type: 'data', data: [1] }], index: 0 }],
      }),
    ).toEqual([]);
  });

  it('refuse envelopes with both a result and an error, and with neither', () => {
    const error = { code: -32001, message: 'Task not found' };
    const meets = (more: JsonObject) =>
      meetsSchema('1.0', 'GetTask response', { jsonrpc: '2.0', id: 1, ...more });
    expect([meets({ error }), meets({ error, result: task10 }), meets({})]).toEqual([true, false, false]);
  });

  it('never refuse an unknown member', () => {
    expect(breaches('1.0', 'Task', { ...task10, later: { of: 1 } })).toEqual([]);
    expect(breaches('0.3', 'Message', { ...message03, later: null })).toEqual([]);
  });

  it('say what is missing, of a wrong type, unknown or empty, and where', () => {
    expect(breaches('1.0', 'Task', { ...task10, id: 5 })).toEqual(['/id type string']);
    expect(breaches('1.0', 'Task', { ...task10, status: {} })).toEqual(['/status required state']);
    expect(breaches('1.0', 'Task', { ...task10, status: { state: 'completed' } })).toEqual([
      '/status/state enum',
    ]);
    expect(breaches('1.0', 'Message', { ...message10, parts: [] })).toEqual(['/parts minItems']);
    expect(breaches('1.0', 'GetTaskRequest', { id: 't', historyLength: 1.5 })).toEqual([
      '/historyLength type integer',
    ]);
    expect(breaches('1.0', 'Message', { ...message10, parts: [{ text: 'a', url: 'b' }] })).toContain(
      '/parts/0 oneOf',
    );
    expect(breaches('0.1', 'Task', { id: 't', status: { state: 'rejected' } })).toEqual([
      '/status/state enum',
    ]);
  });

  it('say it of the outermost object first, and of members in the order of the definition', () => {
    const value: JsonObject = {
      ...{ history: [{ role: 'x' }, null, 7], artifacts: 'x', metadata: null, id: 5 },
      status: { state: 'x', message: { messageId: 1, role: 'ROLE_USER', parts: [{}] } },
    };
    expect(breaches('1.0', 'Task', value)).toEqual([
      '/id type string',
      '/artifacts type array',
      '/history/1 type object',
      '/history/2 type object',
      '/metadata type object',
      '/status/state enum',
      '/status/message/messageId type string',
      '/status/message/parts/0 required text',
      '/status/message/parts/0 required raw',
      '/status/message/parts/0 required url',
      '/status/message/parts/0 required data',
      '/status/message/parts/0 oneOf',
      '/history/0 required messageId',
      '/history/0 required parts',
      '/history/0/role enum',
    ]);
    expect(() => meetsSchema('1.0', 'NoSuch', {})).toThrow('there is no A2A schema 1.0 NoSuch');
    expect(breaches('1.0', 'Task', 'x')).toEqual(['type object']);
  });

  it('find a breach in every value that does not meet them, wherever it lies', () => {
    const places = [
      '/id',
      '/status',
      '/status/message/parts/0',
      '/artifacts/0/parts/0/raw',
      '/history/0/role',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 2 }), (place, value) => {
        const spoilt: JsonObject = structuredClone(task10) as JsonObject;
        const names = place.split('/').slice(1);
        const last = names.pop() ?? '';
        const owner = names.reduce<Json>((at, name) => (at as Record<string, Json>)[name] ?? null, spoilt);
        (owner as Record<string, Json>)[last] = value as Json;
        expect(schemaBreaches('1.0', 'Task', spoilt).length === 0).toBe(meetsSchema('1.0', 'Task', spoilt));
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it('know what 0.2 did not have yet', () => {
    const card: JsonObject = {
      ...{ name: 'a', description: 'b', url: 'c', version: '1', capabilities: {} },
      ...{ defaultInputModes: [], defaultOutputModes: [], skills: [], signatures: 'later' },
    };
    expect(breaches('0.2', 'AgentCard', card)).toEqual([]);
    expect(breaches('0.3', 'AgentCard', card)).toEqual([
      'required protocolVersion',
      '/signatures type array',
    ]);
  });

  it('name a hundred breaches at most', () => {
    const parts = Array.from({ length: 10_000 }, () => ({ text: 1 }));
    expect(schemaBreaches('1.0', 'Message', { ...message10, parts }).length).toBe(100);
  });

  it('take values that no JSON writer would make', () => {
    const value: JsonObject = JSON.parse('{"__proto__":{"id":"x"},"constructor":1,"id":"\\ud800"}');
    expect(breaches('1.0', 'Task', value)).toEqual(['required status']);
  });
});
