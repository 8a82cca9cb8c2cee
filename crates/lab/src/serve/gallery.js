// The gallery: finds fixtures and shows what the journal of the chosen one holds.

const $ = (id) => document.getElementById(id);
const make = (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
};

const state = { fixtures: [], tag: '', chosen: undefined, run: '', stream: undefined, goal: {}, live: new Set() };

const newRun = () => `hand-${crypto.randomUUID().slice(0, 8)}`;

// --- the list ---

const matches = (fixture) => {
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = [fixture.id, fixture.title, fixture.story, ...fixture.tags].join(' ').toLowerCase();
  return (state.tag === '' || fixture.tags.includes(state.tag)) && words.every((word) => text.includes(word));
};

const showList = () => {
  const shown = state.fixtures.filter(matches);
  const groups = Map.groupBy(shown, (fixture) => fixture.group);
  $('list').replaceChildren(...[...groups].map(([group, fixtures]) => {
    const section = make('section', 'group', make('h2', '', group));
    for (const fixture of fixtures) {
      const card = make('a', 'card',
        make('strong', '', fixture.title), make('span', 'name', fixture.id.split('/')[1]), make('p', '', fixture.story));
      card.href = `#${fixture.id}`;
      if (fixture === state.chosen) card.setAttribute('aria-current', 'true');
      section.append(card);
    }
    return section;
  }));
  const all = state.fixtures.length;
  $('count').textContent = shown.length === all ? `${all} fixtures` : `${shown.length} of ${all} fixtures`;
  if (shown.length === 0) $('list').append(make('p', 'quiet', 'No fixture matches. Try fewer words or another tag.'));
};

const showTags = () => {
  const counts = new Map();
  for (const tag of state.fixtures.flatMap((fixture) => fixture.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const common = [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b)).slice(0, 24);
  $('tags').replaceChildren(...common.map(([tag, count]) => {
    const button = make('button', 'tag', `${tag} ${count}`);
    button.type = 'button';
    button.setAttribute('aria-pressed', String(tag === state.tag));
    button.addEventListener('click', () => {
      state.tag = state.tag === tag ? '' : tag;
      showTags();
      showList();
    });
    return button;
  }));
};

// --- the chosen fixture ---

const address = () => {
  const query = new URLSearchParams({ run: state.run });
  for (const [name, value] of new FormData($('variants'))) if (value !== '') query.set(name, value);
  return `${state.chosen.path}?${query}`;
};

const show = (value) => (value === undefined ? '—' : JSON.stringify(value));

const showGoal = () => {
  const wanted = state.chosen.goal;
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(state.goal)])];
  $('goal').replaceChildren(...keys.map((key) => {
    const row = make('tr', '', make('td', '', key), make('td', '', show(wanted[key])), make('td', '', show(state.goal[key])));
    if (key in wanted && show(wanted[key]) === show(state.goal[key])) row.className = 'met';
    return row;
  }));
  if (keys.length === 0) {
    const cell = make('td', '', 'nothing should come of this page');
    cell.colSpan = 3;
    $('goal').append(make('tr', '', cell));
  }
};

const nameOf = (target) => (target ? `${target.tag}${target.id ? `#${target.id}` : ''}${target.text ? ` “${target.text.trim()}”` : ''}` : '');

const lineOf = (record) => {
  const place = new URL(record.url, location.href);
  switch (record.kind) {
    case 'hello': return ['edge', 'hello', record.top ? place.pathname : `frame ${place.pathname}`];
    case 'bye': return ['edge', 'bye', place.pathname];
    case 'goal': return ['goal-set', 'goal', JSON.stringify(record.state)];
    case 'note': return ['', `note ${record.word}`, record.data === null ? '' : JSON.stringify(record.data)];
    default: {
      const more = [nameOf(record.target), record.key, record.len === undefined ? '' : `${record.len} characters`, record.message];
      return [record.message ? 'failed' : '', record.type, more.filter(Boolean).join(' · ')];
    }
  }
};

const showLive = () => {
  const count = state.live.size;
  $('live').textContent = count === 0 ? 'waiting' : count === 1 ? 'live' : `live, ${count} documents`;
  $('live').classList.toggle('on', count > 0);
};

const take = (record) => {
  const [className, kind, what] = lineOf(record);
  const time = make('time', '', `${Math.round(record.t_ms)} ms`);
  const line = make('li', className, time, make('span', 'kind', kind), make('span', 'what', what));
  if (record.kind === 'event' && record.target) {
    line.append(make('span', record.trusted ? 'badge' : 'badge synthetic', record.trusted ? 'trusted' : 'synthetic'));
  }
  $('records').prepend(line);
  $('silence').hidden = true;
  if (record.kind === 'goal') {
    Object.assign(state.goal, record.state);
    showGoal();
  }
  if (record.kind === 'bye') state.live.delete(record.doc);
  else state.live.add(record.doc);
  showLive();
};

const reset = () => {
  state.stream?.close();
  state.run = newRun();
  follow();
};

const follow = () => {
  state.stream?.close();
  state.goal = {};
  state.live.clear();
  $('records').replaceChildren();
  $('silence').hidden = false;
  showGoal();
  showLive();
  $('open').href = address();
  // Lost, it starts over from the first record.
  const stream = new EventSource(`/gallery/journal?run=${encodeURIComponent(state.run)}`);
  stream.addEventListener('message', (event) => take(JSON.parse(event.data)));
  stream.addEventListener('error', () => {
    if (stream.readyState !== EventSource.CLOSED) {
      $('records').replaceChildren();
      state.goal = {};
      state.live.clear();
    }
  });
  state.stream = stream;
};

const choose = (fixture) => {
  state.chosen = fixture;
  $('empty').hidden = fixture !== undefined;
  $('chosen').hidden = fixture === undefined;
  showList();
  if (fixture === undefined) return;
  $('chosen-id').textContent = fixture.id;
  $('chosen-title').textContent = fixture.title;
  $('chosen-story').textContent = fixture.story;
  $('chosen-issues').replaceChildren(...fixture.issues.map((issue) => {
    const link = make('a', '', issue);
    link.href = issue;
    return make('span', '', link, ' ');
  }));
  $('variants').replaceChildren(...fixture.variants.map(([name, values]) => {
    const select = make('select', '', new Option('as it is', ''), ...values.map((value) => new Option(value, value)));
    select.name = name;
    return make('label', '', name, select);
  }));
  $('solution').replaceChildren(...fixture.steps.map((step) => make('li', '', step)));
  $('solution').hidden = true;
  $('reveal').setAttribute('aria-expanded', 'false');
  document.title = `${fixture.title} · Tegata lab`;
  reset();
  document.querySelector('.card[aria-current]')?.scrollIntoView({ block: 'nearest' });
};

const chooseByAddress = () => choose(state.fixtures.find((fixture) => fixture.id === decodeURIComponent(location.hash.slice(1))));

$('search').addEventListener('input', showList);
$('variants').addEventListener('change', () => { $('open').href = address(); });
$('reset').addEventListener('click', reset);
$('reveal').addEventListener('click', () => {
  $('solution').hidden = !$('solution').hidden;
  $('reveal').setAttribute('aria-expanded', String(!$('solution').hidden));
});
window.addEventListener('hashchange', chooseByAddress);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault();
    $('search').focus();
  }
});

const answer = await fetch('/gallery/fixtures');
if (answer.ok) {
  state.fixtures = await answer.json();
  showTags();
  showList();
  chooseByAddress();
} else {
  $('count').textContent = await answer.text();
}
