import { setTimeout as sleep } from 'node:timers/promises';
import { day, Refused, requireOnly, text } from '../request.ts';
import type { Role } from '../role.ts';

interface Connection {
  readonly flights: readonly string[];
  readonly stops: number;
  /** Local time, and how many days after the wished departure. */
  readonly leaves: readonly [days: number, time: string];
  readonly arrives: readonly [days: number, time: string];
  readonly price: Readonly<Record<string, number>>;
}

/** Made up, as are the codes. */
const timetable: Readonly<Record<string, readonly Connection[]>> = {
  'SIN-HEL': [
    {
      flights: ['XA 132'],
      stops: 0,
      leaves: [1, '00:20'],
      arrives: [1, '09:35'],
      price: { economy: 890, business: 3100 },
    },
    {
      flights: ['XB 55', 'XB 1761'],
      stops: 1,
      leaves: [0, '10:50'],
      arrives: [0, '23:30'],
      price: { economy: 980, business: 2900 },
    },
    {
      flights: ['XC 947', 'XC 303'],
      stops: 1,
      leaves: [0, '02:40'],
      arrives: [0, '16:05'],
      price: { economy: 1140, business: 3400 },
    },
  ],
};

/** For the steps of the search to be seen one by one. */
const stepMs = 20;

export const flight: Role = {
  skill: {
    id: 'flight-search',
    name: 'Flight search',
    description: 'Searches flights that arrive in time, direct ones first.',
    tags: ['travel', 'flights'],
    example:
      '{"route":"SIN-HEL","departure":"2031-10-12","arriveBy":"2031-10-13T09:00","cabin":"economy","currency":"EUR"}',
  },
  start: async (fields, conversation) => {
    requireOnly(fields, ['route', 'departure', 'return', 'arriveBy', 'cabin', 'currency']);
    const departure = day(fields, 'departure');
    const arriveBy = text(fields, 'arriveBy');
    const cabin = text(fields, 'cabin');
    if (text(fields, 'currency') !== 'EUR') throw new Refused('prices are in EUR only');
    const offers = (timetable[text(fields, 'route')] ?? []).flatMap(
      ({ flights, stops, leaves, arrives, price }) => {
        const total = price[cabin];
        if (total === undefined) return [];
        return [
          {
            flights,
            stops,
            departure: at(departure, leaves),
            arrival: at(departure, arrives),
            cabin,
            price: total,
          },
        ];
      },
    );
    const inTime = offers.filter(({ arrival }) => arrival <= arriveBy);
    conversation.working('searching direct routes');
    await sleep(stepMs);
    const direct = inTime.filter(({ stops }) => stops === 0);
    if (direct.length === 0) {
      conversation.working('direct routes break the arrival limit');
      await sleep(stepMs);
      conversation.working('searching routes with one stop');
      await sleep(stepMs);
    }
    const found = direct.length > 0 ? direct : inTime.filter(({ stops }) => stops === 1);
    if (found.length === 0) {
      conversation.failed(`no flight on this route arrives by ${arriveBy}`);
      return;
    }
    conversation.artifact('flight-offers.json', { currency: 'EUR', offers: found });
    conversation.completed();
  },
};

/** ISO 8601 without a zone, so that texts compare as times do. */
function at(departure: string, [days, time]: readonly [number, string]): string {
  const date = new Date(Date.parse(departure) + days * 86_400_000);
  return `${date.toISOString().slice(0, 10)}T${time}`;
}
