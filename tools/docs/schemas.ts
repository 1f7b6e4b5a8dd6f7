import { jsonSchemaOf, protocolSchemas } from '@plugfest/a2a/schemas';

/** By path, the JSON Schema of each protocol version. */
export const schemaPages = (): readonly (readonly [path: string, text: string])[] =>
  Object.values(protocolSchemas).map((schema) => [
    `docs/schemas/a2a-${schema.version}.schema.json`,
    `${JSON.stringify(jsonSchemaOf(schema), null, 2)}\n`,
  ]);
