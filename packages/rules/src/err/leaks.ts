/** What an error shows of the inside of an agent. */
export type Leak = 'trace' | 'place' | 'sql' | 'exception';

/**
 * Forms that only internals have, each linear in the text. They are looked for in JSON as it was written, so quotes and
 * line ends may be escaped. Most hold a word that is always in them, which is found faster than a form is.
 */
const forms: readonly (readonly [leak: Leak, form: RegExp, word?: string])[] = [
  // Lines that runtimes write into stack traces: Python, JavaScript, Java and .NET, Go, Rust.
  ['trace', /Traceback \(most recent call last\)/, 'Traceback'],
  ['trace', /File \\?"[^"\n]{1,200}\\?", line \d{1,7}, in /, ', line '],
  ['trace', /(?:\n|\\n|<br> ?)(?: |\t|\\t|&nbsp;){1,16}at [^\n<>\\]{1,200}:\d{1,7}(?::\d{1,7})?\)?/, 'at '],
  ['trace', /(?:\n|\\n)(?: |\t|\\t){1,8}at [\w$.<>]{1,200}\([\w.]{1,100}(?::\d{1,7})?\)/, 'at '],
  ['trace', /goroutine \d{1,9} \[[a-z ]{1,40}\]:/, 'goroutine '],
  ['trace', /thread '[^'\n]{1,80}' panicked at /, 'panicked at '],
  // Files of source code in some directory, with a line. Two slashes begin a host: `http://agent.rs:8080`.
  [
    'place',
    /(?:(?<!\/|\/\\)\/|\\)[\w.$@-]{1,100}\.(?:py|js|mjs|cjs|ts|java|kt|scala|go|rs|cs|rb|php|cc|cpp)(?::|:line |\(|\\?", line | on line )\d{1,7}\b/,
  ],
  ['sql', /\bSELECT [^"'<>{};]{1,200} FROM ["`[\\\w]/, ' FROM '],
  ['sql', /\bINSERT INTO [\w."`[\]\\]{1,80} ?(?:\(|VALUES\b)/, 'INSERT INTO '],
  ['sql', /\bUPDATE [\w."`[\]\\]{1,80} SET ["`[\\\w]/, ' SET '],
  ['sql', /\bDELETE FROM [\w."`[\]\\]{1,80} WHERE\b/, 'DELETE FROM '],
  [
    'sql',
    /\bSQLSTATE\b|\bORA-\d{5}\b|\bsyntax error at or near |\bduplicate key value violates unique constraint/,
  ],
  ['sql', /\bYou have an error in your SQL syntax|\bSQLITE_[A-Z]{4,20}\b|\bno such (?:table|column): \w/],
  // With the package, or one that comes with the language. Errors of A2A have names, too, and none of either.
  [
    'exception',
    /(?<![\w./@-])(?!(?:google|lf|a2a)\.)(?:[a-z_]\w{0,40}\.){1,8}[A-Z]\w{0,60}(?:Exception|Error)(?![\w.])/,
  ],
  ['exception', /(?<![\w.])System\.(?:[A-Z]\w{0,40}\.){0,5}[A-Z]\w{0,60}Exception\b/, 'Exception'],
  [
    'exception',
    /(?<![\w.])(?:(?:Key|Attribute|Type|Value|Index|Name|ZeroDivision|UnboundLocal|Assertion|Runtime|Recursion|Reference|Range|Syntax|JSONDecode|ModuleNotFound)Error|(?:NullPointer|NullReference|IllegalArgument|IllegalState|ClassCast|ArgumentNull|InvalidOperation|IndexOutOfRange|ArrayIndexOutOfBounds)Exception)(?:\(|: )/,
  ],
  ['exception', /\bpanic: |\bruntime error: (?:invalid memory address|index out of range|slice bounds)/],
];

/** The first leak in a text, with its evidence. What the request said itself is an echo, and no leak. */
export function leakIn(
  text: string,
  request: string,
): { readonly leak: Leak; readonly found: string } | undefined {
  for (const [leak, form, word] of forms) {
    if (word !== undefined && !text.includes(word)) continue;
    const found = form.exec(text)?.[0];
    if (found !== undefined && !request.includes(found)) return { leak, found: found.trim() };
  }
  return undefined;
}
