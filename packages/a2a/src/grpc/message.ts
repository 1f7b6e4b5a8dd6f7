import { type DescMessage, fromBinary, toJson } from '@bufbuild/protobuf';
import type { Json } from '@plugfest/model';
import type { JsonBody } from '../decoded.ts';
import { absentBody } from '../json-text.ts';
import { withReadDefaults } from './read-defaults.ts';
import { nestingLimit, survey } from './survey.ts';

/** The bytes of a protobuf message as the ProtoJSON that other bindings have. Never throws. */
export function readProtobuf(type: DescMessage, bytes: Uint8Array): JsonBody {
  const { state, problem, unknownFields } = survey(type, bytes);
  const unknown = unknownFields.length === 0 ? {} : { unknownFields };
  if (state !== 'ok')
    return { ...absentBody, state, ...unknown, ...(problem === undefined ? {} : { problem }) };
  try {
    const message = fromBinary(type, bytes, { readUnknownFields: false, recursionLimit: nestingLimit });
    const value = withReadDefaults(type, toJson(type, message) as Json);
    return { ...absentBody, state: 'ok', value, text: JSON.stringify(value), ...unknown };
  } catch (error) {
    // Timestamps out of range, numbers that JSON has not, a Value that is none: no ProtoJSON says it.
    const text = error instanceof Error ? error.message : String(error);
    return { ...absentBody, state: 'invalid', ...unknown, problem: text.slice(0, 200) };
  }
}
