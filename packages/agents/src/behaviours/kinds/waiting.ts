import { textPart } from '../../parts.ts';
import { type Behaviour, resume } from '../behaviour.ts';

/** Tasks that wait for the client's next message. */
export default [
  { prefix: 'tck-input-required', run: ({ script }) => script.inputRequired('What is your name?') },
  {
    prefix: 'tck-multi-turn',
    run: ({ script }) => script.inputRequired('Say more, or done'),
    resume(turn) {
      if (turn.text.startsWith('done')) return resume(turn);
      turn.script.working();
      turn.script.inputRequired('Say more, or done');
    },
  },
  { prefix: 'tck-auth-required', run: ({ script }) => script.authRequired('Authorization needed') },
  {
    prefix: 'plugfest-ask',
    matches: 'text',
    run: ({ script, argument }) => script.inputRequired(`ask ${argument}`),
    resume({ script, text }) {
      script.working();
      script.artifact('echo', textPart(`resumed: ${text}`));
      script.completed(`resumed: ${text}`);
    },
  },
] satisfies readonly Behaviour[];
