// Comments of pages of `evalbook serve` that are kept in this browser and not saved to their
// workspace: sent again from whichever page is opened next, and listed with the reason.
'use strict';

(() => {
  const { comments, make, saved, store, word } = window.evalbook;
  const { KIND, home, keyOf, read, write } = comments;

  /** The comments that are kept here and not saved to a workspace that is served, whichever page
      they were written on. */
  const unsaved = () => store.keys().sort().flatMap((key) => {
    try {
      const [kind, of, iteration, run] = JSON.parse(key);
      const kept = read(key);
      return kind === KIND && saved.serves(of) && kept.text !== null && kept.place !== null ? [{ key, of, iteration, run, ...kept }] : [];
    } catch {
      return [];
    }
  });

  /** Words so young, in milliseconds, are left to the page on which somebody writes them. */
  const YOUNG = 2000;

  /** Why comments are not saved, by their keys. */
  const answers = new Map();

  /** Saves what was kept while nobody answered; of what others changed since, nothing is replaced. */
  const sendKept = (isAll = false) => saved.hold(async () => {
    const forms = Array.from(document.querySelectorAll('[data-review]'), (holder) => keyOf(holder, holder.dataset.review));
    const isYoung = (kept) => !isAll && Date.now() - Date.parse(kept.time) < YOUNG;
    for (const { key, of } of unsaved().filter((comment) => !forms.includes(comment.key))) {
      const kept = read(key);
      const before = store.get(key);
      if (kept === null || kept.text === null || isYoung(kept)) continue;
      const answer = await saved.send(of, kept);
      if (answer?.saved && store.get(key) === before) write(key, null);
      answers.set(key, answer);
      if (answer === null) break;
    }
    if (unsaved().some(isYoung)) setTimeout(sendKept, YOUNG);
    window.dispatchEvent(new Event('storage'));
  });

  /** The list of an iteration's comments that are not saved; `left` are those that can be. */
  const unsavedList = (holder) => {
    const box = make('div', {});
    const all = () => unsaved().filter((comment) => comment.of === home && comment.iteration === holder.dataset.iteration);
    const isGone = (comment) => answers.get(comment.key)?.error === 'gone';
    const item = (comment) => {
      const forget = () => {
        store.set(comment.key, null);
        window.dispatchEvent(new Event('storage'));
      };
      const name = isGone(comment) ? comment.run : make('a', { href: saved.address(comment.place) }, comment.run);
      const why = answers.has(comment.key) ? [' · ', saved.why(answers.get(comment.key))] : [];
      return make('li', {}, name, ...why, ...isGone(comment) ? [' ', make('button', { type: 'button', click: forget }, word('mark_unseen'))] : []);
    };
    const show = () => {
      const list = all();
      box.replaceChildren(...list.length === 0 ? [] : [make('p', {}, saved.notSaved(list.length)), make('ul', {}, ...list.map(item))]);
    };
    return { box, show, left: () => all().filter((comment) => !isGone(comment)) };
  };

  window.evalbook.unsaved = { all: unsaved, send: sendKept, list: unsavedList };
})();
