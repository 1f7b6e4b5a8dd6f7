import { bytesSection } from './bytes.js';
import { bdi, cellLink, el, exchangeLink } from './dom.js';
import { exchangeTable } from './exchanges.js';
import { findingCard } from './findings.js';
import { lanes } from './sequence.js';

/** @type {import('../data.ts').PageData} */
const data = JSON.parse(document.getElementById('data')?.textContent ?? '');
const drawer = /** @type {HTMLDialogElement} */ (document.getElementById('drawer'));

/** @typedef {import('../data.ts').PageCell} PageCell */
/** @typedef {import('../data.ts').PageExchange} PageExchange */
/** @typedef {import('../data.ts').PageFinding} PageFinding */

/** What was broken comes before what was only seen. */
const weight = ['fail', 'warn', 'info'];

/** @param {PageFinding | undefined} finding */
const exchangeOf = (finding) =>
  finding?.exchange === undefined ? undefined : data.exchanges[finding.exchange];

/**
 * @param {PageCell | undefined} cell Absent for traffic outside any cell.
 * @param {readonly PageExchange[]} exchanges
 * @param {readonly PageFinding[]} findings
 * @param {PageExchange | undefined} wantedExchange
 */
function show(cell, exchanges, findings, wantedExchange) {
  const place = el('div', {});
  /**
   * @param {PageExchange} exchange
   * @param {PageFinding | undefined} [finding]
   */
  const choose = (
    exchange,
    finding = findings.find((one) => exchangeOf(one) === exchange),
    quiet = false,
  ) => {
    for (const node of drawer.querySelectorAll('[data-exchange]'))
      node.classList.toggle('chosen', node.getAttribute('data-exchange') === exchange.id);
    place.replaceChildren(bytesSection(exchange, finding));
    for (const mark of place.querySelectorAll('mark')) {
      const pane = mark.closest('pre');
      if (pane) pane.scrollTop = mark.offsetTop - pane.offsetTop - pane.clientHeight / 3;
    }
    if (quiet) return;
    history.replaceState(null, '', exchangeLink(exchange.id));
    place.scrollIntoView({ block: 'start' });
  };
  const title = cell
    ? [bdi(cell.client), ' → ', bdi(cell.server), el('span', { class: 'tally' }, cell.wire)]
    : ['Traffic outside any cell'];
  const siblings = cell
    ? data.cells.filter(
        (one) => one.client === cell.client && one.server === cell.server && one.wire === cell.wire,
      )
    : [];
  if (!drawer.open) drawer.showModal();
  drawer.replaceChildren(
    el(
      'div',
      { class: 'drawer-head' },
      el(
        'div',
        { class: 'top' },
        el('h2', { id: 'drawer-title' }, title),
        el('button', { type: 'button', click: () => drawer.close() }, 'Close'),
      ),
      siblings.length > 0 &&
        el(
          'nav',
          { class: 'chips', 'aria-label': 'Scenarios of this pairing' },
          siblings.map((one) =>
            el(
              'a',
              {
                class: `s-${one.standing}`,
                href: cellLink(one.id),
                'aria-current': one === cell && 'true',
                title: one.word,
              },
              `${one.letter} `,
              bdi(one.scenario),
            ),
          ),
        ),
    ),
    el(
      'div',
      { class: 'drawer-body' },
      cell &&
        el(
          'p',
          { class: 'outcome' },
          el('b', { class: `s-${cell.standing}` }, cell.word),
          ' ',
          bdi(cell.scenario),
          el('span', { class: 'dim' }, `, ${cell.took}`),
        ),
      cell?.reason !== undefined && el('p', {}, bdi(cell.reason)),
      ...(cell?.remarks ?? []).map((remark) => el('p', { class: 'notice' }, bdi(remark))),
      cell?.because !== undefined && el('p', { class: 'notice' }, 'Expected because: ', bdi(cell.because)),
      cell &&
        cell.checks.length > 0 &&
        el(
          'ul',
          { class: 'checks' },
          cell.checks.map((check) =>
            el(
              'li',
              { class: check.ok ? 'yes' : check.level === undefined ? 'no' : 'dim' },
              el('span', {}, check.ok ? '✓' : (check.level ?? '✕')),
              el(
                'span',
                {},
                bdi(check.name),
                check.detail !== undefined && el('span', { class: 'dim' }, ': ', bdi(check.detail)),
              ),
            ),
          ),
        ),
      findings.length > 0 &&
        el(
          'section',
          {},
          el('h3', {}, 'Findings'),
          findings.map((finding) => findingCard(finding, exchangeOf(finding), choose)),
        ),
      exchanges.length > 0
        ? [lanes(exchanges, choose, drawer.clientWidth), exchangeTable(exchanges, choose)]
        : el('p', { class: 'dim' }, 'No exchange was recorded here.'),
      data.leftOut > 0 &&
        el(
          'p',
          { class: 'notice' },
          `${data.leftOut.toLocaleString('en')} exchanges are left out of this page to keep it small; the capture has them.`,
        ),
      place,
      cell && [
        el('h3', {}, 'Run this cell again'),
        el('pre', { class: 'command' }, bdi(`${data.again} ${cell.shellWord}`)),
      ],
    ),
  );
  drawer.scrollTop = 0;
  drawer.querySelector('button')?.focus({ preventScroll: true });
  const first =
    wantedExchange ??
    exchangeOf(findings.find((one) => one.exchange !== undefined)) ??
    exchanges.find((exchange) => exchange.bad) ??
    exchanges.at(-1);
  if (first) choose(first, undefined, wantedExchange === undefined);
}

function open() {
  const match = /^#(cell|exchange)=(.*)$/.exec(location.hash);
  if (!match) {
    if (drawer.open) drawer.close();
    return;
  }
  let id = match[2] ?? '';
  try {
    id = decodeURIComponent(id);
  } catch {
    // A malformed escape cannot name anything: the text stays as it is and is not found.
  }
  const exchange = match[1] === 'exchange' ? data.exchanges.find((one) => one.id === id) : undefined;
  const number = exchange ? data.exchanges.indexOf(exchange) : -1;
  const cell = data.cells.find((one) =>
    exchange ? one.exchanges.includes(number) : match[1] === 'cell' && one.id === id,
  );
  if (!cell && !exchange) {
    drawer.replaceChildren(
      el(
        'div',
        { class: 'drawer-head' },
        el(
          'div',
          { class: 'top' },
          el('h2', { id: 'drawer-title' }, `This page has no such ${match[1]}`),
          el('button', { type: 'button', click: () => drawer.close() }, 'Close'),
        ),
      ),
      el('div', { class: 'drawer-body' }, el('code', {}, bdi(id))),
    );
    if (!drawer.open) drawer.showModal();
    return;
  }
  const exchanges = (cell ? cell.exchanges : [number])
    .flatMap((index) => data.exchanges[index] ?? [])
    .sort((a, b) => a.at - b.at);
  const findings = cell
    ? cell.findings
        .flatMap((index) => data.findings[index] ?? [])
        .sort((a, b) => weight.indexOf(a.outcome) - weight.indexOf(b.outcome))
    : data.findings.filter((finding) => finding.exchange === number);
  show(cell, exchanges, findings, exchange);
}

/** Opens the drawer for the permalink in the address, now and whenever it changes. */
export function startDrawer() {
  drawer.addEventListener('close', () => {
    if (/^#(cell|exchange)=/.test(location.hash))
      history.replaceState(null, '', location.pathname + location.search);
  });
  drawer.addEventListener('click', (event) => {
    if (event.target === drawer) drawer.close();
  });
  addEventListener('hashchange', open);
  open();
}
