import { isPlugfestError } from '@plugfest/model';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type FaultKinds, faultsJsonSchema, parseFaults } from './faults.ts';
import { parseLab } from './parse.ts';

const kinds: FaultKinds = new Map([
  [
    'slow',
    { schema: z.strictObject({ fault: z.literal('slow'), id: z.string().optional(), ms: z.int().min(0) }) },
  ],
]);

function refusal(read: () => unknown): readonly [string, ...string[]] {
  try {
    read();
  } catch (error) {
    if (!isPlugfestError(error)) throw error;
    return [error.code, ...error.message.split('\n')];
  }
  throw new Error('it was taken');
}

describe('a file of faults', () => {
  test('is read in its order', () => {
    const text = 'seed: 4\nfaults:\n  - { fault: slow, ms: 1 }\n  - { fault: slow, ms: 2, id: b }\n';
    expect(parseFaults(text, 'f.yaml', kinds)).toEqual({
      seed: 4,
      faults: [
        { fault: 'slow', ms: 1 },
        { fault: 'slow', ms: 2, id: 'b' },
      ],
    });
  });

  test('is refused with the line and column of each problem', () => {
    const text = [
      'faults:',
      '  - { fault: slow, mss: 1, ms: 1 }',
      '  - { fault: slwo }',
      '  - { fault: slow }',
      '  - 7',
      '  - { fault: slow, ms: 1, id: b }',
      '  - { fault: slow, ms: 1, id: b }',
      'sede: 1',
    ].join('\n');
    expect(refusal(() => parseFaults(text, 'f.yaml', kinds))).toEqual([
      'PLUGFEST_FAULT_INVALID',
      'f.yaml:8:1: sede: unknown key (did you mean seed?); known here: seed, faults',
    ]);
    expect(refusal(() => parseFaults(text.replace('sede', 'seed'), 'f.yaml', kinds))).toEqual([
      'PLUGFEST_FAULT_INVALID',
      'f.yaml:2:20: faults[0].mss: unknown key (did you mean ms?); known here: fault, id, ms',
      'f.yaml:3:14: faults[1].fault: a fault is one of slow (did you mean slow?)',
      'f.yaml:4:5: faults[2].ms: missing; expected a number',
      'f.yaml:5:5: faults[3]: a fault is one of slow',
      'f.yaml:7:31: faults[5].id: another fault has this id',
    ]);
  });

  test('has a schema for editors that knows the kinds', () => {
    expect(JSON.stringify(faultsJsonSchema(kinds))).toContain('"slow"');
  });
});

describe('faults of a lab file', () => {
  const head = 'name: x\nagents:\n  amber: { kind: js, protocol: "1.0" }\n';

  test('are read', () => {
    const lab = parseLab(`${head}faults: [{ fault: slow, ms: 1 }]\n`, {
      file: 'l.yaml',
      env: {},
      faultKinds: kinds,
    });
    expect(lab.faults).toEqual([{ fault: 'slow', ms: 1 }]);
  });

  test('are refused with line and column', () => {
    const read = () =>
      parseLab(`${head}faults: [{ fault: slow, ms: -1 }]\n`, { file: 'l.yaml', env: {}, faultKinds: kinds });
    expect(refusal(read)).toEqual([
      'PLUGFEST_LAB_INVALID',
      expect.stringMatching(/^l\.yaml:4:29: faults\[0\]\.ms: /),
    ]);
  });
});
