// The checks on which a reader says that the grader is wrong. They belong to the run that was graded, as
// `disputed` of its review in `feedback.json`: saved there where the page is served, else kept in this browser
// until they are exported.
'use strict';

(() => {
  const { comments, say, saved, store } = window.evalbook;
  const KIND = 'evalbook doubts';

  const keyOf = (iteration, run) => JSON.stringify([KIND, comments.home, iteration, run]);

  /** What is kept of a run: whether each check is doubted otherwise than the workspace says, and since when. */
  const read = (iteration, run) => {
    try {
      return Object(JSON.parse(store.get(keyOf(iteration, run))));
    } catch {
      return {};
    }
  };

  const write = (iteration, run, kept) => store.set(keyOf(iteration, run), Object.keys(kept).length === 0 ? null : JSON.stringify(kept));

  /** All that is kept of the runs of an iteration, in the order of their names. */
  const all = (iteration) => store.keys().sort().flatMap((key) => {
    try {
      const [kind, home, of, run] = JSON.parse(key);
      if (kind !== KIND || home !== comments.home || of !== iteration) return [];
      return Object.entries(read(of, run)).map(([check, { is, time }]) => ({ run, check, is, time }));
    } catch {
      return [];
    }
  });

  /** Keeps whether a check of a run is doubted; nothing where the workspace says so already. */
  const set = (iteration, run, check, is, recorded, place) => {
    const kept = read(iteration, run);
    if (is === recorded) delete kept[check];
    else kept[check] = { is, time: new Date().toISOString() };
    const isKept = write(iteration, run, kept);
    if (saved !== undefined) send(place, check, is);
    return isKept || saved !== undefined;
  };

  const send = (place, check, is) => saved.hold(async () => {
    const answer = await saved.sendDispute(place, check, is);
    if (!answer?.saved) say(saved.why(answer));
  });

  window.evalbook.doubts = { all, read, set, write };
})();
