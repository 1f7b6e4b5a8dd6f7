import type { UnknownField } from '../decoded.ts';
import { counterpart, messageOf } from './schemas.ts';
import { fieldOf, wireTypeOf } from './survey.ts';

/** True for a field that the message of the same name has in the other package: it is no addition of later days. */
export function isOfOtherPackage({ message, number, wireType, name }: UnknownField): boolean {
  const type = messageOf(message);
  const other = type && counterpart(type);
  if (other === undefined) return false;
  if (name !== undefined) return other.fields.some((field) => field.name === name || field.jsonName === name);
  const field = number === undefined ? undefined : fieldOf(other, number);
  return field !== undefined && wireTypeOf(field) === wireType;
}
