import { bdi, el, pairs } from './dom.js';

/** @typedef {import('../data.ts').PageExchange} PageExchange */
/** @typedef {import('../data.ts').PageFinding} PageFinding */

/**
 * @param {PageFinding} finding
 * @param {PageExchange | undefined} exchange Absent where this page has it not.
 * @param {(exchange: PageExchange, finding: PageFinding) => void} choose
 */
export function findingCard(finding, exchange, choose) {
  return el(
    'div',
    { class: `finding ${finding.because === undefined ? finding.outcome : 'expected'}` },
    el(
      'header',
      {},
      el('span', { class: 'rule' }, bdi(finding.rule)),
      el('span', {}, bdi(finding.who)),
      el('span', { class: 'level' }, finding.level),
      exchange && el('button', { type: 'button', click: () => choose(exchange, finding) }, 'show the bytes'),
    ),
    el('p', {}, bdi(finding.message)),
    pairs([
      ['because', finding.because],
      ['expected', finding.expected && el('code', {}, bdi(finding.expected))],
      ['actual', finding.actual && el('code', {}, bdi(finding.actual))],
      ['where', finding.where],
      ['why', finding.why],
      ['fix', finding.fix],
      ['spec', finding.spec],
    ]),
  );
}
