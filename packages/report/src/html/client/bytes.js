import { bdi, el } from './dom.js';

/** @typedef {import('../data.ts').PageExchange} PageExchange */
/** @typedef {import('../data.ts').PageFinding} PageFinding */
/** @typedef {import('../data.ts').PageMessage} PageMessage */

/** Whether bodies are shown without the white space added for reading. */
let raw = false;

/**
 * The text as nodes, with the marked stretch in a `mark`. Formatting adds white space between the tokens of
 * lines that are JSON (also behind `data:`), and changes nothing else.
 * @param {string} text
 * @param {import('../locate.ts').Range | undefined} mark
 * @param {boolean} format
 */
function bodyNodes(text, mark, format) {
  /** @type {{ inside: boolean, text: string[] }[]} */
  const pieces = [];
  /**
   * @param {string} part
   * @param {number} at
   */
  const put = (part, at) => {
    const inside = mark !== undefined && at >= mark.start && at < mark.end;
    const last = pieces.at(-1);
    if (last && last.inside === inside) last.text.push(part);
    else pieces.push({ inside, text: [part] });
  };
  let offset = 0;
  for (const line of text.split('\n')) {
    const start = /^(?:data: ?)?(?=[[{])/.exec(line);
    if (format && start) {
      for (let at = 0; at < start[0].length; at += 1) put(line.charAt(at), offset + at);
      indentJson(line, start[0].length, (part, at) => put(part, offset + at));
    } else {
      for (let at = 0; at < line.length; at += 1) put(line.charAt(at), offset + at);
    }
    put('\n', offset + line.length);
    offset += line.length + 1;
  }
  return pieces.map((piece) =>
    piece.inside ? el('mark', {}, piece.text.join('')) : document.createTextNode(piece.text.join('')),
  );
}

/**
 * @param {string} line
 * @param {number} from
 * @param {(part: string, at: number) => void} put
 */
function indentJson(line, from, put) {
  let depth = 0;
  let quoted = false;
  // White space of ours is never marked, nor indented without end.
  const fresh = () => put(`\n${'  '.repeat(Math.min(depth, 40))}`, Number.NaN);
  for (let at = from; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (quoted) {
      put(character, at);
      if (character === '\\' && at + 1 < line.length) {
        at += 1;
        put(line.charAt(at), at);
      } else if (character === '"') quoted = false;
    } else if (character === '"') {
      quoted = true;
      put(character, at);
    } else if (character === '{' || character === '[') {
      put(character, at);
      const rest = /^\s*[\]}]/.exec(line.slice(at + 1, at + 40));
      if (rest) {
        at += rest[0].length;
        put(line.charAt(at), at);
      } else {
        depth += 1;
        fresh();
      }
    } else if (character === '}' || character === ']') {
      depth = Math.max(0, depth - 1);
      fresh();
      put(character, at);
    } else if (character === ',') {
      put(character, at);
      fresh();
    } else if (character === ':') put(': ', at);
    else if (!/\s/.test(character)) put(character, at);
  }
}

/**
 * @param {string} title
 * @param {PageMessage | undefined} message
 * @param {'request' | 'response'} side
 * @param {PageFinding | undefined} finding
 */
function messagePane(title, message, side, finding) {
  if (!message) return el('div', {}, el('h4', {}, title), el('p', { class: 'dim' }, 'None was seen.'));
  const mark = finding?.mark?.side === side ? finding.mark : undefined;
  const head = el(
    'span',
    { class: 'head' },
    bodyNodes(message.head, mark?.part === 'head' ? mark : undefined, false),
  );
  const body = bodyNodes(message.body, mark?.part === 'body' ? mark : undefined, !raw);
  return el(
    'div',
    {},
    el('h4', {}, title),
    el('pre', { tabindex: '0', dir: 'ltr' }, head, message.body === '' ? '' : '\n', body),
    message.cut > 0 &&
      el(
        'p',
        { class: 'notice' },
        `${message.cut.toLocaleString('en')} characters are left out of this page; the capture has them.`,
      ),
    message.truncated &&
      el(
        'p',
        { class: 'notice' },
        'The report had only a part of this body; the capture has what was recorded.',
      ),
  );
}

/**
 * Both sides of an exchange, with what the finding points at marked.
 * @param {PageExchange} exchange
 * @param {PageFinding | undefined} finding
 * @returns {HTMLElement}
 */
export function bytesSection(exchange, finding) {
  const format = el(
    'button',
    {
      type: 'button',
      'aria-pressed': String(raw),
      title: 'As on the wire, without the white space added for reading',
      click: () => {
        raw = !raw;
        section.replaceWith(bytesSection(exchange, finding));
      },
    },
    'as on the wire',
  );
  const section = el(
    'section',
    { id: 'bytes' },
    el(
      'div',
      { class: 'bytes-head' },
      el('h3', {}, bdi(exchange.label), ' ', el('code', { class: 'dim' }, bdi(exchange.id))),
      format,
    ),
    finding &&
      el(
        'p',
        { class: 'dim' },
        `${finding.rule}: `,
        bdi(finding.message),
        finding.where === '' ? '' : ` (${finding.where})`,
      ),
    el(
      'div',
      { class: 'bytes' },
      messagePane(`request, ${exchange.from} → ${exchange.to}`, exchange.request, 'request', finding),
      messagePane(`response, ${exchange.to} → ${exchange.from}`, exchange.response, 'response', finding),
    ),
  );
  return section;
}
