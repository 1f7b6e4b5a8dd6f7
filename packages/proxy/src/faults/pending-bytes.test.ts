import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PendingBytes } from './pending-bytes.ts';

it('what is taken is what was added, in order, and stays as it is', () => {
  const steps = fc.array(fc.record({ add: fc.uint8Array({ maxLength: 40 }), take: fc.nat(60) }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(steps, (some) => {
      const pending = new PendingBytes();
      const taken: Buffer[] = [];
      for (const { add, take } of some) {
        // Of a larger one, as sockets give them: what lies around it is nobody's to write.
        const around = Buffer.alloc(add.length + 20, '.');
        around.set(add, 10);
        pending.add(around.subarray(10, 10 + add.length));
        taken.push(pending.take(Math.min(take, pending.length)));
        expect(around.subarray(10 + add.length).toString()).toBe('.'.repeat(10));
      }
      const all = Buffer.concat([...taken, pending.bytes()]);
      expect(all.equals(Buffer.concat(some.map(({ add }) => add)))).toBe(true);
    }),
  );
});
