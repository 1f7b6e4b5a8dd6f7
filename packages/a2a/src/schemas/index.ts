export { jsonSchemaOf } from './json-schema.ts';
export { protocolSchemas } from './protocol-schemas.ts';
export type { Field, JsonSchema, MessageType, ProtocolSchema, Schema } from './shape.ts';
export { meetsSchema, type SchemaBreach, type SchemaVersion, schemaBreaches } from './validate.ts';
