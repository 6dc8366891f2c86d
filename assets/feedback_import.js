// The import of a `feedback.json`: takes over its comments and judgements and says what became of each.
'use strict';

(() => {
  const { answers, comments, doubts, feedback, feedbackFile, judgements, word } = window.evalbook;
  const { keyOf, read, write } = comments;
  const { reviewsOf, runsOf } = feedback;

  /** A name in one spelling: graders write `-`, `_` and `/` for the same. */
  const fold = (name) => name.toLowerCase().replace(/[-_/\s]+/g, '_');

  /** Finds the run that a name means: the one called so, else the only one in another spelling. */
  const finder = (holder) => {
    const [exact, runs, short] = [new Map(), new Map(), new Map()];
    const add = (map, name, run) => map.set(name, map.has(name) && map.get(name) !== run ? null : run);
    for (const { id, run } of reviewsOf(holder).filter((review) => review.run !== '')) {
      exact.set(id, run);
      add(runs, fold(id), run);
    }
    for (const run of runsOf(holder)) {
      exact.set(run, run);
      add(runs, fold(run), run);
      add(short, fold(run).replace(/_run_\d+$/, ''), run);
    }
    const above = `${fold(holder.dataset.iteration)}_`;
    return (id) => {
      const folded = fold(id);
      const bare = folded.startsWith(above) ? folded.slice(above.length) : folded;
      return exact.get(id) ?? exact.get(id.replaceAll('/', '-')) ?? runs.get(folded) ?? runs.get(bare) ?? short.get(bare) ?? null;
    };
  };

  /** Takes over the comments of a file and says what became of each. */
  const take = (holder, text) => {
    let root;
    try {
      root = JSON.parse(text.replace(/^\ufeff/, ''));
    } catch (error) {
      return word('import_no_json', { reason: error.message });
    }
    const judged = judgements.take(holder.dataset.iteration, root);
    // A `comparison-human.json` has judgements only.
    const pairs = root?.judge === 'human' ? [] : feedbackFile.pairs(root);
    if (pairs === null) return word('import_no_reviews');
    const find = finder(holder);
    const recorded = new Map(reviewsOf(holder).map((review) => [review.run, review.text]));
    const byRun = new Map();
    const { unknown } = judged;
    for (const [id, words] of pairs) {
      const run = find(id);
      if (run === null) unknown.push(id);
      else byRun.set(run, byRun.has(run) ? `${byRun.get(run)}\n\n${words}` : words);
    }
    let taken = 0;
    let { own, lost } = judged;
    /** Takes over what the reviews list of single checks; how many it was. */
    const takeListed = (name, said) => {
      let count = 0;
      for (const { id, checks } of root?.judge === 'human' ? [] : feedbackFile.listed(root, name)) {
        const run = find(id);
        if (run === null) unknown.push(id);
        for (const { check, is } of run === null ? [] : checks) {
          const kept = said.read(holder.dataset.iteration, run);
          if (kept[check]?.is === is) own += 1;
          else if (said.write(holder.dataset.iteration, run, { ...kept, [check]: { is, time: new Date().toISOString() } })) count += 1;
          else lost += 1;
        }
      }
      return count;
    };
    const wrong = takeListed('disputed', doubts);
    const answered = takeListed('judged', answers);
    for (const [run, words] of byRun) {
      const key = keyOf(holder, run);
      const kept = read(key)?.text ?? '';
      if (kept.trim() !== '' && kept !== words && kept !== recorded.get(run)) own += 1;
      else if (write(key, words)) taken += 1;
      else lost += 1;
    }
    const parts = [word('import_taken', { count: taken })];
    if (judged.taken > 0) parts.push(word('import_judged', { count: judged.taken }));
    if (wrong > 0) parts.push(word('import_wrong', { count: wrong }));
    if (answered > 0) parts.push(word('import_answers', { count: answered }));
    if (own > 0) parts.push(word('import_own', { count: own }));
    if (lost > 0) parts.push(word('import_lost', { count: lost }));
    if (unknown.length > 0) parts.push(word('import_unknown', { count: unknown.length, names: unknown.slice(0, 5).join(', ') }));
    return parts.join('; ');
  };

  feedback.take = take;
})();
