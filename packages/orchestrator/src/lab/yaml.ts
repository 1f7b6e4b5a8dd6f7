import type { PlugfestError } from '@plugfest/model';
import {
  type Document,
  isAlias,
  isCollection,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  YAMLParseError,
} from 'yaml';
import { Positions } from './positions.ts';

/** Makes the error of a file that cannot be used, from a line for each problem, in the order of the file. */
export type Refuse = (problems: readonly string[]) => PlugfestError;

export interface YamlFile {
  readonly value: unknown;
  readonly positions: Positions;
}

/** Reads a YAML document. `file` is its name in messages. */
export function readYaml(text: string, file: string, refuse: Refuse): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    strict: true,
    // Compares every pair of keys; `repeatedKeys` does it in one pass.
    uniqueKeys: false,
  });
  const positions = new Positions(file, document, lines);
  if (document.errors.length > 0) {
    throw refuse(
      document.errors
        .slice(0, maxProblems)
        .map((error) => `${positions.offset(error.pos[0])}: ${problemOf(error)}`),
    );
  }
  let wrong: readonly Wrong[];
  try {
    wrong = strangeNodes(document);
  } catch (error) {
    throw refuse([`${positions.offset(0)}: ${problemOf(error)}`]);
  }
  if (wrong.length > 0) {
    throw refuse(wrong.map(({ offset, problem }) => `${positions.offset(offset)}: ${problem}`));
  }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), positions };
  } catch (error) {
    throw refuse([`${positions.offset(0)}: ${problemOf(error)}`]);
  }
}

/** What the parser says; it goes into nested values by recursion, which ends where the stack does. */
function problemOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // Its own words are for programmers.
  if (error instanceof YAMLParseError && error.code === 'MULTIPLE_DOCS')
    return 'A second document begins here; a file has one';
  return /call stack/i.test(message) ? 'Nested too deeply' : oneLine(message);
}

interface Wrong {
  readonly offset: number;
  readonly problem: string;
}

/**
 * Keys that would be lost without a word: their map has them already, or they mean something else to a parser. And what
 * no JSON document can hold: a value that contains itself, and values of types that a tag makes.
 */
function strangeNodes(document: Document): readonly Wrong[] {
  const found: Wrong[] = [];
  const report = (node: Node, problem: string): void => {
    if (found.length < maxProblems) found.push({ offset: node.range?.[0] ?? 0, problem });
  };
  visit(document, {
    Alias: (_key, alias, around) => {
      if (around.some((node) => isCollection(node) && node.anchor === alias.source))
        report(alias, `*${alias.source} stands inside of what it stands for`);
    },
    Value: (_key, node) => {
      if (node.tag !== undefined && !plainTags.test(node.tag))
        report(node, `the tag ${tagText(node.tag)} has no meaning here: leave it out`);
    },
    Map: (_key, map) => {
      const names = new Set<unknown>();
      for (const { key } of map.items) {
        // It would become text, with the words of a programmer's warning.
        if (isCollection(key) || isAlias(key)) report(key, 'a key is a text');
        if (!isScalar(key)) continue;
        const problem = names.has(key.value)
          ? `the key ${oneLine(String(key.value)).slice(0, 100)} is here a second time`
          : unusable.get(key.value);
        if (problem !== undefined) report(key, problem);
        names.add(key.value);
      }
    },
  });
  return found;
}

const plainTags = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq))$/;

const tagText = (tag: string): string => tag.replace(/^tag:yaml\.org,2002:/, '!!');

const unusable: ReadonlyMap<unknown, string> = new Map([
  ['<<', '`<<` merges nothing in YAML 1.2: write the keys out'],
  // What checks the values leaves it out, so that an agent of this name would not be there.
  ['__proto__', 'the key __proto__ cannot be used'],
]);

/** Most problems that are told at once. */
export const maxProblems = 50;

/** Problems, one a line, in the order of the file. */
export function inOrder(problems: readonly string[]): string {
  const place = (problem: string) => {
    const [, line = '0', column = '0'] = /:(\d+):(\d+): /.exec(problem) ?? [];
    return Number(line) * 1e6 + Number(column);
  };
  return [...problems].sort((one, other) => place(one) - place(other)).join('\n');
}

function oneLine(message: string): string {
  return message.replace(/\s+/g, ' ').trim();
}
