import { readMitmproxy } from '../../foreign/mitmproxy-read.ts';
import { recordForeign, requireDates } from '../../foreign/record.ts';
import type { CaptureFormat } from '../format.ts';
import { wholeFile } from '../whole-file.ts';

const mitmproxy: CaptureFormat = {
  format: 'mitmproxy',
  about: 'flow files of mitmproxy (`mitmdump -w`)',
  async read(bytes, sink, options) {
    const exchanges = readMitmproxy(await wholeFile(bytes, options), options);
    requireDates(exchanges, options.file);
    await recordForeign(exchanges, sink, { idPrefix: options.idPrefix });
    return exchanges.length;
  },
};

export default mitmproxy;
