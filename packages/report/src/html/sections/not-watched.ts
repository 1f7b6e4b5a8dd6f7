import type { RunReport } from '@plugfest/model';
import { count } from '../../labels.ts';
import { html } from '../markup.ts';
import { type Section, wire } from '../parts.ts';

export function notWatchedSection(report: RunReport): Section | undefined {
  if (report.notes.length === 0) return undefined;
  return {
    id: 'not-watched',
    title: 'Not watched',
    tally: count(report.notes.length, 'note'),
    content: html`<ul>${report.notes.map((note) => html`<li>${wire(note, 600)}</li>`)}</ul>`,
  };
}
