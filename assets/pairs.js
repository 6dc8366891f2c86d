// What a reader did with each pair of runs, or run without another side: seen and judged. It
// is kept in this browser under the address of the pair's page, until it is exported.
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

  /** Where a judgement from a file waits for the page of its pair. */
  const waitingPlace = (runs) => `runs ${JSON.stringify(runs.map(({ iteration, run_id: run }) => [iteration, run]).sort())}`;

  const wait = (judged) => change(waitingPlace(Object.values(judged.runs)), judged);

  /** Moves a waiting judgement on two runs to the page of their pair, which has `candidate` first. */
  const adopt = (place, candidate, baseline) => {
    const from = waitingPlace([candidate, baseline]);
    const judged = read(from);
    if (judged.winner === undefined) return;
    const { runs, winner, left } = judged;
    const isSame = runs.candidate.iteration === candidate.iteration && runs.candidate.run_id === candidate.run_id;
    const other = { candidate: 'baseline', baseline: 'candidate', tie: 'tie' };
    const turned = { runs: { candidate: runs.baseline, baseline: runs.candidate }, winner: other[winner], left: other[left] };
    if (change(place, { ...judged, ...isSame ? {} : turned })) store.set(keyOf(from), null);
  };

  /** The pair that this page shows; `null` on others. */
  const shown = document.querySelector('[data-pair]');
  const here = shown === null ? null : JSON.parse(shown.dataset.pair);

  /** Whether there is nothing to compare the run of this page with. */
  const isAlone = here !== null && here.runs.baseline === undefined;

  window.evalbook.pairs = { adopt, all, change, here, isAlone, read, wait };
})();
