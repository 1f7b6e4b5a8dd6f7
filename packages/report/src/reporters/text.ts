import { plain, type Reporter } from '../reporter.ts';
import { verdictSentence, verdictToneOf } from '../sentence.ts';
import { headline } from '../terminal/colours.ts';
import { join } from '../terminal/layout.ts';
import { run } from '../terminal/run.ts';
import { footer, verdictLines } from '../terminal/verdict.ts';

const text: Reporter = {
  format: 'text',
  about: 'The verdict, the matrix and the causes, for the terminal.',
  render: (report, options) => run(report, options?.paint ?? plain),
  renderVerdict: (input, options) => {
    const paint = options?.paint ?? plain;
    return join([
      headline(verdictToneOf(input.verdict), verdictSentence(input.verdict), paint),
      ...verdictLines(input, paint),
      ...footer(input.verdict, paint),
    ]);
  },
};

export default text;
