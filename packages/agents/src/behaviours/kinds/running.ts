import { textPart } from '../../parts.ts';
import type { Act, Behaviour } from '../behaviour.ts';

const untilCanceled: Act = async ({ script }) => {
  for (let step = 1; step <= 40; step++) {
    script.working(`progress ${step}`);
    await script.pause(500);
  }
  script.completed('finished without being cancelled');
};

/** Tasks that last, so that they can be watched, polled and cancelled. */
export default [
  { prefix: 'tck-long-running', run: untilCanceled },
  { prefix: 'tck-cancel', run: untilCanceled },
  {
    prefix: 'test-resubscribe-message-id',
    async run({ script }) {
      script.working();
      await script.pause(4000);
      script.completed();
    },
  },
  {
    prefix: 'plugfest-slow',
    matches: 'text',
    async run({ script, argument }) {
      const { milliseconds, nonce } = /^(?<milliseconds>\d+)\s*(?<nonce>.*)$/s.exec(argument)?.groups ?? {};
      if (milliseconds === undefined || nonce === undefined) {
        script.rejected('plugfest-slow wants: plugfest-slow MS NONCE');
        return;
      }
      const end = Number(milliseconds);
      for (let elapsed = 0, tick = 1; elapsed < end; elapsed += 100, tick++) {
        script.working(`tick ${tick} ${nonce}`);
        await script.pause(Math.min(100, end - elapsed));
      }
      script.artifact('echo', textPart(nonce));
      script.completed(nonce);
    },
  },
] satisfies readonly Behaviour[];
