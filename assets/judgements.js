// The judgements of pairs as `comparison-human.json` has them: in the fields of a blind comparison, with
// A on the left. On pages of `evalbook serve` each is saved to that file of its iteration.
'use strict';

(() => {
  const { pairs, saved } = window.evalbook;

  /** A judgement in the fields of the file; `winner` is `null` where it was taken back. */
  const itemOf = (pair) => {
    const [a, b] = pair.left === 'baseline' ? ['baseline', 'candidate'] : ['candidate', 'baseline'];
    const letter = { [a]: 'A', [b]: 'B', tie: 'TIE' };
    return {
      eval_name: pair.case,
      winner: letter[pair.winner] ?? null,
      mapping: { A: pair.runs[a].name, B: pair.runs[b].name },
      runs: { A: pair.runs[a].path, B: pair.runs[b].path },
      blind: pair.blind === true,
      timestamp: pair.time ?? '',
    };
  };

  const keptOf = (iteration) => pairs.all().filter((pair) => pair.iteration === iteration);

  /** The judgements of an iteration, the first made first. */
  const list = (iteration) => keptOf(iteration).filter((pair) => pair.winner !== undefined)
    .sort((a, b) => a.time.localeCompare(b.time)).map(itemOf);

  /** The text of `comparison-human.json`. */
  const file = (iteration) => `${JSON.stringify({ judge: 'human', pairs: list(iteration) }, null, 2)}\n`;

  /** Adds the list to the text of a `feedback.json`; a bare list of reviews has no place for it. */
  const withJudgements = (text, iteration) => {
    const judged = list(iteration);
    const end = text.trimEnd();
    if (judged.length === 0 || !end.endsWith('}')) return text;
    const known = JSON.parse(text);
    if (known.judgements !== undefined) return `${JSON.stringify({ ...known, judgements: judged }, null, 2)}\n`;
    // What the file has stays as it is written, numbers too.
    const comma = Object.keys(known).length === 0 ? '' : ',';
    const items = JSON.stringify(judged, null, 2).replaceAll('\n', '\n  ');
    return `${end.slice(0, -1).trimEnd()}${comma}\n  "judgements": ${items}\n}\n`;
  };

  /** What was preferred, for each two sides that were judged: how often, how often the grader agreed, and how
      many pairs were judged with their names seen. */
  const preferred = (iteration) => {
    const groups = new Map();
    for (const pair of keptOf(iteration).filter(({ winner }) => winner !== undefined)) {
      const { candidate, baseline } = pair.runs;
      const name = JSON.stringify([candidate.name, baseline.name]);
      groups.set(name, [...groups.get(name) ?? [], pair]);
    }
    return Array.from(groups.values(), (judged) => {
      const wins = (side) => judged.filter(({ winner }) => winner === side).length;
      const side = wins('baseline') > wins('candidate') ? 'baseline' : 'candidate';
      const graded = judged.filter((pair) => pair.graded !== undefined);
      return {
        name: judged[0].runs[side].name,
        count: wins(side),
        all: judged.length,
        graded: graded.length,
        agreed: graded.filter((pair) => pair.graded === pair.winner).length,
        seen: judged.filter(({ blind }) => blind !== true).length,
      };
    });
  };

  window.evalbook.judgements = { list, file, preferred, withJudgements };

  if (saved === undefined) return;

  /** Saves what the server does not have yet; why the last one was not saved, or `null`. */
  saved.sendJudgements = () => saved.hold(async () => {
    for (const pair of pairs.all().filter((one) => one.sent === false)) {
      const answer = await saved.sendJudgement(pair.runs.candidate.page, itemOf(pair));
      if (answer?.saved) pairs.change(pair.place, { sent: true });
      else return saved.why(answer);
    }
    return null;
  });
  saved.sendJudgements();
})();
