import type { Behaviour } from '../behaviour.ts';

/** How a task can end, or not be a task at all. */
export default [
  { prefix: 'tck-complete-task', run: ({ script }) => script.completed('Hello from TCK') },
  {
    prefix: 'tck-delayed-complete',
    async run({ script }) {
      script.working();
      await script.pause(1000);
      script.completed('Done after delay');
    },
  },
  { prefix: 'tck-reject-task', run: ({ script }) => script.rejected('rejected') },
  {
    prefix: 'tck-task-failure',
    run({ script }) {
      script.working();
      script.failed('failed on request');
    },
  },
  {
    prefix: 'tck-message-response',
    answers: 'message',
    run: ({ script }) => script.reply('Direct message response'),
  },
] satisfies readonly Behaviour[];
