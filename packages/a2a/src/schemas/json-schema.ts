import type { Field, JsonSchema, ProtocolSchema } from './shape.ts';

/** Names a schema; it is an identifier, and nothing is fetched from there. */
export const schemaId = (version: string): string => `urn:plugfest:a2a:${version}`;

const scalars: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  bytes: { type: 'string', contentEncoding: 'base64' },
  time: { type: 'string', format: 'date-time' },
};

/**
 * The JSON Schema (draft 2020-12) of one version: a definition for each object, and for each JSON-RPC method one of
 * its request and one of its response. Unknown members are allowed everywhere, as later versions and extensions add
 * some (1.0: section 5.7).
 */
export function jsonSchemaOf(schema: ProtocolSchema): JsonSchema {
  const { version, section, types, methods } = schema;
  const $defs: Record<string, JsonSchema> = {};
  // The envelope of 0.1 has neither to name its version nor an id, and writes unset members as null.
  const strict = version !== '0.1';
  for (const [type, fields] of types) $defs[type] = objectSchema(schema, type, fields);
  for (const [method, { params, result }] of Object.entries(methods)) {
    $defs[`${method} request`] = {
      title: `JSON-RPC request of ${method}`,
      ...envelope({ method: { const: method }, params: params === undefined ? {} : ref(params) }),
      required: [...(strict ? ['jsonrpc', 'id'] : []), 'method', ...(params === undefined ? [] : ['params'])],
    };
    const results = result?.map((type) =>
      type.endsWith('[]') ? { type: 'array', items: ref(type.slice(0, -2)) } : ref(type),
    );
    $defs[`${method} response`] = {
      title: `JSON-RPC response to ${method}, or one event of its stream`,
      ...envelope({
        result: results === undefined ? {} : { anyOf: strict ? results : [...results, { type: 'null' }] },
        error: strict ? ref('JSONRPCError') : { anyOf: [ref('JSONRPCError'), { type: 'null' }] },
      }),
      ...(strict
        ? { required: ['jsonrpc', 'id'], oneOf: [{ required: ['result'] }, { required: ['error'] }] }
        : {}),
    };
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaId(version),
    title: `Objects of A2A ${version} on the wire`,
    description: `Written for Plugfest after the A2A specification ${version}, section ${section}. Validate against a definition in $defs.`,
    $defs,
  };
}

/** The schema of one object alone: of the objects in it only that they are objects. */
export function shallowSchemaOf(schema: ProtocolSchema, type: string): JsonSchema | undefined {
  const fields = schema.types.get(type);
  return fields && objectSchema(schema, type, fields, () => ({ type: 'object' }));
}

const ref = (type: string): JsonSchema => ({ $ref: `#/$defs/${type}` });

const envelope = (members: Readonly<Record<string, unknown>>): JsonSchema => ({
  type: 'object',
  properties: { jsonrpc: { const: '2.0' }, id: { type: ['string', 'integer', 'null'] }, ...members },
});

function objectSchema(
  schema: ProtocolSchema,
  type: string,
  fields: ReadonlyMap<string, Field>,
  inner = ref,
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, field] of fields) properties[name] = fieldSchema(schema, type, name, field, inner);
  const required = [...fields].flatMap(([name, field]) => (field.required ? [name] : []));
  const constraint = schema.constraints[type];
  return {
    title: `${type} (A2A ${schema.version})`,
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...constraint,
  };
}

function fieldSchema(
  schema: ProtocolSchema,
  type: string,
  name: string,
  field: Field,
  inner: typeof ref,
): JsonSchema {
  const one = field.json ?? valueSchema(schema, type, field.type, inner);
  if (field.shape === 'map') return { type: 'object', additionalProperties: one };
  if (field.shape === 'one') return one;
  const filled = field.required && schema.emptyLists?.has(`${type}.${name}`) === false;
  return { type: 'array', items: one, ...(filled ? { minItems: 1 } : {}) };
}

function valueSchema(schema: ProtocolSchema, owner: string, type: string, inner: typeof ref): JsonSchema {
  if (type === 'state') return { type: 'string', enum: schema.states };
  if (type === 'role') return { type: 'string', enum: schema.roles };
  if (type === 'kind') return { type: 'string', enum: schema.kinds[owner]?.values ?? [] };
  return scalars[type] ?? inner(type);
}
