// Elements, numbers, scales and axes that all parts of the page share.
'use strict';

const kSvg = new DOMParser().parseFromString('<svg></svg>', 'text/html').querySelector('svg').namespaceURI;

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}
const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(kSvg, tag), attributes, children);

// Numbers: '.' and ',' whatever the reader's locale; a value that is missing or not finite is a dash.
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const fixed = (value, decimals) =>
  isNumber(value) ? value.toLocaleString('en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals}) : '–';
const significant = (value, digits) =>
  isNumber(value) ? value.toLocaleString('en-US', {maximumSignificantDigits: digits}) : '–';
function short(value) {  // 1,234,567 -> "1.23 M"
  if (!isNumber(value)) return '–';
  for (const [size, unit] of [[1e9, ' G'], [1e6, ' M'], [1e3, ' k']]) {
    if (Math.abs(value) >= size) return (value / size).toPrecision(3) + unit;
  }
  return String(Number(value.toPrecision(3)));
}
const tickText = (value) => (Math.abs(value) < 1e5 ? value.toLocaleString('en-US', {maximumSignificantDigits: 6}) : `${Number((value / 1e6).toPrecision(6))} M`);
function tokenText(token) {  // as a label: the mark of a word's begin is lighter this way in most fonts
  const text = token.replaceAll('▁', '_');
  return text.length > 18 ? text.slice(0, 17) + '…' : text;
}

const kTimeUnits = [[1, 's'], [60, 'min'], [3600, 'h']];
const timeUnit = (longest) => kTimeUnits[longest < 300 ? 0 : longest < 10800 ? 1 : 2];

// The value at "/a/b" of an object, undefined where there is none.
const at = (value, path) => path.split('/').slice(1).reduce((part, key) => (part === null || part === undefined ? undefined : part[key]), value);
function statistic(values) {
  const known = values.filter(isNumber);
  if (known.length === 0 || known.length < values.length) return {mean: null, sd: null, values};
  const mean = known.reduce((a, b) => a + b, 0) / known.length;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {mean, sd: known.length > 1 ? Math.sqrt(squares / (known.length - 1)) : null, values};
}

// Round positions between low and high: steps of 1, 2 or 5 times a power of ten.
function ticks(low, high, about) {
  const rough = (high - low) / about || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-12) + step * 1e-9; ++i) found.push(Number((i * step).toPrecision(12)));
  return found;
}
function logTicks(low, high) {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
    for (const factor of [1, 2, 5]) all.push(Number((factor * 10 ** power).toPrecision(6)));
  }
  return all.filter((value) => value >= low * 0.999 && value <= high * 1.001);
}
// A function value -> pixel with the positions of its ticks; logarithmic for values over more than a decade.
function linearScale([low, high], [from, to], about) {
  const scale = (value) => from + (high === low ? 0.5 : (value - low) / (high - low)) * (to - from);
  return Object.assign(scale, {ticks: ticks(low, high, about), low, high});
}
function logScale([low, high], [from, to]) {
  const scale = (value) => from + (Math.log(value / low) / Math.log(high / low)) * (to - from);
  return Object.assign(scale, {ticks: logTicks(low, high), low, high});
}

const pen = document.createElement('canvas').getContext('2d');
function textWidth(text, size = 12) {
  pen.font = size + 'px ' + getComputedStyle(document.body).fontFamily;
  return pen.measureText(text).width;
}

// Shapes beside colours, so that models are told apart without colour: circle, square, triangle, diamond, ...
function marker(shape, x, y, size, attributes) {
  const s = size, path = [
    `M${x - s},${y}a${s},${s} 0 1,0 ${2 * s},0a${s},${s} 0 1,0 ${-2 * s},0`,
    `M${x - s},${y - s}h${2 * s}v${2 * s}h${-2 * s}Z`,
    `M${x},${y - s * 1.25}L${x + s * 1.2},${y + s}H${x - s * 1.2}Z`,
    `M${x},${y - s * 1.35}L${x + s * 1.35},${y}L${x},${y + s * 1.35}L${x - s * 1.35},${y}Z`,
    `M${x},${y + s * 1.25}L${x + s * 1.2},${y - s}H${x - s * 1.2}Z`,
  ][shape % 5];
  return svg('path', {d: path, ...attributes});
}
const colour = (index) => `var(--model-${index % 8})`;
const swatch = (index) => svg('svg', {class: 'swatch', viewBox: '0 0 14 14', 'aria-hidden': 'true'}, marker(index, 7, 7, 5, {fill: colour(index)}));

// Axes of a plot: grid lines with numbers on the left, ticks below, names with units.
function axes(box, x, y, names, formats) {
  const parts = svg('g', {'aria-hidden': 'true'});
  for (const value of y.ticks) {
    parts.append(svg('line', {class: 'grid', x1: box.left, x2: box.right, y1: y(value), y2: y(value)}),
                 svg('text', {class: 'tick', x: box.left - 7, y: y(value) + 4, 'text-anchor': 'end'}, formats.y(value)));
  }
  for (const value of x.ticks || []) {
    parts.append(svg('line', {class: 'base', x1: x(value), x2: x(value), y1: box.bottom, y2: box.bottom + 4}),
                 svg('text', {class: 'tick', x: x(value), y: box.bottom + 18, 'text-anchor': 'middle'}, formats.x(value)));
  }
  parts.append(svg('line', {class: 'base', x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom}),
               svg('text', {class: 'axis', x: (box.left + box.right) / 2, y: box.bottom + names.below, 'text-anchor': 'middle'}, names.x),
               svg('text', {class: 'axis', x: 0, y: box.top - 12}, names.y));
  return parts;
}
