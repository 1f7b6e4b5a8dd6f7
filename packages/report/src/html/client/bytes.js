import { bdi, el } from './dom.js';

let raw = false;

/**
 * The text as nodes, with the marked stretch in a `mark`. Formatting adds white space between the tokens of
 * lines that are JSON (also behind `data:`), and changes nothing else.
 */
function bodyNodes(text, mark, format) {
  const pieces = [];
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
      for (let at = 0; at < start[0].length; at += 1) put(line[at], offset + at);
      indentJson(line, start[0].length, (part, at) => put(part, offset + at));
    } else {
      for (let at = 0; at < line.length; at += 1) put(line[at], offset + at);
    }
    put('\n', offset + line.length);
    offset += line.length + 1;
  }
  return pieces.map((piece) =>
    piece.inside ? el('mark', {}, piece.text.join('')) : document.createTextNode(piece.text.join('')),
  );
}

function indentJson(line, from, put) {
  let depth = 0;
  let quoted = false;
  // White space of ours is never marked, nor indented without end.
  const fresh = () => put(`\n${'  '.repeat(Math.min(depth, 40))}`, Number.NaN);
  for (let at = from; at < line.length; at += 1) {
    const character = line[at];
    if (quoted) {
      put(character, at);
      if (character === '\\' && at + 1 < line.length) {
        at += 1;
        put(line[at], at);
      } else if (character === '"') quoted = false;
    } else if (character === '"') {
      quoted = true;
      put(character, at);
    } else if (character === '{' || character === '[') {
      put(character, at);
      const rest = /^\s*[\]}]/.exec(line.slice(at + 1, at + 40));
      if (rest) {
        at += rest[0].length;
        put(line[at], at);
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
