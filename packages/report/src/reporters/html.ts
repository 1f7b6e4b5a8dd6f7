import { renderPage } from '../html/page.ts';
import type { Reporter } from '../reporter.ts';

const html: Reporter = {
  format: 'html',
  about: 'One self-contained page: matrix, causes, and the bytes of each cell.',
  file: 'report.html',
  render: (report) => renderPage(report),
};

export default html;
