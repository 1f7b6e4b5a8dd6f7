import type { Conversation } from '../conversation.ts';
import { day, type Fields, number, Refused, requireOnly, text } from '../request.ts';
import type { Role } from '../role.ts';

interface Office {
  readonly name: string;
  readonly hotels: readonly { readonly hotel: string; readonly nightlyRate: number }[];
}

/** Made up. */
const offices: Readonly<Record<string, Readonly<Record<string, Office>>>> = {
  HEL: {
    harbour: {
      name: 'Harbour office',
      hotels: [
        { hotel: 'Quay Rooms', nightlyRate: 190 },
        { hotel: 'Old Customs House', nightlyRate: 235 },
        { hotel: 'Grand Fleet', nightlyRate: 310 },
      ],
    },
    campus: { name: 'Campus office', hotels: [{ hotel: 'Birch Lodge', nightlyRate: 160 }] },
  },
};

export const hotel: Role = {
  skill: {
    id: 'hotel-search',
    name: 'Hotel search',
    description: 'Searches hotels near an office of the company; asks which, where a city has several.',
    tags: ['travel', 'hotels'],
    example:
      '{"city":"HEL","checkIn":"2031-10-12","checkOut":"2031-10-16","maxNightlyRate":240,"currency":"EUR"}',
  },
  start: async (fields, conversation) => {
    requireOnly(fields, ['city', 'checkIn', 'checkOut', 'maxNightlyRate', 'currency']);
    if (text(fields, 'currency') !== 'EUR') throw new Refused('prices are in EUR only');
    const known = officesIn(fields);
    stay(fields);
    number(fields, 'maxNightlyRate');
    const [only, ...further] = Object.values(known);
    if (only !== undefined && further.length === 0) return offer(only, fields, conversation);
    const options = Object.entries(known).map(([id, { name }]) => ({ id, name }));
    conversation.inputRequired('There are several offices: which is it?', { field: 'office', options });
  },
  answer: async (fields, asked, conversation) => {
    requireOnly(fields, ['office']);
    const office = officesIn(asked)[text(fields, 'office')];
    if (office === undefined) throw new Refused('office is none of those that were offered');
    offer(office, asked, conversation);
  },
};

function officesIn(fields: Fields): Readonly<Record<string, Office>> {
  const known = offices[text(fields, 'city')];
  if (known === undefined) throw new Refused('there is no office in this city');
  return known;
}

function stay(fields: Fields): number {
  const nights = (Date.parse(day(fields, 'checkOut')) - Date.parse(day(fields, 'checkIn'))) / 86_400_000;
  if (nights < 1) throw new Refused('checkOut is not after checkIn');
  return nights;
}

function offer(office: Office, asked: Fields, conversation: Conversation): void {
  const nights = stay(asked);
  const limit = number(asked, 'maxNightlyRate');
  const offers = office.hotels
    .filter(({ nightlyRate }) => nightlyRate <= limit)
    .map((each) => ({ ...each, nights, total: each.nightlyRate * nights }));
  conversation.artifact('hotel-offers.json', { currency: 'EUR', office: office.name, offers });
  conversation.completed();
}
