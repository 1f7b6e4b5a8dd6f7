import { el, fit, svg } from './dom.js';
import { ending, events, sinceStart, state } from './words.js';

/** Exchanges in the diagram; the table below it has all. */
const shownExchanges = 30;

/** @typedef {import('../data.ts').PageExchange} PageExchange */

/**
 * Participants as lanes, exchanges as arrows in the order of time.
 * @param {readonly PageExchange[]} exchanges
 * @param {(exchange: PageExchange) => void} choose
 * @param {number} room The width there is, in pixels.
 */
export function lanes(exchanges, choose, room) {
  const names = [...new Set(exchanges.flatMap((exchange) => [exchange.from, exchange.to]))];
  const shown = exchanges.slice(0, shownExchanges);
  const zero = Math.min(...exchanges.map((exchange) => exchange.at));
  const steps = shown
    .flatMap((exchange) => [
      { exchange, at: exchange.at, reply: false },
      { exchange, at: exchange.at + exchange.ms, reply: true },
    ])
    .sort((a, b) => a.at - b.at || Number(a.reply) - Number(b.reply));
  const gutter = 80;
  const space = Math.max(130, Math.min(330, Math.floor((room - 64 - gutter) / names.length)));
  const top = 46;
  const height = 34;
  const width = gutter + names.length * space;
  const bottom = top + steps.length * height + 10;
  /** @param {string} name */
  const x = (name) => gutter + names.indexOf(name) * space + space / 2;
  /** @param {number} index */
  const y = (index) => top + index * height + 24;
  const root = svg('svg', {
    class: 'lanes',
    width,
    height: bottom,
    viewBox: `0 0 ${width} ${bottom}`,
    role: 'img',
    'aria-label': 'Sequence of exchanges; the table below lists them',
  });
  for (const [index, { exchange }] of steps.entries()) {
    root.append(
      svg('rect', {
        class: 'row',
        'data-exchange': exchange.id,
        x: 0,
        y: y(index) - 22,
        width,
        height,
        click: () => choose(exchange),
      }),
    );
  }
  for (const name of names) {
    root.append(
      svg('line', { class: 'life', x1: x(name), x2: x(name), y1: 28, y2: bottom }),
      svg('rect', { class: 'box', x: x(name) - space / 2 + 8, y: 2, width: space - 16, height: 26, rx: 5 }),
      svg(
        'text',
        { class: 'name', x: x(name), y: 20, 'text-anchor': 'middle' },
        fit(name, Math.floor((space - 24) / 8)),
      ),
    );
  }
  for (const exchange of shown) {
    const from = y(steps.findIndex((step) => step.exchange === exchange));
    const to = y(steps.findLastIndex((step) => step.exchange === exchange));
    root.append(
      svg('rect', {
        class: 'bar',
        x: x(exchange.to) - 4,
        y: from,
        width: 8,
        height: to - from,
      }),
    );
  }
  steps.forEach(({ exchange, at, reply }, index) => {
    const a = x(reply ? exchange.to : exchange.from);
    const b = x(reply ? exchange.from : exchange.to);
    const lost = reply && (exchange.response === undefined || ending(exchange) !== '');
    const text = reply
      ? [state(exchange), ending(exchange), events(exchange), exchange.took].filter(Boolean).join(' · ')
      : exchange.label;
    const classes = [
      'arrow',
      reply && 'reply',
      exchange.kind === 'webhook' && 'webhook',
      exchange.bad && 'bad',
    ];
    const group = svg('g', {
      class: classes.filter(Boolean).join(' '),
      'data-exchange': exchange.id,
      click: () => choose(exchange),
    });
    const characters = Math.floor((Math.max(Math.abs(b - a), space) - 24) / 7);
    group.append(
      svg(
        'text',
        { class: 'dim', x: gutter - 14, y: y(index) + 4, 'text-anchor': 'end' },
        sinceStart(at - zero),
      ),
    );
    if (a === b) {
      group.append(
        svg('polyline', {
          points: `${a + 5},${y(index) - 6} ${a + 34},${y(index) - 6} ${a + 34},${y(index) + 4} ${a + 9},${y(index) + 4}`,
        }),
        svg('polygon', {
          points: `${a + 5},${y(index) + 4} ${a + 13},${y(index)} ${a + 13},${y(index) + 8}`,
        }),
        svg('text', { x: a + 40, y: y(index) + 3 }, fit(text, characters)),
      );
    } else {
      const way = Math.sign(b - a);
      const from = a + way * 5;
      const to = lost ? (a + b) / 2 : b - way * 5;
      group.append(
        svg('line', { x1: from, x2: to - (lost ? 0 : way * 7), y1: y(index), y2: y(index) }),
        lost
          ? svg('polyline', {
              points: `${to - 5},${y(index) - 5} ${to + 5},${y(index) + 5} ${to},${y(index)} ${to - 5},${y(index) + 5} ${to + 5},${y(index) - 5}`,
            })
          : svg('polygon', {
              points: `${to},${y(index)} ${to - way * 8},${y(index) - 4} ${to - way * 8},${y(index) + 4}`,
            }),
        svg('text', { x: (a + b) / 2, y: y(index) - 6, 'text-anchor': 'middle' }, fit(text, characters)),
      );
    }
    root.append(group);
  });
  return el(
    'section',
    {},
    el('h3', {}, 'Sequence'),
    el('div', { class: 'scroll' }, root),
    exchanges.length > shown.length &&
      el(
        'p',
        { class: 'notice' },
        `The first ${shown.length} of ${exchanges.length} exchanges; the table has all.`,
      ),
    exchanges.some((exchange) => exchange.kind === 'webhook') &&
      el('p', { class: 'dim' }, 'Dashed: webhook deliveries.'),
  );
}
