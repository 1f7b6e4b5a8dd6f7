import { hash } from 'node:crypto';
import { decodeExchange, summarise } from '@plugfest/a2a';
import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { CapturedExchange } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { LoneVerification, Outline, rulebook, splitRules, Verification } from '@plugfest/verifier';
import { dialects, type Example, translate } from '@plugfest/verifier/examples';
import { everywhere } from '../contract/losses.ts';
import { areas, rulesOf } from './areas.ts';
import { type Circumstances, circumstancesOf, lossesOf } from './circumstances.ts';
import { cases, sessions } from './corpus.ts';

/** Some traffic, and what is made of it. */
export interface Traffic {
  readonly name: string;
  /** A digest of the results of the rules. */
  judged(): string;
  /** A digest of the decoded exchanges and of their summaries. */
  decoded(): string;
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

/** Captures are made anew each time: no memory of one may outlive a mutant. Of what is decoded, a part is judged. */
const traffic = (
  name: string,
  rules: readonly Rule[],
  examples: readonly Example[],
  judged = 1,
): Traffic => ({
  name,
  judged: () => digest(oneIn(judged, examples).map((example) => judge(rules, capturedFromNdjson(example)))),
  decoded: () => digest(examples.map((example) => decode(capturedFromNdjson(example)))),
});

/** The same with each value spoilt in turn; only decoded. */
const spoiltTraffic = (name: string, examples: readonly Example[]): Traffic => ({
  name,
  judged: () => '',
  decoded: () =>
    digest(
      examples.flatMap((example) => [...circumstancesOf(example)].map(({ captured }) => decode(captured))),
    ),
});

/** Some of many: all of them take too long where each mutant is judged by them. */
const oneIn = <Element>(count: number, all: readonly Element[]): readonly Element[] =>
  all.filter((_, i) => i % count === 0);

const examplesOf = ({ examples: { good, skip, bad } }: Rule): readonly Example[] => [
  ...good,
  ...skip,
  ...bad.map(({ example }) => example),
];

const translatable = (examples: readonly Example[], target: (typeof dialects)[number]): readonly Example[] =>
  examples.map((example) => translate(example, target)).filter((example) => example !== undefined);

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
    judged: () =>
      digest([
        ...examplesOf(rule).map((example) => results({ captured: capturedFromNdjson(example) })),
        ...bad.flatMap(({ example }) => [...lossesOf(example)].map(results)),
      ]),
    decoded: () => '',
  };
}

/** What the kernel does for rules: each that asks for the conversation by itself, and all of them on other traffic. */
export async function judgedTraffic(): Promise<readonly Traffic[]> {
  const everyRule = (await Promise.all(areas.map(rulesOf))).flat();
  return [
    ...splitRules(everyRule).joint.map(ownTraffic),
    ...sessions().map((session, i) => traffic(`session ${i}`, everyRule, [session])),
    traffic('cases', everyRule, cases(), 3),
  ];
}

/** The sessions and cases, judged by all rules, and examples of each area, judged by its rules; some in each dialect. */
export async function allTraffic(): Promise<readonly Traffic[]> {
  const ofAreas = await Promise.all(areas.map(async (area) => ({ area, rules: await rulesOf(area) })));
  const everyRule = ofAreas.flatMap(({ rules }) => rules);
  const everyExample = everyRule.flatMap(examplesOf);
  return [
    ...ofAreas.map(({ area, rules }) => traffic(area, rules, rules.flatMap(examplesOf), 16)),
    ...dialects.map((dialect) =>
      traffic(`${dialect.version} ${dialect.binding}`, [], translatable(oneIn(32, everyExample), dialect)),
    ),
    ...sessions().map((session, i) => traffic(`session ${i}`, everyRule, [session])),
    traffic('cases', everyRule, cases(), 12),
    spoiltTraffic('spoilt', oneIn(128, everyExample)),
  ];
}
