import { z } from 'zod';
import { defineFault, type Flow } from '../fault.ts';

export default defineFault({
  name: 'reset',
  about:
    'The caller gets an RST (in HTTP/2 an RST_STREAM): in place of a response, or before the callee saw the request.',
  upgraded: 'any',
  parameters: {
    on: z
      .enum(['request', 'response'])
      .optional()
      .describe('`request`: the callee sees nothing of it. `response`: it has answered. Default `response`.'),
  },
  holdsRequest: ({ on }) => on === 'request',
  request: ({ on }, act) => {
    if (on !== 'request') return;
    act.applied({ place: 'body', after: 'reset before the request went out' });
    act.reset();
  },
  response: (_parameters, act) => {
    return (next): Flow => ({
      head: () => {
        act.applied({ place: 'body', after: 'reset in place of the response' });
        act.endExchange('reset in place of the response', true);
        next.cut(true);
      },
      data: () => undefined,
      end: () => undefined,
      cut: () => undefined,
    });
  },
});
