import type { Fault } from '../../fault.ts';
import { isRecord, rewritingAnswers } from '../../rewriting.ts';

export default {
  name: 'kebab-states',
  summary: '1.0 answers spell task states the 0.3 way: input-required instead of TASK_STATE_INPUT_REQUIRED.',
  rules: ['JSON-002', 'VER-005'],
  apply(app) {
    app.use(rewritingAnswers(({ body }) => [withKebabStates(body)]));
  },
} satisfies Fault;

/** Only a `status` member's `state` changes: a part's own data is the sender's business. */
function withKebabStates(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withKebabStates(item));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    if (key === 'data') return [key, member];
    if (key === 'state' && name === 'status' && typeof member === 'string') return [key, kebab(member)];
    return [key, withKebabStates(member, key)];
  });
  return Object.fromEntries(entries);
}

function kebab(state: string): string {
  return state
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
}
