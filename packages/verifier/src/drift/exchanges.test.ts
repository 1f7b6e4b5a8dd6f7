import { decodeExchange } from '@plugfest/a2a';
import { describe, expect, it } from 'vitest';
import type { HttpExampleExchange } from '../examples/example.ts';
import { rpc, rpcStream, v1 } from '../examples/index.ts';
import { captured } from '../testing/captured.ts';
import { Outline } from './exchanges.ts';

function outline(...exchanges: readonly HttpExampleExchange[]): Outline {
  const made = new Outline();
  for (const exchange of captured(exchanges)) made.add(decodeExchange(exchange));
  return made;
}

const send = (id: string) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('hello') },
    result: { task: v1.task('WORKING', { id }) },
  });
const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const stream = (...states: readonly string[]) =>
  rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('more') },
    events: [{ task: v1.task('SUBMITTED') }, ...states.map((state) => v1.statusUpdate(state))],
  });

describe('where two captures part', () => {
  it('is nowhere when ids, the order side by side and the number of polls differ', () => {
    const one = outline(send('task-1'), get('WORKING'), get('WORKING'), get('COMPLETED'));
    const other = outline(get('WORKING'), send('task-2'), get('COMPLETED'));
    expect(one.divergenceFrom(other)).toBeUndefined();
  });

  it('is the first exchange that ends otherwise, beside what the other capture has for that request', () => {
    const one = outline(send('task-1'), stream('WORKING', 'COMPLETED'), get('COMPLETED'));
    const other = outline(send('task-1'), stream('WORKING', 'FAILED'), get('FAILED'));
    expect(one.divergenceFrom(other)).toMatchObject({
      caller: 'client',
      callee: 'agent',
      before: { exchange: 'x1', answer: expect.stringContaining('COMPLETED') },
      after: { exchange: 'x1', answer: expect.stringContaining('FAILED') },
    });
  });

  it('is an exchange that only one of them has', () => {
    const one = outline(send('task-1'));
    const more = outline(send('task-1'), get('WORKING'));
    expect(one.divergenceFrom(more)).toMatchObject({ before: undefined, after: { exchange: 'x1' } });
    expect(more.divergenceFrom(one)).toMatchObject({ before: { exchange: 'x1' }, after: undefined });
  });

  it('is a conversation that only one of them has', () => {
    const other = outline({ ...send('task-1'), from: 'another client' });
    const divergence = outline(send('task-1')).divergenceFrom(other);
    expect(divergence).toMatchObject({ caller: 'client', after: undefined });
  });
});
