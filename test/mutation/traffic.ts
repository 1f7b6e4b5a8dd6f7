import { hash } from 'node:crypto';
import { decodeExchange, summarise } from '@plugfest/a2a';
import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { CapturedExchange } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { LoneVerification, Outline, rulebook, splitRules, Verification } from '@plugfest/verifier';
import type { Example } from '@plugfest/verifier/examples';
import { everywhere } from '../contract/losses.ts';
import { areas, rulesOf } from './areas.ts';
import { type Circumstances, lossesOf } from './circumstances.ts';
import { cases, sessions } from './corpus.ts';

/** Some traffic, and a digest of what is made of it. */
export interface Traffic {
  readonly name: string;
  result(): string;
}

const digest = (found: unknown): string => hash('sha256', JSON.stringify(found), 'hex').slice(0, 16);

const options = { gateways: new Set(['gateway']), harness: new Set(['harness']) } as const;

/** All at once, and by the halves that run side by side; with losses everywhere, too. */
function judge(rules: readonly Rule[], captured: readonly CapturedExchange[]): unknown {
  const book = rulebook({ version: '0', hash: '', rules });
  const { alone, joint } = splitRules(book.rules);
  const whole = new Verification(book, options);
  const half = new Verification(book, { ...options, gaps: everywhere(captured) }, joint);
  const other = new LoneVerification(alone);
  for (const exchange of captured) for (const each of [whole, half, other]) each.add(exchange);
  return [whole.finish(), half.finish([other.judgement()])];
}

function decode(captured: readonly CapturedExchange[]): unknown {
  const outline = new Outline();
  return captured.map((each) => {
    const exchange = decodeExchange(each);
    outline.add(exchange);
    const { captured: _, ...decoded } = exchange;
    return [decoded, summarise(exchange)];
  });
}

/** What rules say of it. Captures are made anew each time: no memory of one may outlive a mutant. */
const judged = (name: string, rules: readonly Rule[], examples: readonly Example[]): Traffic => ({
  name: `${name}, judged`,
  result: () => digest(examples.map((example) => judge(rules, capturedFromNdjson(example)))),
});

/** The decoded exchanges and their summaries. */
const decoded = (name: string, examples: readonly Example[]): Traffic => ({
  name: `${name}, decoded`,
  result: () => digest(examples.map((example) => decode(capturedFromNdjson(example)))),
});

/** Some of many: all of them take too long where each mutant is judged by them. */
const oneIn = <Element>(count: number, all: readonly Element[]): readonly Element[] =>
  all.filter((_, i) => i % count === 0);

const examplesOf = ({ examples: { good, skip, bad } }: Rule): readonly Example[] => [
  ...good,
  ...skip,
  ...bad.map(({ example }) => example),
];

/**
 * What a rule that looks beyond its subject says of its own examples, which were made to reach what it asks of the
 * conversation; of the bad ones also where a part of them was lost.
 */
function ownTraffic(rule: Rule): Traffic {
  const { bad } = rule.examples;
  const book = rulebook({ version: '0', hash: '', rules: [rule] });
  const results = ({ captured, gaps = [] }: Circumstances): unknown => {
    const verification = new Verification(book, { gaps });
    for (const exchange of captured) verification.add(exchange);
    return verification.finish();
  };
  return {
    name: rule.id,
    result: () =>
      digest([
        ...examplesOf(rule).map((example) => results({ captured: capturedFromNdjson(example) })),
        ...bad.flatMap(({ example }) => [...lossesOf(example)].map(results)),
      ]),
  };
}

/** What the kernel does for rules: each that asks for the conversation by itself, and all of them on other traffic. */
export async function judgedTraffic(): Promise<readonly Traffic[]> {
  const everyRule = (await Promise.all(areas.map(rulesOf))).flat();
  return [
    ...splitRules(everyRule).joint.map(ownTraffic),
    ...sessions().map((session, i) => judged(`session ${i}`, everyRule, [session])),
    judged('cases', everyRule, oneIn(3, cases())),
  ];
}

/** What is decoded of a clean session in each dialect, and of the cases. */
export const decodedTraffic = (): readonly Traffic[] => [
  ...sessions().map((session, i) => decoded(`session ${i}`, [session])),
  decoded('cases', cases()),
];
