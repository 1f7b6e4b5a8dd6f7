import { operations } from '@plugfest/a2a';
import { z } from 'zod';

const ordinals = z.union([z.int().min(1), z.array(z.int().min(1)).min(1).max(1000)]);

const glob = '[A-Za-z0-9._*?-]+';

const operationNames = operations.map(({ operation }): string => operation);
const chosenOperation = z.enum([...operationNames, 'card', 'webhook']);

/** What every fault has beside its own parameters: which exchanges it acts on. */
export const selectors = {
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'use letters, digits, dot, dash and underscore, 64 at most')
    .optional()
    .describe('Name of the fault, for records and the control API. Default: its kind and a number.'),
  edge: z
    .string()
    .regex(new RegExp(`^${glob} *-> *${glob}$`), 'not of the form "caller -> callee"')
    .optional()
    .describe(
      '`caller -> callee`, each a name or a glob (`*`). Default: every edge that the fault can act on.',
    ),
  cell: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Only in cells of a lab whose id this is, or this glob matches.'),
  operation: z
    .union([chosenOperation, z.array(chosenOperation).min(1)])
    .optional()
    .describe('Operations by their 1.0 names, `card` for a GET of the agent card, `webhook` for a delivery.'),
  task: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Only requests and deliveries that name this task id.'),
  nth: ordinals
    .optional()
    .describe('Only these of the exchanges that fit, counted from 1 for each caller, callee and cell.'),
  times: z.int().min(1).optional().describe('At most so many exchanges.'),
  probability: z.number().min(0).max(1).optional().describe('Share of the exchanges that fit. Default 1.'),
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .optional()
    .describe('Seed of all that this fault draws. Default: that of the session.'),
  enabled: z.boolean().optional().describe('`false`: there, but switched off. Default `true`.'),
};

export const selectorSchema = z.object(selectors);
export type Selectors = z.infer<typeof selectorSchema>;

/** Which way a fault acts on what both sides may say. */
export const way = z
  .enum(['request', 'response'])
  .optional()
  .describe('`request`: what the client says, on a WebSocket connection. Default `response`.');

/** Which messages of a stream a fault acts on. */
export const messageChoice = {
  on: way,
  event: ordinals.optional().describe('Only these messages of the stream, counted from 1. Default: all.'),
  eventProbability: z.number().min(0).max(1).optional().describe('Share of those messages. Default 1.'),
};

export const milliseconds = z.int().min(0).max(3_600_000);

/** Whether a choice of numbers has this one; no choice has all. */
export const isChosen = (choice: number | readonly number[] | undefined, number: number): boolean =>
  choice === undefined || (typeof choice === 'number' ? choice === number : choice.includes(number));
