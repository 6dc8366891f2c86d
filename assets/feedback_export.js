// The export of an iteration's comments as `feedback.json`. Nothing recorded is lost.
'use strict';

(() => {
  const { comments, feedbackFile } = window.evalbook;
  const { keyOf, keptRuns, read, stateOf } = comments;

  const runsOf = (holder) => {
    const listed = Array.from(holder.querySelectorAll('[data-run]'), (element) => element.dataset.run);
    return Array.from(new Set([...listed, ...keptRuns(holder)]));
  };

  /** The recorded reviews of the iteration, in their order. */
  const reviewsOf = (holder) => Array.from(holder.querySelectorAll('[data-recorded]'), (quote) => ({
    id: quote.dataset.recorded,
    run: quote.dataset.about ?? '',
    text: quote.querySelector('.prose').textContent,
    time: quote.dataset.time ?? '',
    isElsewhere: quote.dataset.elsewhere !== undefined,
  }));

  /** What the reader says otherwise than the recorded reviews: of which one, and since when. */
  const changesOf = (holder, reviews) => runsOf(holder).flatMap((run) => {
    const kept = read(keyOf(holder, run));
    if (kept === null || kept.text === null) return [];
    const known = reviews.findLast((review) => review.run === run);
    if (known === undefined) return kept.text.trim() === '' ? [] : [{ id: run, run, before: null, text: kept.text, time: kept.time }];
    return known.text === kept.text ? [] : [{ ...known, known, before: known.text, text: kept.text, time: kept.time }];
  });

  /** How many runs the iteration has, and how many of them are seen and commented. */
  const countsOf = (holder) => {
    const recorded = new Set(reviewsOf(holder).map((review) => review.run));
    const runs = Array.from(new Set(Array.from(holder.querySelectorAll('[data-run]'), (element) => element.dataset.run)));
    const states = runs.map((run) => stateOf(read(keyOf(holder, run)), recorded.has(run) ? 'recorded' : ''));
    const commented = states.filter((state) => state === 'commented').length;
    return { all: runs.length, commented, seen: states.filter((state) => state !== 'unseen').length };
  };

  /** A text of `feedback.json` made of what the page knows, where the file itself is not in it. */
  const madeAnew = (holder, reviews, status) => {
    if (holder.dataset.shape === 'flat') {
      const texts = new Map();
      for (const { id, text } of reviews) texts.set(id, texts.has(id) ? `${texts.get(id)}\n\n${text}` : text);
      const lines = Array.from(texts, ([id, text]) => `  ${JSON.stringify(id)}: ${JSON.stringify(text)}`);
      return lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`;
    }
    const list = reviews.map(({ id, text, time }) => ({ run_id: id, feedback: text, ...(time === '' ? {} : { timestamp: time }) }));
    return `${JSON.stringify({ reviews: list, status }, null, 2)}\n`;
  };

  /** The text of `feedback.json`: the file as it was read with the reader's words in it, else in its
      shape, else in that of the skill-creator. Nothing recorded is lost. */
  const exported = (holder) => {
    const reviews = reviewsOf(holder);
    const changes = changesOf(holder, reviews);
    const { all, seen } = countsOf(holder);
    if (holder.dataset.document === undefined) {
      for (const { known, text, time } of changes) if (known !== undefined) Object.assign(known, { text, time });
      return madeAnew(holder, [...reviews, ...changes.filter((change) => change.known === undefined)], seen === all ? 'complete' : 'in_progress');
    }
    const over = new Map(changes.map((change) => [change.known, change]));
    const elsewhere = reviews.filter((review) => review.isElsewhere).map((review) => ({ ...over.get(review) ?? review, before: null }));
    const here = changes.filter((change) => change.known?.isElsewhere !== true);
    const isTouched = changes.length > 0 ? 'in_progress' : null;
    return feedbackFile.withChanges(holder.dataset.document, [...here, ...elsewhere], seen === all ? 'complete' : isTouched);
  };

  window.evalbook.feedback = { runsOf, reviewsOf, changesOf, countsOf, exported };
})();
