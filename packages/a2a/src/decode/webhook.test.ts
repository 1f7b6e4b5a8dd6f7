import type { Json, ProtocolVersion } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { deliveryPayload, deliveryVersion, looksLikeDelivery } from './webhook.ts';

const task = { id: 't', status: { state: 'working' } };

describe('looksLikeDelivery', () => {
  it.each<[string, Json]>([
    ['a task', task],
    ['a task with a kind', { kind: 'task' }],
    ['an event with a kind', { kind: 'status-update' }],
    ['a message of the agent', { kind: 'message', role: 'agent' }],
    ['a wrapped task', { task: {} }],
    ['a wrapped status', { statusUpdate: {} }],
    ['a wrapped artifact', { artifactUpdate: {} }],
    ['a wrapped message of the agent', { message: { role: 'ROLE_AGENT' } }],
    ['a wrapped message with a role of 0.x', { message: { role: 'agent' } }],
    ['a task in the response of a call', { jsonrpc: '2.0', id: 1, result: task }],
  ])('takes %s', (_what, body) => {
    expect(looksLikeDelivery(body)).toBe(true);
  });

  it.each<[string, Json | undefined]>([
    ['nothing', undefined],
    ['a list', [task]],
    ['a message of the user', { kind: 'message', role: 'user' }],
    ['a wrapped message of the user', { message: { role: 'ROLE_USER' } }],
    ['a wrapper that holds no object', { task: 't', message: 'm' }],
    ['a call', { jsonrpc: '2.0', method: 'tasks/get', task: {} }],
    ['an object without a state', { id: 't', status: {} }],
  ])('refuses %s', (_what, body) => {
    expect(looksLikeDelivery(body)).toBe(false);
  });
});

describe('deliveryPayload', () => {
  it('sees through the envelope of a response only', () => {
    expect(deliveryPayload({ jsonrpc: '2.0', result: task })).toEqual({ value: task, pointer: '/result' });
    for (const body of [{ result: task }, { jsonrpc: '2.0', result: 'x' }, { jsonrpc: '2.0' }, 'text'])
      expect(deliveryPayload(body)).toEqual({ value: body, pointer: '' });
  });
});

describe('the version of a delivery', () => {
  it.each<[Json, ProtocolVersion | undefined, string]>([
    [{ kind: 'task' }, '0.2', '0.2 shape'],
    [{ kind: 'task' }, '0.3', '0.3 shape'],
    [{ kind: 'task' }, '1.0', '0.3 shape'],
    [{ kind: 'task' }, undefined, '0.3 shape'],
    [{ task: {} }, '0.3', '1.0 shape'],
    [{ id: 't', sessionId: 's' }, '0.2', '0.1 shape'],
    [{ id: 't' }, '0.2', '0.2 peer'],
    [{ id: 't' }, undefined, '1.0 default'],
  ])('of %j from a peer of %s is decided', (body, version, expected) => {
    const found = deliveryVersion(body, version === undefined ? {} : { version });
    expect(`${found.version} ${found.decidedBy}`).toBe(expected);
  });

  it('needs no peer', () => {
    expect(deliveryVersion({ id: 't' }, undefined)).toEqual({ version: '1.0', decidedBy: 'default' });
  });
});
