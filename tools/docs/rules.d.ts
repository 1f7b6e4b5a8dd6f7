import type { Rule, Rulebook } from '@plugfest/verifier';
/** The page of one rule, for \`docs/rules/<ID>.md\`. */
export declare function rulePage(rule: Rule): string;
/** The index of the rulebook, for \`docs/rules/README.md\`. */
export declare function rulesIndex(book: Rulebook): string;
