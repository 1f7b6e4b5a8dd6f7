import { describe, expect, it } from 'vitest';
import { isOfOtherPackage } from './unknown.ts';

const inCancel = { message: 'a2a.v1.CancelTaskRequest', pointer: '' };

describe('an unknown field', () => {
  it('is of the other package where the message of the same name has its number and wire type', () => {
    expect(isOfOtherPackage({ ...inCancel, number: 2, wireType: 2 })).toBe(true);
    expect(isOfOtherPackage({ ...inCancel, number: 2, wireType: 0 })).toBe(false);
    expect(isOfOtherPackage({ ...inCancel, number: 99, wireType: 2 })).toBe(false);
    expect(isOfOtherPackage(inCancel)).toBe(false);
  });

  it('is of the other package where that has its name, in JSON or in the definition', () => {
    const inEvent = { message: 'lf.a2a.v1.Part', pointer: '' };
    expect(isOfOtherPackage({ ...inEvent, name: 'file' })).toBe(true);
    expect(isOfOtherPackage({ ...inEvent, name: 'later' })).toBe(false);
    const inInterface = { message: 'a2a.v1.AgentInterface', pointer: '' };
    expect(isOfOtherPackage({ ...inInterface, name: 'protocolBinding' })).toBe(true);
    expect(isOfOtherPackage({ ...inInterface, name: 'protocol_binding' })).toBe(true);
  });

  it('is none where there is no such message', () => {
    expect(isOfOtherPackage({ message: 'lf.a2a.v1.ListTasksRequest', pointer: '', name: 'name' })).toBe(
      false,
    );
    expect(isOfOtherPackage({ message: 'test.All', pointer: '', number: 1, wireType: 2 })).toBe(false);
  });
});
