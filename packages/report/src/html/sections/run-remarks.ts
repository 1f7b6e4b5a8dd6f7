import type { RunReport } from '@plugfest/model';
import { count, gapTexts } from '../../labels.ts';
import { html } from '../markup.ts';
import { type Section, wire } from '../parts.ts';

export function runRemarksSection(report: RunReport): Section | undefined {
  const gaps = gapTexts(report.gaps).map((gap) => `Gap in the capture ${gap}`);
  const notes = [...report.notes, ...gaps];
  if (notes.length === 0) return undefined;
  return {
    id: 'run-remarks',
    title: 'Remarks on the run',
    tally: count(notes.length, 'note'),
    content: html`<ul>${notes.map((note) => html`<li>${wire(note, 600)}</li>`)}</ul>`,
  };
}
