// What the diagram and the table say about an exchange.

/** @typedef {import('../data.ts').PageExchange} PageExchange */

/** @param {PageExchange} exchange */
export const state = (exchange) => (exchange.status === undefined ? '' : String(exchange.status));
/** @param {PageExchange} exchange */
export const ending = (exchange) => (exchange.end === 'complete' ? '' : exchange.end);
/** @param {number} ms */
export const sinceStart = (ms) => (ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(2)} s`);
/** @param {PageExchange} exchange */
export const events = (exchange) =>
  exchange.events === undefined ? '' : `${exchange.events} ${exchange.events === 1 ? 'event' : 'events'}`;
