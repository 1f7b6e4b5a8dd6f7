import { z } from 'zod';
import { defineFault } from '../fault.ts';

/** A2A 1.0 keeps the token and names no header for it; both spellings are in use. */
const carriers = new Set(['authorization', 'x-a2a-notification-token', 'a2a-notification-token']);

export default defineFault({
  name: 'webhook-wrong-token',
  about:
    'A push delivery reaches the receiver with another token, and with other credentials, than its sender gave it.',
  edges: 'webhook',
  parameters: {
    token: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'printable ASCII without spaces')
      .max(200)
      .optional()
      .describe('What stands in their place. Default `plugfest-wrong-token`.'),
  },
  request: ({ token = 'plugfest-wrong-token' }, act) => {
    let found = false;
    for (let i = 0; i + 1 < act.headers.length; i += 2) {
      const where = act.headers[i] ?? '';
      if (!carriers.has(where.toLowerCase())) continue;
      const before = act.headers[i + 1] ?? '';
      const scheme = /^(\S+) +\S/.exec(before)?.[1];
      const after = scheme === undefined ? token : `${scheme} ${token}`;
      act.headers[i + 1] = after;
      act.applied({ place: 'header', where, before, after });
      found = true;
    }
    if (!found) act.bypassed('the delivery carries no token and no credentials');
  },
});
