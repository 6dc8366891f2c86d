// What a reader says of single verdicts: that the grader is wrong (`doubts`), or whether an output passes a check
// (`answers`). Both belong to the run that was graded, as `disputed` and `judged` of its review in `feedback.json`:
// saved there where the page is served, else kept in this browser until they are exported.
'use strict';

(() => {
  const { comments, say, saved, store } = window.evalbook;

  /** What is kept under a name, and how it is handed in: for each check of a run, what is said otherwise than in the
      workspace, and since when. */
  const keeper = (kind, hand) => {
    const keyOf = (iteration, run) => JSON.stringify([kind, comments.home, iteration, run]);

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
        const [found, home, of, run] = JSON.parse(key);
        if (found !== kind || home !== comments.home || of !== iteration) return [];
        return Object.entries(read(of, run)).map(([check, { is, time }]) => ({ run, check, is, time }));
      } catch {
        return [];
      }
    });

    /** Keeps what is said of a check of a run; nothing where the workspace says so already. */
    const set = (iteration, run, check, is, recorded, place) => {
      const kept = read(iteration, run);
      if (is === recorded) delete kept[check];
      else kept[check] = { is, time: new Date().toISOString() };
      const isKept = write(iteration, run, kept);
      if (saved !== undefined) send(place, check, is);
      return isKept || saved !== undefined;
    };

    const send = (place, check, is) => saved.hold(async () => {
      const answer = await hand(place, check, is);
      if (!answer?.saved) say(saved.why(answer));
    });

    return { all, read, set, write };
  };

  window.evalbook.doubts = keeper('evalbook doubts', (...said) => saved.sendDispute(...said));
  window.evalbook.answers = keeper('evalbook answers', (...said) => saved.sendAnswer(...said));
})();
