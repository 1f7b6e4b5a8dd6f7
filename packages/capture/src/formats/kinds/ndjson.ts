import { exportNdjson, importNdjson, ndjsonLines } from '../../ndjson/index.ts';
import type { CaptureFormat } from '../format.ts';

const ndjson: CaptureFormat = {
  format: 'ndjson',
  about: 'exchanges as JSON, one a line (docs/exchange-ndjson.md)',
  read: (bytes, sink, options) => importNdjson(ndjsonLines(bytes, options), sink, options),
  *write(source) {
    for (const line of exportNdjson(source)) yield `${line}\n`;
  },
};

export default ndjson;
