// What the other scripts share: words, elements, storage that may be refused, keys, the tools in
// the bar, and the line that says what happened. `words.js` comes first and holds the words.
'use strict';

(() => {
  const evalbook = window.evalbook;

  /** The text of `key` with every `{name}` replaced by its value. */
  evalbook.word = (key, values = {}) => {
    const text = Object.hasOwn(evalbook.words, key) ? evalbook.words[key] : key;
    return text.replace(/\{(\w+)\}/g, (place, name) => Object.hasOwn(values, name) ? String(values[name]) : place);
  };

  /** An element with attributes and children; texts stay texts. */
  evalbook.make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === 'function') element.addEventListener(key, value);
      else if (value !== false && value !== null) element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children);
    return element;
  };

  /** Storage that may be refused, full, or gone with the tab. */
  evalbook.store = {
    get(key) {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    /** Every key in use. */
    keys() {
      try {
        return Object.keys(localStorage);
      } catch {
        return [];
      }
    },
    /** Whether the value can be read back. */
    set(key, value) {
      try {
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, value);
        return localStorage.getItem(key) === value;
      } catch {
        return false;
      }
    },
  };

  const line = evalbook.make('p', { role: 'status', class: 'said' });
  let timer = 0;

  /** Says what happened, to eyes and to screen readers. */
  evalbook.say = (text) => {
    line.textContent = text;
    clearTimeout(timer);
    timer = setTimeout(() => { line.textContent = ''; }, 6000);
  };

  const tools = evalbook.make('div', { class: 'tools' });

  /** Adds a tool to the bar. */
  evalbook.tool = (element) => tools.append(element);

  const keys = [];

  /** Registers keys with what they do and the word that names it. */
  evalbook.key = (names, word, act) => keys.push({ names, word, act });

  const isOn = () => evalbook.store.get('evalbook keys') !== 'off';
  /** Arrows scroll what has the focus, as a wide table or a list of choices. */
  const isScrolling = (event) => event.key.startsWith('Arrow') && event.target !== document.body;
  const isTyping = (target) => target instanceof Element
    && target.closest('input, textarea, select, [contenteditable], dialog') !== null;

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
    if (isTyping(event.target) || isScrolling(event) || !isOn()) return;
    const key = keys.find((known) => known.names.includes(event.key));
    if (key === undefined) return;
    event.preventDefault();
    key.act();
  });

  /** Keys as they are printed on keyboards. */
  const PRINTED = { ArrowRight: '→', ArrowLeft: '←' };

  const table = () => {
    const rows = keys.map((key) => evalbook.make('tr', {},
      evalbook.make('th', { scope: 'row' }, ...key.names.flatMap((name, at) => [at > 0 ? ' ' : '', evalbook.make('kbd', {}, PRINTED[name] ?? name)])),
      evalbook.make('td', {}, evalbook.word(key.word))));
    return evalbook.make('table', {}, evalbook.make('tbody', {}, ...rows));
  };

  const help = () => {
    const known = document.querySelector('dialog.keys');
    if (known !== null) {
      known.close();
      return;
    }
    const change = (event) => {
      const kept = evalbook.store.set('evalbook keys', event.target.checked ? null : 'off');
      if (!kept) evalbook.say(evalbook.word('not_kept'));
    };
    const box = evalbook.make('input', { type: 'checkbox', change });
    box.checked = isOn();
    const dialog = evalbook.make('dialog', { class: 'keys', 'aria-labelledby': 'keys-title' },
      evalbook.make('h2', { id: 'keys-title' }, evalbook.word('keys_title')),
      table(),
      evalbook.make('p', {}, evalbook.make('label', {}, box, ' ', evalbook.word('keys_on'))),
      evalbook.make('p', {}, evalbook.make('button', { type: 'button', click: () => dialog.close() }, evalbook.word('close'))));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  const THEMES = ['automatic', 'light', 'dark'];
  const root = document.documentElement;
  const themeButton = evalbook.make('button', { type: 'button', click: () => nextTheme() });
  const nameTheme = () => {
    themeButton.textContent = evalbook.word('theme', { theme: evalbook.word(root.dataset.theme ?? 'automatic') });
  };
  const nextTheme = () => {
    const theme = THEMES[(THEMES.indexOf(root.dataset.theme ?? 'automatic') + 1) % THEMES.length];
    if (theme === 'automatic') delete root.dataset.theme;
    else root.dataset.theme = theme;
    nameTheme();
    const kept = evalbook.store.set('evalbook theme', theme === 'automatic' ? null : theme);
    if (!kept) evalbook.say(evalbook.word('not_kept'));
  };

  const follow = (selector) => () => document.querySelector(selector)?.click();

  /** Opens what is folded for the printer, and folds it again; unchanged text of a difference stays. */
  const folded = [];
  window.addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details:not([open], .given, .output, .source, .fold, .f, .document)')) {
      details.open = true;
      folded.push(details);
    }
  });
  window.addEventListener('afterprint', () => {
    for (const details of folded.splice(0)) details.open = false;
  });

  document.querySelector('header.bar > .width')?.append(tools);
  document.body.append(line);
  nameTheme();
  const helpButton = evalbook.make('button', { type: 'button', click: help }, evalbook.word('keys_title'));
  const more = document.querySelector('.menu.more > ul');
  if (more === null) tools.append(themeButton, helpButton);
  else more.append(...[themeButton, helpButton].map((button) => evalbook.make('li', {}, button)));

  /** A menu closes by Escape, and by a click elsewhere. */
  const closeMenus = (event) => {
    for (const menu of document.querySelectorAll('.menu[open]')) {
      if (event.type === 'keydown' ? event.key === 'Escape' : !menu.contains(event.target)) menu.open = false;
    }
  };
  document.addEventListener('pointerdown', closeMenus);
  document.addEventListener('keydown', closeMenus);

  evalbook.key(['?'], 'key_help', help);
  // On a review page j and k move between its checks.
  const isReview = document.querySelector('[data-pair]') !== null;
  const [next, previous] = isReview ? [['n', 'ArrowRight'], ['p', 'ArrowLeft']] : [['j', 'n'], ['k', 'p']];
  if (document.querySelector('a[rel=next]')) evalbook.key(next, 'key_next', follow('a[rel=next]'));
  if (document.querySelector('a[rel=prev]')) evalbook.key(previous, 'key_previous', follow('a[rel=prev]'));
  const review = 'nav.pages a[href$="#resume"]';
  if (document.querySelector(review)) evalbook.key(['r'], 'key_review', follow(review));
  if (root.dataset.root !== undefined) {
    evalbook.key(['o'], 'key_overview', () => location.assign(`${root.dataset.root}index.html`));
  }
  evalbook.key(['t'], 'key_theme', nextTheme);
  const nextView = () => {
    const views = Array.from(document.querySelectorAll('.view input:enabled'));
    views[(views.findIndex((view) => view.checked) + 1) % views.length].click();
  };
  if (document.querySelector('.view input') !== null) evalbook.key(['v'], 'key_view', nextView);
})();
