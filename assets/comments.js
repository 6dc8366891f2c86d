// Comments kept in this browser, under the names of workspace, iteration and run, until they are
// exported as `feedback.json`. "Kept" is said only of what could be read back. Pages of
// `evalbook serve` keep them under what tells their folder from all others, as another project may
// have the same names.
'use strict';

(() => {
  const { saved, store } = window.evalbook;

  const KIND = 'evalbook feedback';
  const home = saved?.home ?? document.documentElement.dataset.workspace;
  const partsOf = (holder) => [KIND, home, holder.dataset.iteration];
  const keyOf = (holder, run) => JSON.stringify([...partsOf(holder), run]);

  /** The runs of the iteration of which something is kept. */
  const keptRuns = (holder) => {
    const start = `${JSON.stringify(partsOf(holder)).slice(0, -1)},`;
    return store.keys().filter((key) => key.startsWith(start)).flatMap((key) => {
      try {
        return [String(JSON.parse(key)[3])];
      } catch {
        return [];
      }
    });
  };

  /** What is kept of a run: `{ text, time }`, with `text` null where it was only opened; `before` is
      what the file said when words not saved to it yet were begun, and `place` their page. */
  const read = (key) => {
    try {
      const kept = JSON.parse(store.get(key));
      if (kept === null || typeof kept !== 'object') return null;
      const text = (value) => typeof value === 'string' ? value : null;
      return { text: text(kept.text), time: String(kept.time ?? ''), before: text(kept.before), place: text(kept.place) };
    } catch {
      return null;
    }
  };

  const write = (key, text, origin = {}, time = new Date().toISOString()) => store.set(key, JSON.stringify({ text, time, ...origin }));

  /** Whether a run is `unseen`, `seen` or `commented`: what is kept counts before what is recorded. */
  const stateOf = (kept, recorded) => {
    const text = kept?.text ?? recorded;
    if (text.trim() !== '') return 'commented';
    return kept === null ? 'unseen' : 'seen';
  };

  window.evalbook.comments = { KIND, home, keyOf, keptRuns, read, write, stateOf };
})();
