import { taskStates } from '@plugfest/a2a';
import { isInstant } from '../instant.ts';
import type { ParameterType } from './query-parameters.ts';

/** Numbers as names are legal ProtoJSON for enums, but not what section 11.5 says of queries. */
const formats: Readonly<
  Record<ParameterType, { readonly fits: (value: string) => boolean; readonly text: string }>
> = {
  string: { fits: () => true, text: 'a text' },
  boolean: { fits: (value) => value === 'true' || value === 'false', text: '`true` or `false`' },
  number: { fits: (value) => /^-?\d{1,19}$/.test(value), text: 'a decimal number' },
  state: {
    fits: (value) => (taskStates as readonly string[]).includes(value),
    text: 'the name of a state, such as TASK_STATE_WORKING',
  },
  time: { fits: (value) => isInstant(value), text: 'an ISO 8601 time, such as 2026-01-01T00:00:00Z' },
};

/** Does a query value have the form of section 11.5? */
export const fitsQuery = (type: ParameterType, value: string): boolean => formats[type].fits(value);

/** That form, in words. */
export const queryFormat = (type: ParameterType): string => formats[type].text;
