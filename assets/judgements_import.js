// The import of judgements from a `feedback.json` or a `comparison-human.json`, so that a judge can go on in another browser. Files name runs by their folders, and browsers
// keep pairs by the address of their page.
// So a judgement waits under its two runs until a page with the order of the review knows their pair.
'use strict';

(() => {
  const { judgements, pairs } = window.evalbook;

  const WINNERS = { A: 'candidate', B: 'baseline', TIE: 'tie' };

  /** The runs of the report by their folders. */
  const runsByPath = () => new Map(Array.from(document.querySelectorAll('[data-path]'), (item) => {
    const { iteration } = item.closest('[data-feedback]').dataset;
    return [item.dataset.path, { iteration, run_id: item.dataset.run, path: item.dataset.path }];
  }));

  /** The list of judgements in a file; empty without one. */
  const listIn = (root) => {
    const list = root?.judge === 'human' ? root.pairs : root?.judgements;
    return Array.isArray(list) ? list : [];
  };

  /** What this browser keeps of the same two runs. */
  const keptOf = (paths) => pairs.all().find(({ winner, runs }) => winner !== undefined
    && Object.values(runs).every(({ path }) => paths.includes(path)));

  /** Takes over one judgement; says what became of it. */
  const takeOne = (iteration, known, { eval_name: name, mapping, winner, blind, timestamp, runs }) => {
    const sides = [known.get(runs?.A), known.get(runs?.B)];
    if (sides.includes(undefined) || WINNERS[winner] === undefined) return 'unknown';
    const kept = keptOf([runs.A, runs.B]);
    const time = String(timestamp ?? '');
    // Of two judgements on the same runs the later one counts.
    if (kept !== undefined && kept.time >= time) return 'own';
    if (kept !== undefined) pairs.change(kept.place, { winner: undefined });
    const [candidate, baseline] = sides.map((run, at) => ({ ...run, name: String(mapping?.['AB'[at]] ?? '') }));
    const judged = { iteration, case: String(name ?? ''), runs: { candidate, baseline }, winner: WINNERS[winner], left: 'candidate' };
    return pairs.wait({ ...judged, blind: blind === true, time }) ? 'taken' : 'lost';
  };

  /** Takes over the judgements of a file; how many of them were taken, kept as they were, lost, or unknown. */
  judgements.take = (iteration, root) => {
    const known = runsByPath();
    const counts = { taken: 0, own: 0, lost: 0, unknown: [] };
    for (const item of listIn(root)) {
      const became = takeOne(iteration, known, Object(item));
      if (became === 'unknown') counts.unknown.push(String(item?.eval_name ?? ''));
      else counts[became] += 1;
    }
    return counts;
  };
})();
