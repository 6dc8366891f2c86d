// What a reader did with each pair of runs: seen, judged, and which checks the grader got wrong. It is
// kept in this browser under the address of the pair's page, until it is exported.
'use strict';

(() => {
  const { comments, store } = window.evalbook;
  const KIND = 'evalbook pair';

  const keyOf = (place) => JSON.stringify([KIND, comments.home, place]);

  /** What is kept of the pair at `place`; empty where nothing is. */
  const read = (place) => {
    try {
      return Object(JSON.parse(store.get(keyOf(place))));
    } catch {
      return {};
    }
  };

  /** Whether the pair is kept with `changes`. */
  const change = (place, changes) => store.set(keyOf(place), JSON.stringify({ ...read(place), ...changes }));

  /** All pairs of which something is kept, each with its `place`. */
  const all = () => store.keys().sort().flatMap((key) => {
    try {
      const [kind, home, place] = JSON.parse(key);
      return kind === KIND && home === comments.home ? [{ place, ...read(place) }] : [];
    } catch {
      return [];
    }
  });

  /** The pair that this page shows; `null` on others. */
  const shown = document.querySelector('[data-pair]');
  const here = shown === null ? null : JSON.parse(shown.dataset.pair);

  window.evalbook.pairs = { all, change, here, read };
})();
