import { describe, expect, it } from 'vitest';
import { rpc, v1 } from '../examples/index.ts';
import { conversationOf, decodedOne as decoded } from '../testing/conversation.ts';

describe('what callers can do', () => {
  it('shows by what they did, in their cell', () => {
    const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
    const call = decoded(get);
    expect(conversationOf().habits.isFirstCall(call)).toBe(true);
    const seen = conversationOf(get);
    expect(seen.habits.isFirstCall(call)).toBe(false);
    expect(seen.habits.isFirstCall(decoded({ ...get, to: 'another agent' }))).toBe(true);
    expect(seen.habits.speaks(call, 'JSONRPC', '1.0')).toBe(true);
    expect(seen.habits.speaks(call, 'HTTP+JSON', '1.0')).toBe(false);
    expect(seen.habits.speaks(decoded({ ...get, from: 'another client' }), 'JSONRPC', '1.0')).toBe(false);
  });
});
