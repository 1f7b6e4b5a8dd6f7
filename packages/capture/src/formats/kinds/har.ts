import { PlugfestError } from '@plugfest/model';
import { readHar } from '../../foreign/har-read.ts';
import { writeHar } from '../../foreign/har-write.ts';
import { recordForeign, requireDates } from '../../foreign/record.ts';
import type { CaptureFormat, ImportOptions } from '../format.ts';
import { wholeFile } from '../whole-file.ts';

const har: CaptureFormat = {
  format: 'har',
  about: 'HAR 1.2, as browsers, mitmproxy and Plugfest write it',
  async read(bytes, sink, options) {
    const { exchanges, kinds } = readHar(parsed(await wholeFile(bytes, options), options), options);
    requireDates(exchanges, options.file);
    await recordForeign(exchanges, sink, { kinds, idPrefix: options.idPrefix });
    return exchanges.length;
  },
  write: (source) => writeHar(source, '1'),
};

export default har;

function parsed(bytes: Buffer, { file }: ImportOptions): unknown {
  try {
    const text = bytes.toString('utf8');
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new PlugfestError('PLUGFEST_IMPORT_FORMAT', `${file} is no JSON: ${problem}`, {
      hint: 'A HAR file is one JSON object; for exchanges a line each use --from ndjson.',
      cause,
    });
  }
}
