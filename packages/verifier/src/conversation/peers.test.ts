import { describe, expect, it } from 'vitest';
import type { HttpExampleExchange } from '../examples/example.ts';
import { deliver, getCard, rest, restError, rpc, v1, v03 } from '../examples/index.ts';
import { conversationOf } from '../testing/conversation.ts';

const get = (version: '0.3' | '1.0', to = 'agent') =>
  version === '1.0'
    ? rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING'), to })
    : rpc({ version, method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working'), to });
const peer = (...exchanges: readonly HttpExampleExchange[]) => conversationOf(...exchanges).peer('agent');

describe('what is known of an agent', () => {
  it('is nothing at first', () => {
    expect(peer()).toEqual({});
    expect(peer(get('1.0', 'another agent'), deliver(v1.statusUpdate('WORKING')))).toEqual({});
  });

  it('is the version of the last call', () => {
    expect(peer(get('1.0')).version).toBe('1.0');
    expect(peer(rpc({ method: 'Unheard', params: {}, result: {} }))).toEqual({});
    expect(peer(get('1.0'), get('0.3')).version).toBe('0.3');
    expect(peer(get('0.3'), getCard(v1.card())).version).toBe('0.3');
  });

  it('is the version of a card only where calls hardly ever show it', () => {
    const legacy = (protocolVersion: string) =>
      getCard(v03.card({ protocolVersion }), { url: 'https://agent.example/.well-known/agent.json' });
    expect(peer(legacy('0.2.5')).version).toBe('0.2');
    expect(peer(legacy('0.1.0')).version).toBe('0.1');
    expect(peer(legacy('0.3.0'))).not.toHaveProperty('version');
    expect(peer(getCard(v1.card()))).not.toHaveProperty('version');
    expect(peer(legacy('0.2.5'), get('0.3')).version).toBe('0.3');
  });

  it('are the paths of the HTTP+JSON interfaces of its last card, from its URL or by call', () => {
    const other = v1.card({
      supportedInterfaces: [
        { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: 'https://agent.example/one/', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url: 'no URL', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url: 'https://agent.example/two', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
    });
    expect(peer(getCard(v1.card())).basePaths).toEqual(['/rest']);
    expect(peer(getCard(v1.card()), getCard(other)).basePaths).toEqual(['/one', '/two']);
    const extended = rpc({ method: 'GetExtendedAgentCard', result: other });
    expect(peer(getCard(v1.card()), extended).basePaths).toEqual(['/one', '/two']);
    expect(peer(getCard(other), get('1.0')).basePaths).toEqual(['/one', '/two']);
  });
});

describe('the paths at which a caller found nothing', () => {
  const call = (path: string, more = {}) =>
    rest({ verb: 'GET', path, status: 404, responseText: '', ...more });
  const missed = (...exchanges: readonly HttpExampleExchange[]) => [
    ...conversationOf(...exchanges).missedPaths('client', 'agent'),
  ];

  it('are those of HTTP+JSON calls with 404 and no error of A2A', () => {
    expect(missed(call('/tasks/a'), call('/tasks/a'), call('/tasks/b'))).toEqual([
      '/rest/tasks/a',
      '/rest/tasks/b',
    ]);
    const details = [v1.errorInfo('TASK_NOT_FOUND')];
    const refused = call('/tasks/a', {
      responseText: undefined,
      response: restError(404, 'NOT_FOUND', 'No', details),
    });
    const others = [
      refused,
      call('/tasks/a', { status: 400 }),
      call('/tasks/a', { to: 'b' }),
      call('/tasks/a', { from: 'b' }),
    ];
    expect(missed(...others)).toEqual([]);
    const overRpc = rpc({ method: 'GetTask', params: { id: 'a' }, status: 404, responseText: '' });
    expect(missed(overRpc)).toEqual([]);
  });

  it('are the first ones', () => {
    const paths = Array.from({ length: 33 }, (_, i) => `/tasks/${i}`);
    expect(missed(...paths.map((path) => call(path)))).toEqual(
      paths.slice(0, 32).map((path) => `/rest${path}`),
    );
  });
});
