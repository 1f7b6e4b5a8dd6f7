import { decodeExchange } from '@plugfest/a2a';
import { describe, expect, it } from 'vitest';
import type { HttpExampleExchange } from '../examples/example.ts';
import { deliver, getCard, rpc, rpcStream, unanswered, v1 } from '../examples/index.ts';
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

  it('is told by what a request asks and by what its answer says', () => {
    const nothing = outline();
    const step = (exchange: HttpExampleExchange) => outline(exchange).divergenceFrom(nothing)?.before;
    expect(step(get('WORKING'))).toMatchObject({
      request: 'GetTask (JSONRPC 1.0)',
      answer: '200, TASK_STATE_WORKING',
      end: 'complete',
      seq: 0,
    });
    const refused = { method: 'GetTask', params: { id: 'task-1' }, error: { code: -32001, message: 'No' } };
    expect(step(rpc(refused))?.answer).toBe('200, error -32001');
    expect(step(unanswered(get('WORKING')))?.answer).toBe('no answer');
    expect(step(stream('WORKING', 'WORKING', 'COMPLETED'))?.answer).toBe(
      '200, task TASK_STATE_SUBMITTED, statusUpdate TASK_STATE_WORKING, statusUpdate TASK_STATE_COMPLETED',
    );
    const replied = rpcStream({
      method: 'SendStreamingMessage',
      params: { message: v1.message('more') },
      events: [{ message: v1.reply('Done') }],
    });
    expect(step(replied)?.answer).toBe('200, message');
    expect(step(deliver(v1.statusUpdate('COMPLETED')))?.request).toBe('delivery (HTTP+JSON 1.0)');
    expect(step(getCard({}, { url: 'https://agent.example/other?page=1' }))?.request).toBe('GET /other');
  });

  it('shows an answer beside the one to the same request, where the other capture has one', () => {
    const one = outline(get('WORKING'), send('task-1'));
    const refused = { method: 'GetTask', params: { id: 'task-1' }, error: { code: -32001, message: 'No' } };
    const other = outline(stream('COMPLETED'), rpc(refused), send('task-1'));
    expect(one.divergenceFrom(other)).toMatchObject({
      before: { exchange: 'x0' },
      after: { exchange: 'x1', answer: '200, error -32001' },
    });
    expect(outline(get('WORKING')).divergenceFrom(outline(stream('COMPLETED')))).toMatchObject({
      before: { exchange: 'x0' },
      after: { exchange: 'x0', request: 'SendStreamingMessage (JSONRPC 1.0)' },
    });
  });

  it('is the first one that the other capture lacks, whatever that has more', () => {
    const from = (caller: string, exchange: HttpExampleExchange) => ({ ...exchange, from: caller });
    const one = outline(
      from('a', send('task-1')),
      from('b', get('WORKING')),
      from('c', get('WORKING')),
      from('a', get('WORKING')),
    );
    const other = outline(from('d', get('WORKING')), from('a', send('task-1')));
    expect(one.divergenceFrom(other)).toMatchObject({ caller: 'b', before: { exchange: 'x1' } });
    const more = outline(from('a', send('task-1')), from('b', get('WORKING')), from('a', get('WORKING')));
    expect(outline(from('a', send('task-1'))).divergenceFrom(more)).toMatchObject({
      caller: 'b',
      before: undefined,
      after: { exchange: 'x1' },
    });
    // Another capture may have more in what it says first, and lack something later.
    const early = outline(from('b', get('WORKING')), from('a', send('task-1')), from('a', get('WORKING')));
    expect(outline(from('c', get('WORKING'))).divergenceFrom(early)).toMatchObject({ caller: 'c' });
    expect(early.divergenceFrom(outline(from('c', get('WORKING'))))).toMatchObject({ caller: 'b' });
  });

  it('names the first of equal exchanges, and its cell', () => {
    const made = new Outline();
    for (const exchange of captured([get('WORKING'), get('WORKING')], { cell: 'cell-1' }))
      made.add(decodeExchange(exchange));
    expect(made.divergenceFrom(outline())).toMatchObject({ cell: 'cell-1', before: { exchange: 'x0' } });
    expect(outline(get('WORKING')).divergenceFrom(outline())).not.toHaveProperty('cell');
  });

  it('is a conversation that only one of them has', () => {
    const other = outline({ ...send('task-1'), from: 'another client' });
    const divergence = outline(send('task-1')).divergenceFrom(other);
    expect(divergence).toMatchObject({ caller: 'client', after: undefined });
  });
});
