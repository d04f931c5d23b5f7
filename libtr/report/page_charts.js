// The three kinds of plots: curves, grouped bars, heat-maps. Each returns an element of the given width.
'use strict';

const kPlotHeight = 330;
const plotBox = (width, left, below) => ({left, right: width - 20, top: 30, bottom: kPlotHeight - below});

function extent(values) {
  return [Math.min(...values), Math.max(...values)];
}

// Linear from 0 for scores, logarithmic for perplexities that fall over more than a factor of 8.
function valueScale(values, box, metric) {
  const [low, high] = extent(values);
  if (metric.log && low > 0 && high / low > 8) return logScale([low * 0.93, high * 1.07], [box.bottom, box.top]);
  if (metric.zero) {
    const top = ticks(0, high || 1, 5);
    const step = top[1] - top[0];
    return linearScale([0, Math.min(Math.ceil((high || 1) / step) * step, metric.limit || Infinity)], [box.bottom, box.top], 5);
  }
  const margin = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  return linearScale([low - margin, high + margin], [box.bottom, box.top], 5);
}

// lines: [{name, model: index, faint, points: [[x, y]], best: [x, y] or null}]
function curves(lines, metric, axis, width) {
  const points = lines.flatMap((line) => line.points);
  const below = 46;
  const longest = axis.scale ? axis.scale(Math.max(...points.map(([x]) => x))) : [1, axis.unit];
  const box = plotBox(width, 52, below);
  const x = linearScale([0, Math.max(...points.map((point) => point[0])) / longest[0]], [box.left, box.right], width < 500 ? 4 : 8);
  const y = valueScale(points.map((point) => point[1]), box, metric);
  const place = ([px, py]) => [x(px / longest[0]), y(py)];
  const picture = svg('svg', {width, height: kPlotHeight, viewBox: `0 0 ${width} ${kPlotHeight}`, role: 'img', tabindex: 0,
    'aria-label': `${metric.name} against ${axis.name}; the values are in the table below; left and right arrows read them out`});
  picture.append(axes(box, x, y, {x: `${axis.name}${longest[1] ? ` (${longest[1]})` : ''}`, y: metric.axis, below: 40}, {x: tickText, y: (value) => String(value)}));
  for (const line of lines) picture.append(...curve(line, place));
  return withReadout(picture, lines, {box, x, place, metric, axis, unit: longest});
}

function curve(line, place) {
  const path = line.points.map((point, i) => (i ? 'L' : 'M') + place(point).map((value) => value.toFixed(1)).join(',')).join('');
  const parts = [svg('path', {d: path, fill: 'none', stroke: colour(line.model), 'stroke-width': line.faint ? 1.3 : 2,
    'stroke-dasharray': line.faint ? '5 3' : null, 'stroke-linejoin': 'round', opacity: line.faint ? 0.75 : 1})];
  const marked = line.points.length > 60 ? [] : line.points;
  for (const point of marked) parts.push(marker(line.model, ...place(point), line.faint ? 2 : 3, {fill: colour(line.model), opacity: line.faint ? 0.75 : 1}));
  if (line.best) {
    const [cx, cy] = place(line.best);
    parts.push(svg('circle', {cx, cy, r: line.faint ? 5 : 7, fill: 'none', stroke: colour(line.model), 'stroke-width': line.faint ? 1 : 1.6}));
  }
  return parts;
}

// A vertical guide that follows the pointer or the arrow keys and tells all values at its place.
function withReadout(picture, lines, plot) {
  const figure = html('figure', {}, picture);
  const tip = html('div', {class: 'tip', role: 'status', hidden: true});
  const guide = svg('line', {class: 'guide', y1: plot.box.top, y2: plot.box.bottom, visibility: 'hidden'});
  const places = [...new Set(lines.flatMap((line) => line.points.map((point) => point[0])))].sort((a, b) => a - b);
  const nearest = (list, value) => list.reduce((best, candidate) => (Math.abs(candidate - value) < Math.abs(best - value) ? candidate : best));
  let current = places.length - 1;
  const hide = () => { tip.hidden = true; guide.setAttribute('visibility', 'hidden'); };
  const show = () => {
    const position = plot.x(places[current] / plot.unit[0]);
    guide.setAttribute('x1', position);
    guide.setAttribute('x2', position);
    guide.setAttribute('visibility', 'visible');
    tip.replaceChildren(html('div', {class: 'quiet'}, `${plot.axis.name} ${plot.axis.scale ? significant(places[current] / plot.unit[0], 3) : fixed(places[current], 0)} ${plot.unit[1] || ''}`));
    for (const line of lines) {
      const when = nearest(line.points.map((point) => point[0]), places[current]);
      const value = line.points.find((point) => point[0] === when)[1];
      tip.append(html('div', {}, swatch(line.model), `${line.name}: ${fixed(value, plot.metric.decimals)}`));
    }
    tip.hidden = false;
    const ratio = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
    const left = position * ratio > figure.clientWidth / 2 ? position * ratio - tip.offsetWidth - 12 : position * ratio + 12;
    tip.style.left = Math.max(0, left) + 'px';
    tip.style.top = plot.box.top + 'px';
  };
  picture.append(guide);
  picture.addEventListener('pointermove', (event) => {
    const area = picture.getBoundingClientRect();
    const value = (event.clientX - area.left) * (picture.viewBox.baseVal.width / area.width);
    current = places.indexOf(places.reduce((best, candidate) =>
      (Math.abs(plot.x(candidate / plot.unit[0]) - value) < Math.abs(plot.x(best / plot.unit[0]) - value) ? candidate : best)));
    show();
  });
  picture.addEventListener('pointerleave', hide);
  picture.addEventListener('blur', hide);
  picture.addEventListener('keydown', (event) => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (event.key === 'Escape') hide();
    if (!step) return;
    event.preventDefault();
    if (!tip.hidden) current = Math.min(places.length - 1, Math.max(0, current + step));
    show();
  });
  figure.append(tip);
  return figure;
}

// groups: [{label, sentences, values: [statistic or null for each model]}]
function bars(groups, models, metric, axisName, width) {
  const box = plotBox(width, 44, 62);
  const highest = groups.flatMap((group) => group.values.map((value) => (value && isNumber(value.mean) ? value.mean + (value.sd || 0) : 0)));
  const y = valueScale([0, ...highest], box, metric);
  const step = (box.right - box.left) / groups.length;
  const thick = Math.min(34, (step * 0.78) / models.length);
  const picture = svg('svg', {width, height: kPlotHeight, viewBox: `0 0 ${width} ${kPlotHeight}`, role: 'img',
    'aria-label': `${metric.name} by ${axisName}; the values are in the table below`});
  picture.append(axes(box, {ticks: []}, y, {x: axisName, y: metric.axis, below: 56}, {y: (value) => String(value)}));
  groups.forEach((group, g) => {
    const middle = box.left + step * (g + 0.5);
    picture.append(svg('text', {x: middle, y: box.bottom + 18, 'text-anchor': 'middle'}, group.label),
                   svg('text', {class: 'tick', x: middle, y: box.bottom + 34, 'text-anchor': 'middle'}, (width > 620 ? 'n = ' : '') + fixed(group.sentences, 0)));
    group.values.forEach((value, m) => {
      if (!value || !isNumber(value.mean)) return;
      picture.append(bar(value, middle + (m - models.length / 2) * thick, thick, {y, box, model: models[m],
        title: `${models[m].name}, ${group.label}: ${metric.name} ${fixed(value.mean, 1)}${isNumber(value.sd) ? ' ± ' + fixed(value.sd, 1) : ''}`}));
    });
  });
  return html('figure', {}, picture);
}

function bar(value, left, thick, {y, box, model, title}) {
  const inner = Math.max(1, thick - 2), middle = left + thick / 2;
  const parts = svg('g', {}, svg('title', {}, title),
    svg('rect', {x: left + 1, y: y(value.mean), width: inner, height: Math.max(0, box.bottom - y(value.mean)), fill: colour(model.index)}));
  if (isNumber(value.sd)) {
    const high = y(value.mean + value.sd), low = y(Math.max(0, value.mean - value.sd));
    parts.append(svg('path', {d: `M${middle},${high}V${low}M${middle - 3},${high}h6M${middle - 3},${low}h6`, stroke: 'var(--ink)', 'stroke-width': 1.2}));
  }
  return parts;
}

// weights [target][source] in 0..1; rows and columns carry the tokens.
function heatMap(weights, targetTokens, sourceTokens, width) {
  const target = targetTokens.map(tokenText), source = sourceTokens.map(tokenText);
  const longest = (tokens) => Math.max(0, ...tokens.map((token) => textWidth(token)));
  const left = Math.min(longest(target) + 12, width * 0.4), top = longest(source) * 0.8 + 14;
  const size = Math.max(9, Math.min(34, (width - left - 30 - longest(source.slice(-1)) * 0.7) / Math.max(1, source.length)));
  const wide = left + size * source.length + longest(source.slice(-1)) * 0.7 + 16, high = top + size * target.length + 10;
  const picture = svg('svg', {width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: 'img',
    'aria-label': `attention of ${target.length} target tokens over ${source.length} source tokens`});
  source.forEach((token, i) => {
    const x = left + size * (i + 0.62);
    picture.append(svg('text', {transform: `translate(${x},${top - 6}) rotate(-52)`, 'font-size': 12}, token));
  });
  target.forEach((token, t) => {
    const y = top + size * t;
    picture.append(svg('text', {x: left - 6, y: y + size / 2 + 4, 'text-anchor': 'end'}, token));
    source.forEach((_, s) => {
      const weight = (weights[t] || [])[s] || 0;
      picture.append(svg('rect', {x: left + size * s, y, width: size - 1, height: size - 1, fill: 'var(--heat)', 'fill-opacity': weight},
        svg('title', {}, `${targetTokens[t]} ← ${sourceTokens[s]}: ${fixed(weight, 3)}`)));
    });
  });
  picture.append(svg('rect', {x: left - 1, y: top - 1, width: size * source.length + 1, height: size * target.length + 1, fill: 'none', class: 'grid'}));
  return picture;
}

// A small map without tokens: cells of like weight share one path, so that dozens of maps stay light.
function thumbnail(weights, columns) {
  const levels = Array.from({length: 8}, () => []);
  weights.forEach((row, t) => row.forEach((weight, s) => {
    if (weight > 0.06) levels[Math.min(7, Math.floor(weight * 8))].push(`M${s},${t}h1v1h-1Z`);
  }));
  const rows = Math.max(1, weights.length), size = 88 / Math.max(rows, columns, 1);
  return svg('svg', {width: columns * size, height: rows * size, viewBox: `0 0 ${columns} ${rows}`, 'aria-hidden': 'true'},
    levels.map((cells, level) => svg('path', {d: cells.join(''), fill: 'var(--heat)', 'fill-opacity': (level + 0.5) / 8})));
}

// The shades of a heat-map with their weights.
function heatKey() {
  const picture = svg('svg', {width: 220, height: 34, viewBox: '0 0 220 34', 'aria-hidden': 'true'});
  for (let i = 0; i < 40; ++i) picture.append(svg('rect', {x: 10 + i * 5, y: 0, width: 5, height: 12, fill: 'var(--heat)', 'fill-opacity': (i + 0.5) / 40}));
  for (const value of [0, 0.5, 1]) picture.append(svg('text', {class: 'tick', x: 10 + value * 200, y: 28, 'text-anchor': 'middle'}, value === 0.5 ? 'weight 0.5' : String(value)));
  return picture;
}
