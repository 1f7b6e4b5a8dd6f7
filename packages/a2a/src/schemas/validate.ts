import type { Json } from '@plugfest/model';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonSchemaOf, schemaId } from './json-schema.ts';
import { protocolSchemas } from './protocol-schemas.ts';
import type { ProtocolSchema } from './shape.ts';

/** Something in a value that its schema does not allow. */
export interface SchemaBreach {
  /** JSON pointer from the value. */
  readonly pointer: string;
  /** The keyword of JSON Schema that is not met: `type`, `required`, `enum`, `oneOf`, … */
  readonly keyword: string;
  /** For `type`: the types that may stand there. For `required`: the member. */
  readonly expected: string | undefined;
}

export type SchemaVersion = ProtocolSchema['version'];

/** More than these in one value have the same few causes. */
const maxBreaches = 100;

let compiler: Ajv2020 | undefined;
const validators = new Map<string, ValidateFunction>();

/** Compiled when the first value of its kind comes, and once: compiling takes longer than a thousand validations. */
function validatorOf(version: SchemaVersion, definition: string): ValidateFunction {
  const key = `${version} ${definition}`;
  const known = validators.get(key);
  if (known !== undefined) return known;
  if (compiler === undefined) {
    compiler = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, validateSchema: false });
    for (const schema of Object.values(protocolSchemas)) compiler.addSchema(jsonSchemaOf(schema));
  }
  const token = encodeURIComponent(definition.replaceAll('~', '~0').replaceAll('/', '~1'));
  const compiled = compiler.getSchema(`${schemaId(version)}#/$defs/${token}`);
  if (compiled === undefined) throw new Error(`A2A ${version} has no ${definition}`);
  validators.set(key, compiled);
  return compiled;
}

/**
 * What in a value is not as the definition of that version wants it; empty where all is well. Definitions are the
 * objects' names, and `<method> request` and `<method> response`.
 */
export function schemaBreaches(
  version: SchemaVersion,
  definition: string,
  value: Json,
): readonly SchemaBreach[] {
  const validate = validatorOf(version, definition);
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, maxBreaches).map(breachOf);
}

function breachOf({ instancePath, keyword, params }: ErrorObject): SchemaBreach {
  const expected =
    keyword === 'type' ? params.type : keyword === 'required' ? params.missingProperty : undefined;
  return {
    pointer: instancePath,
    keyword,
    expected: Array.isArray(expected) ? expected.join(' or ') : expected,
  };
}
