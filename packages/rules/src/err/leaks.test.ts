import { expect, it } from 'vitest';
import { leakIn } from './leaks.ts';

it('tells a host whose name looks like a source file from a file, with escaped slashes too', () => {
  expect(leakIn(String.raw`{"message":"ws:\/\/agent.rs:80"}`, '')).toBeUndefined();
  expect(leakIn(String.raw`{"message":"in \/srv\/agent.rs:80"}`, '')).toEqual({
    leak: 'place',
    found: '/agent.rs:80',
  });
});

it('takes what the request said for an echo', () => {
  expect(leakIn('No task /srv/agent.py:7', 'GET /srv/agent.py:7')).toBeUndefined();
  expect(leakIn('No task /srv/agent.py:7', '')?.leak).toBe('place');
});
