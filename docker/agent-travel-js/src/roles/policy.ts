import { Refused, requireOnly, text } from '../request.ts';
import type { Role } from '../role.ts';

/** By grade of the employee. */
const cabins: Readonly<Record<string, string>> = { staff: 'economy', director: 'business' };
/** By destination: what a night may cost, in EUR. */
const nightlyRates: Readonly<Record<string, number>> = { HEL: 240, SIN: 260 };

export const policy: Role = {
  skill: {
    id: 'travel-policy',
    name: 'Travel policy',
    description: "What an employee's trip may cost: cabin, hotel rate, and from where on it needs approval.",
    tags: ['travel', 'policy'],
    example:
      '{"grade":"staff","costCentre":"CC-7","route":"SIN-HEL","departure":"2031-10-12","return":"2031-10-16"}',
  },
  start: async (fields, conversation) => {
    requireOnly(fields, ['grade', 'costCentre', 'route', 'departure', 'return']);
    const cabin = cabins[text(fields, 'grade')];
    const maxNightlyHotelRate = nightlyRates[text(fields, 'route').split('-')[1] ?? ''];
    if (cabin === undefined) throw new Refused(`grade is none of ${Object.keys(cabins).join(', ')}`);
    if (maxNightlyHotelRate === undefined) throw new Refused('there is no policy for this route');
    conversation.artifact('travel-policy.json', {
      cabin,
      maxNightlyHotelRate,
      currency: 'EUR',
      approvalRequiredAbove: 1800,
    });
    conversation.completed();
  },
};
