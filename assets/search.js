// Search over cases, expectations, prompts and evidence. The index is a few scripts beside the
// pages, loaded when the field is first used: that works from disk, where nothing can be fetched.
'use strict';

(() => {
  const { make, word } = window.evalbook;
  const root = document.documentElement.dataset.root;
  if (root === undefined) return;

  const SHOWN = 50;
  const AROUND = 60;
  /** Names before expectations before prompts before evidence. */
  const RANKS = ['case', 'expectation', 'prompt', 'evidence'];
  const entries = RANKS.map(() => []);
  const waiting = [];
  let state = 'idle';
  /** Whether results are wanted: who closed them does not want them back when more is loaded. */
  let wanted = false;
  const lost = [];

  const add = (rank, title, text, href) => {
    entries[rank].push({ rank, title, text, folded: text.toLowerCase(), href });
  };

  const addCases = ([iterations, cases]) => {
    waiting.push(...iterations);
    for (const [name, href, other, prompt, expectations] of cases) {
      add(0, name, other === '' ? name : `${name} ${other}`, href);
      if (prompt !== '') add(2, name, prompt, href);
      for (const [text, anchor] of expectations) add(1, name, text, anchor === '' ? href : `${href}#${anchor}`);
    }
  };

  const addEvidence = ([name, runs, anchors, texts]) => {
    for (const [text, ...places] of texts) {
      for (let at = 0; at < places.length; at += 2) {
        const [title, href] = runs[places[at]];
        const anchor = anchors[places[at + 1]];
        add(3, `${name}: ${title}`, text, anchor === '' ? href : `${href}#${anchor}`);
      }
    }
  };

  /** Called by the scripts of the index with their data. */
  window.evalbook.index = (kind, data) => (kind === 'cases' ? addCases : addEvidence)(data);

  const load = (file) => new Promise((resolve) => {
    const script = make('script', { src: root + file, load: () => resolve(true), error: () => resolve(false) });
    document.head.append(script);
  });

  /** Loads the index once, the newest evidence first, and shows what is found on the way. */
  const loadAll = async () => {
    if (state !== 'idle') return;
    state = 'loading';
    if (!await load('search/cases.js')) lost.push('search/cases.js');
    refresh();
    while (waiting.length > 0) {
      const [name, file] = waiting.pop();
      if (!await load(file)) lost.push(name);
      refresh();
    }
    state = 'loaded';
    refresh();
  };

  const excerpt = (text, at, length) => {
    const start = Math.max(0, at - AROUND);
    const end = Math.min(text.length, at + length + AROUND);
    return [
      (start > 0 ? '…' : '') + text.slice(start, at),
      make('mark', {}, text.slice(at, at + length)),
      text.slice(at + length, end) + (end < text.length ? '…' : ''),
    ];
  };

  const result = (entry, first) => {
    const at = entry.folded.indexOf(first);
    // Where folding changed the length, places in one text are not places in the other.
    const same = entry.folded.length === entry.text.length;
    const shown = same && at >= 0 ? excerpt(entry.text, at, first.length) : [entry.text.slice(0, 2 * AROUND)];
    const link = make('a', { href: root + entry.href },
      make('span', { class: 'counts' }, word(`found_${RANKS[entry.rank]}`)), ' ', make('b', {}, entry.title));
    if (entry.text !== entry.title) link.append(make('span', { class: 'excerpt' }, ...shown));
    return make('li', {}, link);
  };

  const list = make('ol', {});
  const count = make('p', { role: 'status', class: 'reason' });
  const panel = make('div', { class: 'found', hidden: true }, count, list);
  const field = make('input', {
    type: 'search', autocomplete: 'off', spellcheck: 'false', 'aria-label': word('search'), placeholder: word('search_hint'),
    focus: loadAll,
    input: () => show(),
  });
  const box = make('div', { class: 'search', role: 'search' }, field, panel);

  const find = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    panel.hidden = words.length === 0;
    if (words.length === 0) return;
    const found = entries.map((of) => of.filter((entry) => words.every((part) => entry.folded.includes(part))));
    // A name that begins with what is looked for comes before one that holds it.
    found[0].sort((a, b) => a.folded.indexOf(words[0]) - b.folded.indexOf(words[0]));
    const all = found.flat();
    const parts = [word('found', { count: all.length })];
    if (all.length > SHOWN) parts.push(word('found_first', { count: SHOWN }));
    if (state === 'loading') parts.push(word('search_loading'));
    if (lost.length > 0) parts.push(word('search_lost', { names: lost.join(', ') }));
    count.textContent = parts.join('; ');
    list.replaceChildren(...all.slice(0, SHOWN).map((entry) => result(entry, words[0])));
  };

  const show = () => {
    wanted = true;
    find();
  };

  const refresh = () => {
    if (wanted) find();
  };

  const hide = () => {
    wanted = false;
    panel.hidden = true;
  };

  const close = () => {
    field.focus();
    hide();
  };

  const move = (step) => {
    const stops = [field, ...list.querySelectorAll('a')];
    const next = stops[stops.indexOf(document.activeElement) + step];
    next?.focus();
  };

  box.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && event.target === field) list.querySelector('a')?.click();
    else return;
    event.preventDefault();
  });
  box.addEventListener('focusout', (event) => {
    if (event.relatedTarget !== null && !box.contains(event.relatedTarget)) hide();
  });
  field.addEventListener('focus', show);
  document.addEventListener('pointerdown', (event) => {
    if (!box.contains(event.target)) hide();
  });

  document.querySelector('.tools')?.prepend(box);
  window.evalbook.key(['/'], 'key_search', () => field.focus());
})();
