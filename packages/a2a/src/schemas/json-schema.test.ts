import { describe, expect, it } from 'vitest';
import { jsonSchemaOf, shallowSchemaOf } from './json-schema.ts';
import { oneOfMembers, type ProtocolSchema, schemaOf } from './shape.ts';

const schema: ProtocolSchema = {
  version: '0.3',
  section: '6',
  types: schemaOf({
    Job: {
      id: 'string!',
      done: 'bool',
      count: 'int32',
      bytes: 'bytes',
      at: 'time',
      state: 'state!',
      role: 'role',
      kind: 'kind!',
      steps: 'Step[]!',
      notes: 'string[]!',
      more: 'Step[]',
      byName: 'Step{}!',
      labels: 'string{}',
      metadata: 'object',
      anything: 'any!',
      either: { type: ['string', 'null'] },
    },
    Step: { text: 'string', kind: 'kind' },
  }),
  states: ['working'],
  roles: ['user'],
  kinds: { Job: { member: 'kind', values: ['job'] } },
  constraints: { Step: oneOfMembers('text', 'url') },
  emptyLists: new Set(['Job.notes']),
  methods: {
    'jobs/get': { params: 'Job', result: ['Job', 'Step[]'] },
    'jobs/clear': { params: undefined, result: undefined },
  },
};

const properties = {
  id: { type: 'string' },
  done: { type: 'boolean' },
  count: { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
  bytes: { type: 'string', contentEncoding: 'base64' },
  at: { type: 'string', format: 'date-time' },
  state: { type: 'string', enum: ['working'] },
  role: { type: 'string', enum: ['user'] },
  kind: { type: 'string', enum: ['job'] },
  notes: { type: 'array', items: { type: 'string' } },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  metadata: { type: 'object' },
  anything: {},
  either: { type: ['string', 'null'] },
};
const required = ['id', 'state', 'kind', 'steps', 'notes', 'byName', 'anything'];
const step = { $ref: '#/$defs/Step' };
const id = { type: ['string', 'integer', 'null'] };
const jsonrpc = { const: '2.0' };
const error = { $ref: '#/$defs/JSONRPCError' };

describe('the JSON Schema of a version', () => {
  const definitionsOf = (given: ProtocolSchema) =>
    jsonSchemaOf(given).$defs as Readonly<Record<string, unknown>>;

  it('says what it is, and has no more definitions than objects and methods', () => {
    const document = jsonSchemaOf(schema);
    const definitions = definitionsOf(schema);
    expect(document).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:plugfest:a2a:0.3',
      title: 'Objects of A2A 0.3 on the wire',
    });
    expect(document.description).toContain('A2A specification 0.3, section 6.');
    expect(Object.keys(definitions)).toEqual([
      'Job',
      'Step',
      'jobs/get request',
      'jobs/get response',
      'jobs/clear request',
      'jobs/clear response',
    ]);
  });

  it('has a definition for each object: types, lists, maps, enumerations and what is required', () => {
    const definitions = definitionsOf(schema);
    expect(definitions.Job).toEqual({
      title: 'Job (A2A 0.3)',
      type: 'object',
      properties: {
        ...properties,
        steps: { type: 'array', items: step, minItems: 1 },
        more: { type: 'array', items: step },
        byName: { type: 'object', additionalProperties: step },
      },
      required,
    });
    expect(definitions.Step).toEqual({
      title: 'Step (A2A 0.3)',
      type: 'object',
      properties: { text: { type: 'string' }, kind: { type: 'string', enum: [] } },
      oneOf: [{ required: ['text'] }, { required: ['url'] }],
    });
  });

  it('lets required lists be empty where the version says nothing of it', () => {
    const lax = definitionsOf({ ...schema, emptyLists: undefined });
    expect(lax.Job).toMatchObject({ properties: { steps: { type: 'array', items: step } } });
    expect(JSON.stringify(lax)).not.toContain('minItems');
  });

  it('has a request and a response for each method', () => {
    const definitions = definitionsOf(schema);
    expect(definitions['jobs/get request']).toEqual({
      title: 'JSON-RPC request of jobs/get',
      type: 'object',
      properties: { jsonrpc, id, method: { const: 'jobs/get' }, params: { $ref: '#/$defs/Job' } },
      required: ['jsonrpc', 'id', 'method', 'params'],
    });
    expect(definitions['jobs/clear request']).toEqual({
      title: 'JSON-RPC request of jobs/clear',
      type: 'object',
      properties: { jsonrpc, id, method: { const: 'jobs/clear' }, params: {} },
      required: ['jsonrpc', 'id', 'method'],
    });
    expect(definitions['jobs/get response']).toEqual({
      title: 'JSON-RPC response to jobs/get, or one event of its stream',
      type: 'object',
      properties: {
        jsonrpc,
        id,
        result: { anyOf: [{ $ref: '#/$defs/Job' }, { type: 'array', items: step }] },
        error,
      },
      required: ['jsonrpc', 'id'],
      oneOf: [{ required: ['result'] }, { required: ['error'] }],
    });
    expect(definitions['jobs/clear response']).toMatchObject({
      properties: { jsonrpc, id, result: {}, error },
    });
  });

  it('of 0.1 wants neither version nor id of an envelope, and takes null for what is not set', () => {
    const oldest = definitionsOf({ ...schema, version: '0.1' });
    expect(oldest['jobs/get request']).toMatchObject({ required: ['method', 'params'] });
    expect(oldest['jobs/get response']).toEqual({
      title: 'JSON-RPC response to jobs/get, or one event of its stream',
      type: 'object',
      properties: {
        jsonrpc,
        id,
        result: { anyOf: [{ $ref: '#/$defs/Job' }, { type: 'array', items: step }, { type: 'null' }] },
        error: { anyOf: [error, { type: 'null' }] },
      },
    });
  });
});

describe('the schema of one object alone', () => {
  it('says of the objects in it only that they are objects', () => {
    const object = { type: 'object' };
    expect(shallowSchemaOf(schema, 'Job')).toEqual({
      title: 'Job (A2A 0.3)',
      type: 'object',
      properties: {
        ...properties,
        steps: { type: 'array', items: object, minItems: 1 },
        more: { type: 'array', items: object },
        byName: { type: 'object', additionalProperties: object },
      },
      required,
    });
    expect(shallowSchemaOf(schema, 'Nothing')).toBeUndefined();
  });
});
