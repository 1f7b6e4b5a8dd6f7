import type { Json } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { pointerToken } from '../pointer.ts';
import { jsonSchemaOf, schemaId, shallowSchemaOf } from './json-schema.ts';
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

const options = { strict: false, validateFormats: false, validateSchema: false } as const;
let whole: Ajv2020 | undefined;
let shallow: Ajv2020 | undefined;
const wholeValidators = new Map<SchemaVersion, Map<string, ValidateFunction>>();
const shallowValidators: typeof wholeValidators = new Map();

/** Compiled when the first value of its kind comes, and once: compiling takes longer than a thousand validations. */
function compiledOnce(
  validators: typeof wholeValidators,
  version: SchemaVersion,
  type: string,
  compile: (version: SchemaVersion, type: string) => ValidateFunction | undefined,
): ValidateFunction {
  const known = validators.get(version)?.get(type);
  if (known !== undefined) return known;
  const compiled = compile(version, type);
  if (compiled === undefined) throw new Error(`there is no A2A schema ${version} ${type}`);
  const ofVersion = validators.get(version) ?? new Map<string, ValidateFunction>();
  validators.set(version, ofVersion.set(type, compiled));
  return compiled;
}

function compileWhole(version: SchemaVersion, definition: string): ValidateFunction | undefined {
  if (whole === undefined) {
    whole = new Ajv2020(options);
    for (const schema of Object.values(protocolSchemas)) whole.addSchema(jsonSchemaOf(schema));
  }
  const token = encodeURIComponent(definition.replaceAll('~', '~0').replaceAll('/', '~1'));
  return whole.getSchema(`${schemaId(version)}#/$defs/${token}`);
}

/** Collecting all errors through references costs their square; object by object it does not. */
function compileShallow(version: SchemaVersion, type: string): ValidateFunction | undefined {
  shallow ??= new Ajv2020({ ...options, allErrors: true });
  const schema = shallowSchemaOf(protocolSchemas[version], type);
  return schema && shallow.compile(schema);
}

/** True for a value that is all that the definition of that version wants it to be. */
export const meetsSchema = (version: SchemaVersion, definition: string, value: Json): boolean =>
  compiledOnce(wholeValidators, version, definition, compileWhole)(value);

/**
 * What in an object is not as its type in that version wants it, outermost objects first; a hundred breaches at most,
 * and none where all is well.
 */
export function schemaBreaches(version: SchemaVersion, type: string, value: Json): readonly SchemaBreach[] {
  if (meetsSchema(version, type, value)) return [];
  const breaches: SchemaBreach[] = [];
  const open: { readonly type: string; readonly value: Json; readonly pointer: string }[] = [
    { type, value, pointer: '' },
  ];
  const { types } = protocolSchemas[version];
  for (let next = open.pop(); next !== undefined && breaches.length < maxBreaches; next = open.pop()) {
    const { pointer } = next;
    const validate = compiledOnce(shallowValidators, version, next.type, compileShallow);
    if (!validate(next.value))
      for (const error of (validate.errors ?? []).slice(0, maxBreaches - breaches.length))
        breaches.push(breachOf(error, pointer));
    if (!isJsonObject(next.value)) continue;
    const inner: typeof open = [];
    for (const [name, { type: innerType, shape }] of types.get(next.type) ?? []) {
      const member = Object.hasOwn(next.value, name) ? next.value[name] : undefined;
      if (typeof member !== 'object' || member === null || !types.has(innerType)) continue;
      const at = `${pointer}/${pointerToken(name)}`;
      if (shape === 'one') inner.push({ type: innerType, value: member, pointer: at });
      else
        for (const [key, item] of Object.entries(member))
          if (isJsonObject(item))
            inner.push({ type: innerType, value: item, pointer: `${at}/${pointerToken(key)}` });
    }
    // Taken from the end: so the first member comes first.
    for (const each of inner.reverse()) open.push(each);
  }
  return breaches;
}

function breachOf({ instancePath, keyword, params }: ErrorObject, pointer: string): SchemaBreach {
  const expected =
    keyword === 'type' ? params.type : keyword === 'required' ? params.missingProperty : undefined;
  return {
    pointer: pointer + instancePath,
    keyword,
    expected: Array.isArray(expected) ? expected.join(' or ') : expected,
  };
}
