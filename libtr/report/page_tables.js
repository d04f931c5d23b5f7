// Tables and controls.
'use strict';

// head: [text or {text, class}], rows: [[cell]]; a cell is text, a node, or {text or node, class, title}.
function dataTable(head, rows, attributes) {
  const cell = (tag, content, extra) => {
    const plain = content === null || content === undefined || typeof content !== 'object' || content instanceof Node;
    const {text, class: kind, title} = plain ? {text: content} : content;
    return html(tag, {class: kind, title, ...extra}, text === null || text === undefined ? '–' : text);
  };
  return html('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': (attributes || {}).label || 'table'},
    html('table', {class: (attributes || {}).class},
      html('thead', {}, html('tr', {}, head.map((name) => cell('th', name, {scope: 'col'})))),
      html('tbody', {}, rows.map((row) => html('tr', {}, row.map((value, i) => (i === 0 ? cell('th', value, {scope: 'row'}) : cell('td', value))))))));
}

const folded = (label, ...content) => html('details', {}, html('summary', {}, label), ...content);

// "71.2 ± 0.6"; the title tells the value of each seed.
function meanCell(value, decimals, best) {
  if (!value || !isNumber(value.mean)) return {text: '–', title: 'not measured, or not finite'};
  const spread = isNumber(value.sd) ? html('span', {class: 'spread'}, ' ± ' + fixed(value.sd, decimals)) : null;
  return {text: html('span', {}, html('span', {class: best ? 'best' : null}, fixed(value.mean, decimals)), spread),
          title: (value.values || []).length > 1 ? 'runs: ' + value.values.map((x) => fixed(x, decimals)).join(', ') : null};
}

const nameCell = (model) => html('span', {}, swatch(model.index), model.name);

// One of several choices, as radio buttons that look like one control.
let controls = 0;
function choices(legend, options, chosen, onChange) {
  const group = 'choice-' + controls++;
  return html('fieldset', {}, html('legend', {}, legend), html('span', {class: 'choices'}, options.map((option) => {
    const input = html('input', {type: 'radio', name: group, value: option.key, checked: option.key === chosen});
    input.addEventListener('change', () => onChange(option.key));
    return html('label', {}, input, option.name);
  })));
}
function selection(legend, options, chosen, onChange) {
  const select = html('select', {}, options.map((option, i) => html('option', {value: i, selected: i === chosen}, option)));
  select.addEventListener('change', () => onChange(Number(select.value)));
  return html('label', {class: 'field'}, html('span', {}, legend), select);
}

// {"a": {"b": 1}} -> [["/a/b", 1]], the paths that --set takes.
function flat(value, path = '') {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([key, part]) => flat(part, path + '/' + key));
}
const literal = (value) => (value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value));
const pathTable = (value, label) => dataTable(['path', {text: 'value', class: 'text'}],
  flat(value).map(([path, part]) => [html('code', {}, path || '/'), {text: html('code', {}, literal(part)), class: 'wrap'}]), {label});

// Words of `text` that a longest common subsequence with `reference` leaves out are marked.
function compared(text, reference) {
  const split = (line) => (/\s/.test(reference) ? line.split(/\s+/).filter(Boolean) : [...line]);
  const a = split(text), b = split(reference), glue = /\s/.test(reference) ? ' ' : '';
  const length = Array.from({length: a.length + 1}, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1; j >= 0; --j) length[i][j] = a[i] === b[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
  }
  const words = [];
  for (let i = 0, j = 0; i < a.length;) {
    if (j < b.length && a[i] === b[j]) { words.push(a[i]); ++i; ++j; }
    else if (j < b.length && length[i][j + 1] >= length[i + 1][j]) ++j;
    else words.push(html('mark', {}, a[i++]));
  }
  return words.flatMap((word, i) => (i && glue ? [glue, word] : [word]));
}
