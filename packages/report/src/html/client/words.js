// What the diagram and the table say about an exchange.

export const state = (exchange) => (exchange.status === undefined ? '' : String(exchange.status));
export const ending = (exchange) => (exchange.end === 'complete' ? '' : exchange.end);
export const sinceStart = (ms) => (ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(2)} s`);
export const events = (exchange) =>
  exchange.events === undefined ? '' : `${exchange.events} ${exchange.events === 1 ? 'event' : 'events'}`;
