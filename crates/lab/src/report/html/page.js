'use strict';
// Shows the run that stands in #data. Everything is built as nodes: no text of a page or a server becomes markup.
const data = JSON.parse(document.getElementById('data').textContent);
const find = (id) => document.getElementById(id);

function node(tag, more = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(more)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'on') made.addEventListener('click', value);
    else if (key === 'style') made.style.cssText = value;
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...inside.flat().filter((one) => one !== null && one !== undefined));
  return made;
}

const seconds = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
const GOOD = new Set(['passed', 'flaky', 'known']);
const FILTERS = [
  ['all', () => true],
  ['failed', (one) => !GOOD.has(one.verdict)],
  ['lie', (one) => one.verdict === 'lie' || one.verdict === 'false_alarm'],
  ['flaky', (one) => one.verdict === 'flaky'],
  ['passed', (one) => one.verdict === 'passed'],
];
const unread = data.unreadable.map((one) => ({ ...one, profile: 'calm', round: 1, verdict: 'bad_scenario', fixture: 'not read', duration_ms: 0, attempts: [], again: 'cargo run -p lab -- scenario lint' }));
const cases = [...unread, ...data.cases];
const link = (one) => one.name + (one.profile === 'wild' ? ':wild' : '') + (one.round > 1 ? `:${one.round}` : '');
const state = { filter: 'all', search: '', at: null, attempt: 0, tab: 'timeline' };

function shown() {
  const keep = FILTERS.find(([word]) => word === state.filter)[1];
  return cases.filter((one) => keep(one) && link(one).includes(state.search));
}

function about() {
  const parts = [`run ${data.run}`, `against ${data.subject}`, seconds(data.duration_ms)];
  if (data.interrupted) parts.push('interrupted');
  if (data.environment) parts.push(`environment: ${data.environment}`);
  find('about').textContent = parts.join(' · ');
  const told = Object.entries(data.summary).filter(([word, count]) => count > 0 || ['flaky', 'lie', 'false_alarm'].includes(word));
  find('counts').append(...told.map(([word, count]) => node('span', { class: count > 0 ? word : '' }, node('b', {}, String(count)), ` ${word.replace('_', ' ')}`)));
}

function list() {
  find('filters').replaceChildren(...FILTERS.map(([word, keep]) => node('button', {
    class: 'pill', 'aria-pressed': String(state.filter === word), on: () => { state.filter = word; list(); },
  }, `${word} `, node('small', {}, String(cases.filter(keep).length)))));
  const rows = shown().map((one) => {
    const [group, ...rest] = one.name.split('/');
    const mark = (one.profile === 'wild' ? ' (wild)' : '') + (one.round > 1 ? ` #${one.round}` : '');
    return node('li', {}, node('a', { href: `#${link(one)}`, class: one.verdict, 'aria-current': String(state.at === one), title: `${one.verdict}: ${one.name}` },
      node('i'), node('span', {}, node('em', {}, rest.length > 0 ? `${group}/` : ''), rest.join('/') || group, node('em', {}, mark)), node('small', {}, seconds(one.duration_ms))));
  });
  find('cases').replaceChildren(...rows);
  document.querySelector('#cases [aria-current=true]')?.scrollIntoView({ block: 'nearest' });
}

function figure(title, source, hit) {
  if (!source) return null;
  const image = node('img', { src: source, alt: title });
  const frame = node('div', { class: 'frame' }, image);
  if (hit) {
    image.addEventListener('load', () => {
      frame.append(node('i', { class: 'hit', title: `hit at ${hit.join(', ')}`, style: `left:${(hit[0] / image.naturalWidth) * 100}%;top:${(hit[1] / image.naturalHeight) * 100}%` }));
    });
  }
  return node('figure', {}, frame, node('figcaption', {}, title));
}

function step(one, index) {
  const bare = one.claim === null && one.truth === null;
  return node('section', { class: 'step', id: `step-${index + 1}` },
    node('div', { class: 'head' }, node('span', { class: 'n' }, String(index + 1)),
      node('span', {}, one.step, ' ', one.verdict === 'passed' ? null : node('b', { class: one.verdict }, one.verdict)),
      node('span', { class: 'ms' }, `line ${one.line} · ${seconds(one.ms)}`)),
    bare ? null : node('div', { class: 'pair' },
      node('div', {}, node('small', {}, 'the server claims'), one.claim ?? 'nothing to judge'),
      node('div', {}, node('small', {}, 'the page’s journal saw'), one.truth ?? 'not asked')),
    one.reason ? node('div', { class: 'reason' }, one.reason) : null,
    one.pictures ? node('div', { class: 'pictures' }, figure(`before${one.pictures.hit ? ', and where it was hit' : ''}`, one.pictures.before, one.pictures.hit), figure('after', one.pictures.after)) : null);
}

const LANES = [['mcp', 'agent ↔ relay'], ['relay', 'relay ↔ daemon'], ['link', 'daemon ↔ extension']];

function timeline(attempt) {
  const records = attempt.journal.filter((one) => typeof one.t === 'number');
  const end = Math.max(1, ...attempt.frames.map((one) => one.t), ...records.map((one) => one.t), ...attempt.steps.map((one) => one.at_ms + one.ms));
  const place = (t) => `${Math.min(100, Math.max(0, (t / end) * 100)).toFixed(3)}%`;
  const body = node('pre', { id: 'body' }, 'A mark shows what was said there.');
  const tick = (t, kind, title, text) => node('button', {
    class: kind, style: `left:${place(t)}`, title: `${seconds(t)} ${title}`, 'aria-label': `${seconds(t)} ${title}`,
    on: (event) => {
      for (const other of document.querySelectorAll('.lane [aria-pressed=true]')) other.removeAttribute('aria-pressed');
      event.currentTarget.setAttribute('aria-pressed', 'true');
      body.textContent = `${seconds(t)} · ${title}\n${text}`;
    },
  });
  const lane = (title, marks) => node('div', { class: 'lane' }, node('span', {}, title), node('div', {}, marks));
  const bands = attempt.steps.map((one, index) => node('i', { class: `band ${one.verdict}`, title: `${index + 1}. ${one.step}`, style: `left:${place(one.at_ms)};width:${place(one.ms)}` }));
  return node('div', {}, node('div', { class: 'lanes' },
    lane('steps', bands),
    LANES.map(([hop, title]) => lane(title, attempt.frames.filter((one) => one.hop === hop).map((one) => tick(one.t, one.dir, `${one.dir === 'in' ? '←' : '→'} ${one.title}`, one.body)))),
    lane('page (journal)', records.map((one) => tick(one.t, 'page', `${one.word} ${one.target}`, JSON.stringify(one, null, 2)))),
    node('div', { class: 'axis' }, node('span', {}, '0'), node('span', {}, seconds(end / 2)), node('span', {}, seconds(end)))), body);
}

function table(heads, rows, none) {
  if (rows.length === 0) return node('p', { class: 'none' }, none);
  return node('table', {}, node('thead', {}, node('tr', {}, heads.map((head) => node('th', {}, head)))),
    node('tbody', {}, rows.map((row) => node('tr', {}, row.map((cell, index) => node('td', { class: index === 0 ? 't' : null }, cell ?? ''))))));
}

function tree(attempt) {
  if (attempt.tree.length === 0) return node('p', { class: 'none' }, 'No snapshot was taken.');
  const kind = { '+': 'plus', '-': 'minus', ' ': null };
  return node('pre', {}, attempt.tree.map(([sign, line]) => node('span', { class: kind[sign] }, `${sign} ${line}`)));
}

const TABS = {
  timeline: ['Timeline', (one) => one.frames.length + one.journal.length, timeline],
  tree: ['Tree', (one) => one.tree.filter(([sign]) => sign !== ' ').length, tree],
  journal: ['Journal', (one) => one.journal.length, (one) => node('div', {}, node('pre', {}, `goal ${JSON.stringify(one.goal ?? {}, null, 2)}`),
    table(['at', 'what', 'where', 'trusted'], one.journal.map((row) => [typeof row.t === 'number' ? seconds(row.t) : '', `${row.word}${row.more ? ` ${JSON.stringify(row.more)}` : ''}`, row.target, row.kind === 'event' ? String(row.trusted) : '']), 'The page said nothing.'))],
  console: ['Console', (one) => one.heard.filter((row) => row.kind === 'console').length, (one) => table(['at', 'level', 'text'], one.heard.filter((row) => row.kind === 'console').map((row) => [seconds(row.t_ms), row.level, row.text]), 'Nothing was said, or nobody listened (--evidence listens).')],
  network: ['Network', (one) => one.heard.filter((row) => row.kind === 'network').length, (one) => table(['at', 'what', 'which'], one.heard.filter((row) => row.kind === 'network').map((row) => [seconds(row.t_ms), `${row.what} ${row.method ?? row.status ?? ''}`, row.url ?? row.text]), 'Nothing was asked, or nobody listened (--evidence listens).')],
  replies: ['Replies', (one) => (one.replies.match(/^## /gm) ?? []).length, (one) => (one.replies ? node('pre', {}, one.replies) : node('p', { class: 'none' }, 'Kept of attempts that failed, and with --evidence.'))],
};

function worker(attempt) {
  const lives = [...new Set(attempt.worker)];
  if (lives.length === 0) return null;
  return `worker ${lives.join(' → ')}`;
}

function show() {
  const one = state.at;
  const place = find('case');
  if (one === null) {
    place.replaceChildren(node('div', { class: 'empty' }, cases.length === 0 ? 'Nothing was run.' : 'Nothing like that here.'));
    return;
  }
  const attempt = one.attempts[state.attempt];
  const copy = node('button', { id: 'copy', on: () => { void navigator.clipboard?.writeText(one.again); copy.textContent = 'Copied'; } }, 'Copy');
  const many = one.attempts.length > 1;
  const parts = [
    node('div', { class: 'title' }, node('span', { class: `badge ${one.verdict}` }, one.verdict.replace('_', ' ')), node('h2', {}, one.name)),
    node('p', { class: 'meta' }, [`fixture ${one.fixture}`, one.profile, seconds(one.duration_ms), many ? `${one.attempts.length} attempts` : null, attempt ? worker(attempt) : null].filter(Boolean).join(' · ')),
    one.reason ? node('p', { class: `why ${one.verdict}` }, node('span', {}, one.reason)) : null,
    node('div', { class: 'again' }, node('code', {}, one.again), copy),
  ];
  if (many) {
    parts.push(node('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Attempts' }, one.attempts.map((other, index) => node('button', {
      role: 'tab', 'aria-selected': String(index === state.attempt), on: () => { location.hash = `${link(one)}/${index + 1}`; },
    }, `attempt ${index + 1} `, node('small', { class: index + 1 === one.attempts.length && one.verdict === 'flaky' ? 'passed' : other.verdict }, index + 1 === one.attempts.length && one.verdict === 'flaky' ? 'passed' : other.verdict)))));
  }
  if (attempt) {
    parts.push(node('h3', {}, 'Steps'), ...attempt.steps.map(step));
    if (attempt.picture && !attempt.steps.some((one) => one.pictures)) parts.push(node('h3', {}, 'The page at the end'), node('div', { class: 'pictures alone' }, figure('as it was left', attempt.picture)));
    parts.push(node('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Evidence' }, Object.entries(TABS).map(([word, [title, count]]) => node('button', {
      role: 'tab', id: `tab-${word}`, 'aria-selected': String(state.tab === word), on: () => { state.tab = word; show(); },
    }, `${title} `, node('small', {}, String(count(attempt)))))), node('div', { role: 'tabpanel', id: 'panel' }, TABS[state.tab][2](attempt)));
  }
  place.replaceChildren(...parts.filter((part) => part !== null));
}

function go(one, attempt) {
  location.hash = attempt === undefined ? link(one) : `${link(one)}/${attempt + 1}`;
}

function follow() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const found = cases.map((one) => [one, link(one)]).filter(([, name]) => wanted === name || wanted.startsWith(`${name}/`)).sort((a, b) => b[1].length - a[1].length)[0];
  const before = state.at;
  state.at = found?.[0] ?? shown()[0] ?? null;
  const number = found ? Number(wanted.slice(found[1].length + 1)) : Number.NaN;
  const last = (state.at?.attempts.length ?? 1) - 1;
  // Of several attempts the first that failed tells most.
  state.attempt = number >= 1 && number <= last + 1 ? number - 1 : 0;
  list();
  show();
  if (before !== state.at) find('case').scrollTop = 0;
}

const moves = {
  j: () => step_by(1), k: () => step_by(-1), ArrowDown: () => step_by(1), ArrowUp: () => step_by(-1),
  l: () => turn(1), h: () => turn(-1),
  f: () => { const at = FILTERS.findIndex(([word]) => word === state.filter); state.filter = FILTERS[(at + 1) % FILTERS.length][0]; list(); },
  c: () => find('copy')?.click(),
  '/': () => find('search').focus(),
};

function step_by(by) {
  const all = shown();
  const next = all[Math.min(all.length - 1, Math.max(0, all.indexOf(state.at) + by))];
  if (next) go(next);
}

function turn(by) {
  const next = state.attempt + by;
  if (state.at?.attempts[next]) go(state.at, next);
}

document.addEventListener('keydown', (event) => {
  if (event.target instanceof HTMLInputElement) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const move = event.ctrlKey || event.metaKey || event.altKey ? undefined : moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
});
find('search').addEventListener('input', (event) => { state.search = event.target.value; list(); });
window.addEventListener('hashchange', follow);
about();
follow();
