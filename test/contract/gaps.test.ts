import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { CapturedExchange, Gap, RuleResult } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { Verification } from '@plugfest/verifier';
import { describe, expect, it } from 'vitest';
import { everywhere, gapAt } from './losses.ts';

/** Messages that find fault with something that is not there. What is lost to the capture may have been just that. */
const findingsOfAbsence: Readonly<Record<string, readonly string[]>> = {
  'ART-005': ['joined'],
  'ART-007': ['unfinished'],
  'ART-008': ['missing', 'differs'],
  'CANC-006': ['ended', 'open'],
  'CTX-011': ['abandoned'],
  'GUIDE-012': ['lost'],
  'GUIDE-015': ['unread'],
  'HOOK-008': ['never', 'end'],
  'HOOK-009': ['other'],
  'HOOK-015': ['never'],
  'HOOK-019': ['never'],
  'LIFE-005': ['alone'],
  'LIFE-006': ['alone'],
  'PUSH-004': ['reused'],
  'PUSH-008': ['missing'],
  'PUSH-011': ['after'],
  'PUSH-012': ['lost'],
  'PUSH-020': ['missing'],
  'SEND-009': ['cut'],
  'SSE-009': ['open'],
  'SSE-011': ['early'],
  'SSE-013': ['closed'],
  'SSE-033': ['never'],
  'SSE-018': ['missing', 'order'],
  'SSE-028': ['unsent'],
  'SUB-004': ['open'],
  'SUB-010': ['left'],
  'SUB-005': ['lost'],
};

const book = await loadRulebook();

function judge(
  id: string,
  captured: readonly CapturedExchange[],
  gaps: readonly Gap[],
): RuleResult | undefined {
  const verification = new Verification(book, { gaps });
  for (const exchange of captured) verification.add(exchange);
  return verification.finish().rules.find((rule) => rule.id === id);
}

describe('a gap in the capture', () => {
  for (const [id, absent] of Object.entries(findingsOfAbsence)) {
    const rule = book.rules.find((each) => each.id === id);
    rule?.examples.bad.forEach(({ example, messages }, index) => {
      if (!messages.every((message) => absent.includes(message))) return;
      const captured = capturedFromNdjson(example);
      it(`makes bad example ${index} of ${id} undecidable`, () => {
        expect(judge(id, captured, [])?.violations).toBeGreaterThan(0);
        expect(judge(id, captured, everywhere(captured))).toMatchObject({ violations: 0 });
        expect(judge(id, captured, everywhere(captured))?.undecidable).toBeGreaterThan(0);
      });
      it(`changes nothing in bad example ${index} of ${id} where it lies elsewhere`, () => {
        const first = captured[0]?.request.atNs ?? 0;
        expect(judge(id, captured, [gapAt(first - 1)])).toEqual(judge(id, captured, []));
      });
    });
  }
});
