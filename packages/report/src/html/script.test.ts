import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { clientScript } from './script.ts';

describe('clientScript', () => {
  it('is one script that compiles: no import, no name used twice', () => {
    const script = clientScript();
    expect(() => new Script(script)).not.toThrow();
    expect(/^\s*(?:import|export)\b/m.test(script)).toBe(false);
  });

  it('cannot end the element that holds it', () => {
    expect(clientScript()).not.toMatch(/<\/|<!--/);
  });
});
