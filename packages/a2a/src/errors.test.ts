import { describe, expect, it } from 'vitest';
import { a2aError, a2aErrorByReason, a2aErrors, errorNameOf } from './errors.ts';

describe('errors', () => {
  it('are nine, numbered without a gap, each with the reason that its name gives', () => {
    expect(a2aErrors.map(({ code }) => code)).toEqual(
      Array.from({ length: 9 }, (_, index) => -32001 - index),
    );
    for (const error of a2aErrors) {
      const reason = error.name
        .replace(/Error$/, '')
        .replace(/(?<!^)[A-Z]/g, '_$&')
        .toUpperCase();
      expect(error.reason).toBe(reason);
      expect(a2aErrorByReason(reason)).toBe(error);
      expect(a2aError(error.name)).toBe(error);
    }
  });

  it('are none without a name or a reason', () => {
    expect([a2aError(undefined), a2aError('NoSuchError'), a2aErrorByReason(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('mean different things in 0.1', () => {
    expect(errorNameOf('0.1', -32009)).toBe('InvalidTaskStateError');
    expect(errorNameOf('1.0', -32009)).toBe('VersionNotSupportedError');
  });

  it('keep their 1.0 meaning in 0.3 where 0.3 has none, and JSON-RPC codes theirs everywhere', () => {
    expect(errorNameOf('0.3', -32009)).toBe('VersionNotSupportedError');
    expect(errorNameOf('0.2', -32602)).toBe('InvalidParamsError');
    expect(errorNameOf('1.0', -32050)).toBeUndefined();
    expect(errorNameOf('1.0', 404)).toBeUndefined();
    expect(errorNameOf('0.1', -32010)).toBe('RateLimitExceededError');
    expect(errorNameOf('0.2', -32010)).toBeUndefined();
  });
});
