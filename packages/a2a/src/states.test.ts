import { describe, expect, it } from 'vitest';
import {
  canonicalRole,
  canonicalState,
  isInterrupted,
  isTerminal,
  legacyRole,
  legacyState,
  taskStates,
  transition,
} from './states.ts';

describe('states', () => {
  it('maps every state to its 0.x spelling and back', () => {
    for (const state of taskStates) {
      expect(canonicalState(state)).toBe(state);
      expect(canonicalState(legacyState(state))).toBe(state);
    }
  });

  it('takes the two-L spelling of the 0.3 proto and nothing that is no state', () => {
    expect(canonicalState('TASK_STATE_CANCELLED')).toBe('TASK_STATE_CANCELED');
    for (const wire of ['done', 'COMPLETED', 3, null, undefined, {}, 'constructor']) {
      expect(canonicalState(wire)).toBeUndefined();
    }
  });

  it('maps roles', () => {
    expect(canonicalRole('user')).toBe('ROLE_USER');
    expect(canonicalRole('ROLE_AGENT')).toBe('ROLE_AGENT');
    expect(canonicalRole('ROLE_UNSPECIFIED')).toBeUndefined();
    expect(legacyRole('ROLE_AGENT')).toBe('agent');
  });

  it('has four terminal and two interrupted states', () => {
    expect(taskStates.filter(isTerminal).map(legacyState)).toEqual([
      'completed',
      'failed',
      'canceled',
      'rejected',
    ]);
    expect(taskStates.filter(isInterrupted).map(legacyState)).toEqual(['input-required', 'auth-required']);
  });
});

describe('transition', () => {
  it('never lets a terminal state be left', () => {
    for (const from of taskStates.filter(isTerminal)) {
      for (const to of taskStates) {
        const silent = to === 'TASK_STATE_UNSPECIFIED';
        expect(transition(from, to)).toBe(silent || from === to ? 'ok' : 'violation');
      }
    }
  });

  it.each([
    ['submitted', 'working', 'ok'],
    ['working', 'working', 'ok'],
    ['working', 'submitted', 'odd'],
    ['input-required', 'working', 'needs-message'],
    ['input-required', 'completed', 'ok'],
    ['auth-required', 'working', 'ok'],
    ['auth-required', 'submitted', 'odd'],
    ['unknown', 'canceled', 'odd'],
  ])('judges %s to %s as %s', (from, to, verdict) => {
    expect(transition(canonicalState(from), canonicalState(to))).toBe(verdict);
  });

  it('lets a new task begin anywhere', () => {
    expect(transition(undefined, 'TASK_STATE_COMPLETED')).toBe('ok');
    expect(transition(undefined, undefined)).toBe('ok');
  });
});
