// A card whose members have other types than the specification gives them.
import { serveCard } from './serve-card.mjs';

serveCard(
  'application/json',
  JSON.stringify({
    name: ['not', 'a', 'name'],
    version: 1,
    supportedInterfaces: { url: 7 },
    capabilities: 'all',
    skills: 'many',
  }),
);
