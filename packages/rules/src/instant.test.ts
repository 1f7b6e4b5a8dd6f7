import { describe, expect, it } from 'vitest';
import { compareInstants, isInstant } from './instant.ts';

const noon = '2026-01-01T12:00:00';

describe('instants', () => {
  it.each([
    [`${noon}Z`, `${noon}.000Z`],
    [`${noon}.12Z`, `${noon}.123456789Z`],
    [`${noon}.123456789Z`, `${noon}.12Z`],
    [`${noon}Z`, '2026-01-01T13:00:00+01:00'],
    [`${noon}Z`, '2026-01-01t12:00:00z'],
  ])('%s and %s are the same, as far as both say', (a, b) => {
    expect(compareInstants(a, b)).toBe(0);
  });

  it.each([
    [`${noon}Z`, '2026-01-01T12:00:01Z'],
    [`${noon}.1Z`, `${noon}.2Z`],
    [`${noon}+01:00`, `${noon}Z`],
  ])('%s is before %s', (a, b) => {
    expect(compareInstants(a, b)).toBeLessThan(0);
    expect(compareInstants(b, a)).toBeGreaterThan(0);
  });

  it.each([noon, '2026-01-01', '2026-13-01T00:00:00Z', `${noon}.Z`, ` ${noon}Z`, `${noon}Z `, 'now'])(
    '%s is none',
    (text) => {
      expect(isInstant(text)).toBe(false);
      expect(compareInstants(text, `${noon}Z`)).toBeUndefined();
      expect(compareInstants(`${noon}Z`, text)).toBeUndefined();
    },
  );

  it('are texts', () => {
    expect(isInstant(`${noon}Z`)).toBe(true);
    expect(isInstant(undefined)).toBe(false);
  });
});
