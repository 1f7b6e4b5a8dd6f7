import type { Fault } from '../../fault.ts';
import { isRecord, rewritingAnswers } from '../../rewriting.ts';

const terminal = /^(TASK_STATE_)?(completed|failed|canceled|rejected)$/i;

export default {
  name: 'events-after-terminal',
  summary: 'A stream goes on after the terminal status: a working status follows it.',
  rules: ['SSE-010'],
  apply(app) {
    app.use(
      rewritingAnswers(({ body, form }) => {
        const late = form === 'event' ? lateEvent(body) : undefined;
        return late === undefined ? [body] : [body, late];
      }),
    );
  },
} satisfies Fault;

/** A copy of a terminal status event that says the task is at work, in the same binding and version. */
function lateEvent(body: unknown): unknown {
  const late = structuredClone(body);
  const result = isRecord(late) && 'jsonrpc' in late ? late.result : late;
  if (!isRecord(result)) return undefined;
  const update = result.kind === 'status-update' ? result : result.statusUpdate;
  if (!isRecord(update) || !isRecord(update.status)) return undefined;
  const { state } = update.status;
  if (typeof state !== 'string' || !terminal.test(state)) return undefined;
  update.status = { state: state.startsWith('TASK_STATE_') ? 'TASK_STATE_WORKING' : 'working' };
  if ('final' in update) update.final = false;
  return late;
}
