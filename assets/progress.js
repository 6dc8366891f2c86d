// How many pairs were seen, and the way to the next one that was not.
'use strict';

(() => {
  const { comments, key, make, pairs, say, word } = window.evalbook;
  const { keyOf, read, stateOf } = comments;

  /** Where links to the review lead: the next pair that nobody has seen. */
  const RESUME = '#resume';

  const isCommented = ([iteration, run, isRecorded]) => {
    const kept = read(keyOf({ dataset: { iteration } }, run));
    return stateOf(kept, isRecorded ? 'recorded' : '') === 'commented';
  };

  const isSeen = ([place, ...runs]) => {
    const { seen, winner } = pairs.read(place);
    return seen === true || winner !== undefined || runs.some(isCommented);
  };

  const progress = document.querySelector('[data-seen]');

  /** Shows how much of the review is done; the script with the order of the pages calls it. */
  window.evalbook.reviewOrder = (pages) => {
    const root = new URL(document.documentElement.dataset.root || '.', location.href);
    const addresses = pages.map(([page]) => new URL(page, root).pathname);
    const here = addresses.indexOf(location.pathname);
    for (const [place, ...runs] of pages) {
      const [candidate, baseline] = runs.map(([iteration, run]) => ({ iteration, run_id: run }));
      if (baseline !== undefined) pairs.adopt(place, candidate, baseline);
    }
    const isOfPairs = pages.some(([, ...runs]) => runs.length > 1);
    const show = () => {
      const counts = { seen: pages.filter(isSeen).length, all: pages.length };
      progress.textContent = word(isOfPairs ? 'seen_of' : 'seen_of_outputs', counts);
      if (counts.seen === counts.all && pairs.here !== null) progress.textContent += word('all_seen_then');
    };
    const unseen = () => pages.flatMap((page, at) => isSeen(page) ? [] : [at]);
    const goToUnseen = () => {
      const left = unseen();
      const to = left.find((at) => at > here) ?? left[0];
      if (to === undefined) say(word('all_seen'));
      else location.assign(addresses[to]);
    };
    if (here >= 0 && location.hash === RESUME) {
      history.replaceState(null, '', location.pathname + location.search);
      const [first] = unseen();
      if (first === undefined) say(word('all_seen'));
      else if (first !== here) location.replace(addresses[first]);
    }
    key(['u'], 'key_unseen', goToUnseen);
    show();
    window.addEventListener('pageshow', show);
    window.addEventListener('storage', show);
  };
  if (progress?.dataset.seen) document.head.append(make('script', { src: progress.dataset.seen }));
})();
