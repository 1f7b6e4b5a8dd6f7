import type { PairingState } from '../matrix.ts';
import type { Paint } from '../reporter.ts';
import { type Tone, toneWords } from '../sentence.ts';
import { safe } from './layout.ts';

function toneStyle(tone: Tone, paint: Paint): (text: string) => string {
  return { pass: paint.green, fail: paint.red, error: paint.red, caution: paint.yellow, empty: paint.dim }[
    tone
  ];
}

export function stateStyle(state: PairingState, paint: Paint): (text: string) => string {
  const styles = {
    pass: paint.green,
    fail: paint.red,
    breach: paint.red,
    expected: paint.yellow,
    partial: paint.yellow,
    unsupported: paint.dim,
  };
  return styles[state];
}

export const headline = (tone: Tone, text: string, paint: Paint): string =>
  `${toneStyle(tone, paint)(paint.bold(toneWords[tone]))}  ${paint.bold(safe(text, 1000))}`;
