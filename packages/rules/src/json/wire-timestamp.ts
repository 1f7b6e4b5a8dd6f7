import type { Json } from '@plugfest/model';

/**
 * What a value in a timestamp's place is: a UTC date-time as 1.0 wants it (section 5.6.1), one with another offset,
 * one without any zone, or no date-time at all.
 */
export type TimestampForm = 'utc' | 'offset' | 'no-zone' | 'none';

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,]\d{1,12})?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** What nearly all are: UTC, on a day that every month has. Others are looked at closely. */
const ordinary =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,12})?Z$/;

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** None for a month that does not exist. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0);
}

/** Any number of fraction digits is accepted, and a leap second is. */
export function timestampForm(value: Json): TimestampForm {
  if (typeof value !== 'string') return 'none';
  if (ordinary.test(value)) return 'utc';
  const match = pattern.exec(value);
  if (match === null) return 'none';
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', zone] = match;
  const inRange =
    Number(day) >= 1 &&
    Number(day) <= daysIn(Number(year), Number(month)) &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 60;
  if (!inRange) return 'none';
  if (zone === undefined) return 'no-zone';
  return zone === 'Z' ? 'utc' : 'offset';
}
