// How much of the review is done, and the way to the next page that nobody has seen.
'use strict';

(() => {
  const { comments, key, make, say, word } = window.evalbook;
  const { keyOf, read, stateOf } = comments;

  const progress = document.querySelector('[data-seen]');

  /** Shows how much of the review is done; the script with the order of the pages calls it. */
  window.evalbook.reviewOrder = (pages) => {
    const state = ([iteration, run, isCommented]) => stateOf(read(keyOf({ dataset: { iteration } }, run)), isCommented ? 'recorded' : '');
    const runs = Array.from(new Map(pages.flatMap(([, ...of]) => of.map((run) => [run.slice(0, 2).join('\n'), run]))).values());
    const show = () => {
      const seen = runs.filter((run) => state(run) !== 'unseen').length;
      const counts = { seen, all: runs.length };
      progress.textContent = progress.dataset.short === undefined ? word('seen_of', counts) : word('seen_count', counts);
    };
    const root = new URL(document.documentElement.dataset.root || '.', location.href);
    const addresses = pages.map(([page]) => new URL(page, root).pathname);
    const here = addresses.indexOf(location.pathname);
    const unseen = () => {
      const left = pages.flatMap(([, ...of], at) => of.some((run) => state(run) === 'unseen') ? [at] : []);
      const to = left.find((at) => at > here) ?? left[0];
      if (to === undefined) say(word('all_seen'));
      else location.assign(addresses[to]);
    };
    key(['u'], 'key_unseen', unseen);
    show();
    window.addEventListener('pageshow', show);
    window.addEventListener('storage', show);
  };
  if (progress?.dataset.seen) document.head.append(make('script', { src: progress.dataset.seen }));
})();
