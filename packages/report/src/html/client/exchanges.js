import { bdi, el, fit, svg } from './dom.js';
import { ending, sinceStart, state } from './words.js';

/** @typedef {import('../data.ts').PageExchange} PageExchange */

/**
 * The exchanges in order, with a waterfall of their times.
 * @param {readonly PageExchange[]} exchanges
 * @param {(exchange: PageExchange) => void} choose
 */
export function exchangeTable(exchanges, choose) {
  const zero = Math.min(...exchanges.map((exchange) => exchange.at));
  const span = Math.max(1, ...exchanges.map((exchange) => exchange.at + exchange.ms - zero));
  const width = 180;
  /** @param {PageExchange} exchange */
  const row = (exchange) => {
    const left = ((exchange.at - zero) / span) * (width - 3);
    const length = Math.max(3, (exchange.ms / span) * width);
    return el(
      'tr',
      {
        class: [exchange.bad && 'bad', exchange.kind === 'webhook' && 'webhook'].filter(Boolean).join(' '),
        'data-exchange': exchange.id,
      },
      el('td', { class: 'number dim' }, sinceStart(exchange.at - zero)),
      el('td', {}, bdi(fit(exchange.from, 30)), ' → ', bdi(fit(exchange.to, 30))),
      el(
        'td',
        { class: 'label' },
        el('button', { type: 'button', click: () => choose(exchange) }, bdi(exchange.label)),
      ),
      el(
        'td',
        { class: ending(exchange) === '' ? 'state' : 'state lost' },
        [state(exchange), ending(exchange)].filter(Boolean).join(' ') || 'no answer',
      ),
      el('td', { class: 'number' }, exchange.took),
      el(
        'td',
        {},
        svg(
          'svg',
          { width, height: 12, 'aria-hidden': 'true' },
          svg('rect', { x: left, y: 2, width: Math.min(length, width - left), height: 8, rx: 1.5 }),
        ),
      ),
    );
  };
  const heads = ['start', 'from → to', 'exchange', 'status', 'took', 'time'];
  return el(
    'section',
    {},
    el('h3', {}, 'Exchanges'),
    el(
      'div',
      { class: 'scroll' },
      el(
        'table',
        { class: 'exchanges' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            heads.map((head) =>
              el(
                'th',
                { scope: 'col', class: head === 'start' || head === 'took' ? 'number' : undefined },
                head,
              ),
            ),
          ),
        ),
        el('tbody', {}, exchanges.map(row)),
      ),
    ),
  );
}
