import { expect, it } from 'vitest';
import { calleeName } from './names.ts';

it('calls a participant by its address, or as the user does', () => {
  const names = new Map([['hotel.example', 'hotel']]);
  expect(calleeName('hotel.example:8080', names)).toBe('hotel');
  expect(calleeName('other.example:8080', names)).toBe('other.example:8080');
});

it('leaves the name and password of a caller out of who is called', () => {
  const names = new Map([['hotel.example', 'hotel']]);
  expect(calleeName('me:p@ss@hotel.example:8080', names)).toBe('hotel');
  expect(calleeName('me:p@ss@other.example', names)).toBe('other.example');
});
