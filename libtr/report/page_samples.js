// The sections on single test sentences: attention maps, translations side by side.
'use strict';

// ---- attention ----
const mapsOf = (sample) => Object.entries(sample.attention || {}).filter(([, weights]) => Array.isArray(weights));

function attention() {
  const withMaps = runs.filter((run) => run.samples.some((sample) => mapsOf(sample).length > 0));
  const without = models.filter((model) => !withMaps.some((run) => run.model === model) && model.runs.some((run) => run.samples.length > 0));
  if (withMaps.length === 0) return null;
  const state = {run: withMaps.findIndex((run) => run.model === withMaps[withMaps.length - 1].model), sample: 0, map: 0};
  const bar = html('div', {class: 'controls'});
  const plot = sized((width) => attentionFigure(withMaps[state.run].samples[state.sample], state, width, (map) => { state.map = map; update(); }));
  const update = () => {
    const samples = withMaps[state.run].samples;
    state.sample = Math.min(state.sample, samples.length - 1);
    const maps = mapsOf(samples[state.sample]);
    state.map = Math.max(0, Math.min(state.map, maps.length - 1));
    const pick = (key) => (value) => { state[key] = value; update(); bar.querySelectorAll('select')[['run', 'sample', 'map'].indexOf(key)].focus(); };
    bar.replaceChildren(selection('model', withMaps.map((run) => run.name), state.run, pick('run')),
      selection('test sentence', samples.map((sample, i) => `${i + 1}: ${sample.source_text || ''}`), state.sample, pick('sample')),
      maps.length > 1 ? selection('map', maps.map(([name]) => name), state.map, pick('map')) : '');
    plot.redraw();
  };
  update();
  return [bar, plot, without.length ? html('p', {class: 'note'}, `${without.map((model) => model.name).join(', ')}: no attention; the source is handed over in one vector.`) : null];
}

function attentionFigure(sample, state, width, choose) {
  const maps = mapsOf(sample), target = sample.target || [], source = sample.source || [];
  if (target.length === 0) return html('p', {class: 'quiet'}, 'The translation of this sentence is empty: there is nothing that attends.');
  if (maps.length === 0) return html('p', {class: 'quiet'}, 'No map was kept for this sentence.');
  const [name, weights] = maps[state.map];
  const figure = html('figure', {}, html('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'attention map'}, heatMap(weights, target, source, width)), heatKey(),
    html('figcaption', {}, `${name}. Rows: target tokens; columns: source tokens. Each row sums to 1: where the model looked when it wrote the token.`));
  if (maps.length === 1) return figure;
  return html('div', {}, figure, html('div', {class: 'maps'}, maps.map(([label, cells], i) => {
    const button = html('button', {type: 'button', 'aria-pressed': String(i === state.map)}, thumbnail(cells, source.length), label);
    button.addEventListener('click', () => choose(i));
    return button;
  })));
}

// ---- sample translations ----
function translations() {
  const shown = models.map((model) => model.runs.find((run) => run.samples.length > 0)).map((run, i) => ({model: models[i], samples: run ? run.samples : []}));
  const sentences = new Map();
  for (const {samples} of shown) {
    for (const sample of samples) sentences.set(JSON.stringify([sample.source_text, sample.reference]), sample);
  }
  if (sentences.size === 0) return null;
  const cards = [...sentences.values()].map((sample) => {
    const lines = shown.filter(({samples}) => samples.length > 0).flatMap(({model, samples}) => {
      const own = samples.find((other) => other.source_text === sample.source_text && other.reference === sample.reference);
      return [html('dt', {}, nameCell(model)), html('dd', {}, ...hypothesis(own, sample.reference || ''))];
    });
    return html('dl', {class: 'sample'}, html('dt', {}, 'source'), html('dd', {class: 'source'}, sample.source_text || '(empty)'),
      html('dt', {}, 'reference'), html('dd', {}, sample.reference || '(empty)'), ...lines);
  });
  return [html('p', {class: 'note'}, 'Marked: words that are not in the reference at that place.' + (seedCount > 1 ? ' First seed of each model.' : '')),
    ...cards.slice(0, 6), cards.length > 6 ? folded(`${cards.length - 6} more sentences`, ...cards.slice(6)) : null];
}

function hypothesis(sample, reference) {
  if (!sample) return [html('span', {class: 'quiet'}, 'not among the samples of this model')];
  const text = sample.hypothesis || '';
  if (text === '') return [html('span', {class: 'quiet'}, '(empty)')];
  return text === reference ? [text, ' ', html('span', {class: 'exact'}, '✓ same as the reference')] : compared(text, reference);
}
