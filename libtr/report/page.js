// The sections of the page, from the data that report embeds.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const models = data.models.map((model, index) => ({...model, index}));
const runs = models.flatMap((model) => model.runs.map((run, i) => ({...run, model, first: i === 0,
  name: model.runs.length > 1 ? `${model.name}, seed ${run.seed === null || run.seed === undefined ? i + 1 : run.seed}` : model.name})));
const seedCount = Math.max(1, ...models.map((model) => model.runs.length));
const redraws = [];

// A part that depends on the width is drawn again when the width changes.
function sized(draw) {
  const box = html('div');
  let drawn = 0;
  const redraw = () => {
    const width = Math.floor(box.clientWidth || 700);
    if (width !== drawn) box.replaceChildren(draw(width));
    drawn = width;
  };
  redraws.push(redraw);
  return Object.assign(box, {redraw: () => { drawn = 0; redraw(); }});
}

const testsOf = (model) => Object.keys(at(model, '/runs/0/result/test') || {});
const testStatistic = (model, test, key) => statistic(model.runs.map((run) => at(run, `/result/test/${test}`)).map((metrics) => (metrics || {})[key]));

function section(id, title, draw) {
  let content;
  try {
    content = draw();
  } catch (error) {  // one odd file must not take the other sections away
    content = [html('p', {class: 'alarm'}, `This section could not be drawn: ${error.message}`)];
    console.error(error);
  }
  if (!content) return;
  document.getElementById('main').append(html('section', {id, 'aria-labelledby': id + '-title'}, html('h2', {id: id + '-title'}, title), ...content));
  document.getElementById('contents').append(html('a', {href: '#' + id}, title));
}

// ---- results ----
function results() {
  const unit = timeUnit(Math.max(0, ...models.map((model) => model.train_seconds.mean || 0)));
  const inUnit = ({mean, sd, values}) => ({mean: isNumber(mean) ? mean / unit[0] : null, sd: isNumber(sd) ? sd / unit[0] : null, values: values.map((x) => (isNumber(x) ? x / unit[0] : x))});
  const best = (key, sign) => Math.max(...models.map((model) => model[key].mean).filter(isNumber).map((mean) => sign * mean)) * sign;
  const score = (model, key, decimals, sign) => meanCell(model[key], decimals, models.length > 1 && model[key].mean === best(key, sign));
  const rows = models.map((model) => [nameCell(model), score(model, 'bleu', 1, 1), score(model, 'chrf', 1, 1), score(model, 'perplexity', 2, -1),
    {text: short(model.parameters), title: fixed(model.parameters, 0)}, short(model.multiply_adds_per_target_token),
    meanCell(inUnit(model.train_seconds), unit[0] === 1 ? 1 : 2), meanCell(model.target_tokens_per_second, 0), String(model.runs.length)]);
  const head = ['model', 'BLEU ↑', 'chrF ↑', 'perplexity ↓', 'parameters', 'multiply‑adds per target token', `training (${unit[1]})`, 'target tokens per second', 'seeds'];
  const notes = [seedCount > 1 ? 'Mean ± standard deviation over seeds (n − 1).' : models.length > 1 ? 'One seed: how much another seed changes is not known.' : '',
    models.length > 1 ? 'Bold: best mean.' : '', 'Perplexity: teacher forcing, weighted by tokens, without label smoothing.'];
  const diverged = runs.filter((run) => run.result.diverged).map((run) => run.name);
  return [dataTable(head, rows, {class: 'wide', label: 'comparison of the models'}),
    html('p', {class: 'note'}, notes.filter(Boolean).join(' ')), ...signatures(),
    diverged.length ? html('p', {class: 'alarm'}, `Training diverged: ${diverged.join('; ')}.`) : null];
}

function signatures() {
  const found = new Set(models.flatMap((model) => ['bleu_signature', 'chrf_signature'].map((key) => at(model, `/runs/0/result/test/${model.main_test}/${key}`))));
  return [...found].filter(Boolean).map((signature) => html('p', {class: 'note'}, html('code', {}, signature)));
}

// ---- learning curves ----
const kMetrics = [
  {key: 'bleu', from: 'valid', name: 'BLEU', axis: 'validation BLEU', decimals: 1, zero: true, limit: 100},
  {key: 'chrf', from: 'valid', name: 'chrF', axis: 'validation chrF', decimals: 1, zero: true, limit: 100},
  {key: 'perplexity', from: 'valid', name: 'perplexity', axis: 'validation perplexity', decimals: 2, log: true},
  {key: 'nll_per_token', from: 'valid', name: 'nll', axis: 'validation negative log-likelihood (nats per token)', decimals: 3},
  {key: 'loss', from: 'train', name: 'training loss', axis: 'training loss (as optimised, nats per token)', decimals: 3},
  {key: 'learning_rate', from: 'train', name: 'learning rate', axis: 'learning rate (per update)', decimals: 6, zero: true}];
const kAxes = [{key: 'update', name: 'updates'}, {key: 'seconds', name: 'training time', scale: timeUnit}, {key: 'target_tokens', name: 'target tokens'}];

function linesOf(metric, axis) {
  return runs.map((run) => {
    const events = (run[metric.from] || []).filter((event) => isNumber(event[metric.key]) && isNumber(event[axis.key]));
    const point = (event) => [event[axis.key], event[metric.key]];
    const best = metric.from === 'valid' ? events.filter((event) => event.update === at(run, '/result/best_update')).pop() : null;
    return {name: run.name, model: run.model.index, faint: !run.first, points: events.map(point), best: best ? point(best) : null};
  }).filter((line) => line.points.length > 0);
}

function learningCurves() {
  const metrics = kMetrics.filter((metric) => linesOf(metric, kAxes[0]).length > 0);
  if (metrics.length === 0) return null;
  const state = {metric: metrics[0].key, axis: 'update'};
  const chosen = () => [metrics.find((metric) => metric.key === state.metric), kAxes.find((axis) => axis.key === state.axis)];
  const plot = sized((width) => {
    const [metric, axis] = chosen(), lines = linesOf(metric, axis);
    return lines.length ? curves(lines, metric, axis, width) : html('p', {class: 'quiet'}, `No ${metric.name} was logged against ${axis.name}.`);
  });
  const values = html('div');
  const list = () => {
    const [metric, axis] = chosen();
    const rows = linesOf(metric, axis).flatMap((line) => line.points.slice(-200).map(([x, y]) => [line.name, fixed(x, axis.scale ? 1 : 0), fixed(y, metric.decimals)]));
    values.replaceChildren(dataTable(['run', axis.scale ? `${axis.name} (s)` : axis.name, metric.axis], rows, {label: 'values of the curves'}));
  };
  const change = (key) => (value) => { state[key] = value; plot.redraw(); list(); };
  list();
  return [html('div', {class: 'controls'}, choices('measure', metrics, state.metric, change('metric')), choices('against', kAxes, state.axis, change('axis'))),
    plot, legend(models.filter((model) => model.runs.some((run) => run.valid.length + run.train.length > 0))),
    html('p', {class: 'note'}, 'A ring marks the checkpoint that was chosen.' + (seedCount > 1 ? ' Solid: first seed; dashed: further seeds.' : '') +
      ' Training time leaves out validation and decoding. A vertical axis over more than a factor of 8 is logarithmic for perplexity.'),
    folded('Values', values)];
}

const legend = (shown) => html('ul', {class: 'legend'}, shown.map((model) => html('li', {}, nameCell(model))));

// ---- BLEU by source length ----
const binName = (bin) => (isNumber(bin.to) ? (bin.from === bin.to ? `${bin.from}` : `${bin.from}–${bin.to}`) : `≥ ${bin.from}`);

function lengthGroups(test) {
  const binsOf = (run) => at(run, `/result/test/${test}/bleu_by_length`) || [];
  const longest = runs.map(binsOf).reduce((a, b) => (b.length > a.length ? b : a), []);
  return longest.map((bin) => ({label: binName(bin), sentences: bin.sentences, values: models.map((model) => {
    const values = model.runs.map((run) => binsOf(run).find((other) => other.from === bin.from)).filter((other) => other && other.sentences > 0);
    return values.length ? statistic(values.map((other) => other.bleu)) : null;
  })}));
}

function byLength() {
  const tests = [...new Set(models.flatMap(testsOf))].filter((test) => lengthGroups(test).length > 0);
  if (tests.length === 0) return null;
  const state = {test: Math.max(0, tests.indexOf(models[0].main_test))};
  const metric = {name: 'BLEU', axis: 'BLEU', zero: true, limit: 100};
  const plot = sized((width) => bars(lengthGroups(tests[state.test]), models, metric, 'length of the source (words); below it the number of sentences', width));
  const values = html('div');
  const list = () => values.replaceChildren(dataTable(['length', 'sentences', ...models.map((model) => model.name)],
    lengthGroups(tests[state.test]).map((group) => [group.label, fixed(group.sentences, 0), ...group.values.map((value) => meanCell(value, 1))]), {label: 'BLEU by length'}));
  list();
  return [tests.length > 1 ? html('div', {class: 'controls'}, selection('test set', tests, state.test, (i) => { state.test = i; plot.redraw(); list(); })) : null,
    plot, legend(models), seedCount > 1 ? html('p', {class: 'note'}, 'Whiskers: ± standard deviation over seeds.') : null, folded('Values', values)];
}

// ---- other test sets ----
function testSets() {
  const tests = [...new Set(models.flatMap(testsOf))];
  if (tests.length < 2) return null;
  const main = models[0].main_test;
  const rows = tests.flatMap((test) => models.map((model, i) => {
    const best = Math.max(...models.map((other) => testStatistic(other, test, 'bleu').mean).filter(isNumber));
    const bleu = testStatistic(model, test, 'bleu');
    const tokens = at(model, `/runs/0/result/test/${test}/tokens`);
    return [i === 0 ? {text: test + (test === main ? ' (main)' : '')} : '', {text: nameCell(model), class: 'text'}, meanCell(bleu, 1, models.length > 1 && bleu.mean === best),
      meanCell(testStatistic(model, test, 'chrf'), 1), meanCell(testStatistic(model, test, 'perplexity'), 2),
      meanCell(testStatistic(model, test, 'bits_per_character'), 3), fixed(tokens, 0)];
  }));
  return [dataTable(['test set', {text: 'model', class: 'text'}, 'BLEU ↑', 'chrF ↑', 'perplexity ↓', 'bits per character ↓', 'target tokens'], rows, {class: 'wide', label: 'all test sets'})];
}

// ---- significance ----
const probability = (p) => (isNumber(p) ? {text: p < 0.001 ? '< 0.001' : p.toFixed(3), class: p < 0.05 ? 'best' : null} : '–');

function significance() {
  const parts = data.comparisons.flatMap((comparison) => {
    const found = comparison.significance;
    const pairs = Array.isArray(found) ? found : Object.values(found || {}).find(Array.isArray) || [];
    if (pairs.length === 0) return [];
    const notes = Array.isArray(found) ? [] : Object.values(found).filter((value) => typeof value === 'string');
    const rows = pairs.map((pair) => [`${pair.a} – ${pair.b}`, {text: pair.metric ? pair.metric : 'bleu', class: 'text'}, literal(pair.seed),
      isNumber(pair.difference) ? (pair.difference > 0 ? '+' : '') + fixed(pair.difference, 2) : '–', probability(pair.bootstrap_p), probability(pair.randomisation_p)]);
    return [dataTable(['pair', {text: 'metric', class: 'text'}, 'seed', 'difference', 'p, paired bootstrap', 'p, randomisation'], rows, {label: 'significance'}),
      ...notes.map((note) => html('p', {class: 'note'}, note))];
  });
  if (parts.length === 0) return null;
  return [...parts, html('p', {class: 'note'}, 'Difference: first minus second model. Bold: p below 0.05. ' +
    'The tests cover the choice of test sentences; how much another seed changes is told by several seeds only.')];
}

// ---- conditions ----
function sameBatches() {
  const seeds = new Map();
  for (const run of runs) {
    const sum = run.result.batches_sha256;
    if (sum) seeds.set(run.seed, [...(seeds.get(run.seed) || []), sum]);
  }
  return [...seeds].filter(([, sums]) => sums.length > 1).map(([seed, sums]) => (new Set(sums).size === 1
    ? html('p', {}, html('span', {class: 'exact'}, '✓'), ` ${isNumber(seed) ? `Seed ${seed}: all` : 'All'} ${sums.length} models were trained on the same batches in the same order (sha256 `, html('code', {}, sums[0].slice(0, 12)), '…).')
    : html('p', {class: 'alarm'}, `Seed ${seed}: the models were trained on different batches (${[...new Set(sums)].map((sum) => sum.slice(0, 12)).join(', ')}).`)));
}

function conditions() {
  const parts = data.comparisons.flatMap((comparison) => {
    const differences = comparison.differences || [];
    const names = [...new Set(differences.flatMap((difference) => Object.keys(difference.values || {})))];
    const heading = data.comparisons.length > 1 ? [html('h3', {}, comparison.folder)] : [];
    const table = differences.length
      ? [html('p', {}, 'Outside of ', html('code', {}, '/model'), ' the models differ in:'),
         dataTable(['path', ...names], differences.map((difference) => [html('code', {}, difference.path), ...names.map((name) => html('code', {}, literal(difference.values[name])))]), {label: 'differences'})]
      : [html('p', {}, 'Outside of ', html('code', {}, '/model'), ' the models differ in nothing.')];
    const shared = comparison.conditions && Object.keys(comparison.conditions).length ? [folded('What is the same for all models', pathTable(comparison.conditions, 'conditions'))] : [];
    return [...heading, ...table, ...shared];
  });
  const own = models.map((model) => model.runs.find((run) => run.config)).filter(Boolean)
    .map((run) => folded(`Configuration of ${runs.find((other) => other.config === run.config).model.name}`, pathTable(run.config, 'configuration')));
  const all = [...sameBatches(), ...parts, ...own];
  return all.length ? all : null;
}

// ---- runs ----
function everyRun() {
  const time = (run, key) => fixed(at(run, `/result/wall_time_seconds/${key}`), 1);
  const rows = runs.map((run) => [html('span', {}, swatch(run.model.index), run.name), fixed(run.result.updates, 0), fixed(run.result.epochs, 1), short(run.result.target_tokens),
    fixed(run.result.best_update, 0), fixed(at(run, '/result/valid/bleu'), 1), fixed(at(run, '/result/valid/perplexity'), 2),
    fixed(at(run, `/result/test/${run.model.main_test}/bleu`), 1), fixed(at(run, `/result/test/${run.model.main_test}/perplexity`), 2),
    time(run, 'train'), time(run, 'valid'), time(run, 'decode'), time(run, 'total'), fixed(run.result.cpu_seconds, 0), {text: html('code', {}, (run.result.batches_sha256 || '–').slice(0, 8)), title: run.result.batches_sha256}]);
  return [dataTable(['run', 'updates', 'epochs', 'target tokens', 'chosen update', 'valid BLEU', 'valid ppl', 'test BLEU', 'test ppl', 'training (s)', 'validation (s)', 'decoding (s)',
    'total (s)', 'CPU (s)', 'batches'], rows, {label: 'every run'})];
}

function environment() {
  const found = data.comparisons.map((comparison) => comparison.environment).find(Boolean) || at(runs[0] || {}, '/result/environment');
  const corpus = at(runs[0] || {}, '/result/corpus');
  const parts = [found ? pathTable(found, 'environment') : null, corpus ? folded('Corpora', pathTable(corpus, 'corpora')) : null].filter(Boolean);
  return parts.length ? parts : null;
}

// ---- the page ----
const count = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;
document.getElementById('summary').textContent = [count(models.length, 'model'), count(seedCount, 'seed'),
  models.length && models[0].main_test ? `main test set: ${models[0].main_test}` : ''].filter(Boolean).join(' · ');
section('results', 'Results', results);
section('curves', 'Learning curves', learningCurves);
section('length', 'BLEU by source length', byLength);
section('attention', 'Attention', attention);
section('translations', 'Sample translations', translations);
section('test-sets', 'Test sets', testSets);
section('significance', 'Significance', significance);
section('conditions', 'Conditions', conditions);
section('runs', 'Every run', everyRun);
section('environment', 'Environment', environment);
document.getElementById('footer').textContent = `Made by libtr ${data.libtr} from the files of the runs. This file needs no network.`;

const redrawAll = () => redraws.forEach((redraw) => redraw());
redrawAll();
new ResizeObserver(() => requestAnimationFrame(redrawAll)).observe(document.getElementById('main'));
