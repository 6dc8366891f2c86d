// The feedback page: counts, comments, export and import of each iteration.
'use strict';

(() => {
  const { answers, doubts, feedback, feedbackFile, judgements, make, saved, unsaved, word } = window.evalbook;
  const { changesOf, countsOf, exported, reviewsOf, take } = feedback;

  const download = (name, text) => {
    const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    make('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  };

  const JUDGEMENTS = 'comparison-human.json';

  /** The comments that are kept in this browser, each with a link to its run. */
  const keptList = (holder) => {
    const links = new Map(Array.from(holder.querySelectorAll('[data-run]'), (item) => [item.dataset.run, item.querySelector('a')]));
    return changesOf(holder, reviewsOf(holder)).filter(({ text }) => text.trim() !== '').map(({ run, text }) => {
      const name = links.get(run)?.cloneNode(true) ?? run;
      return make('blockquote', {}, make('p', {}, name), make('p', { class: 'prose' }, text));
    });
  };

  const setUpExport = (holder, index) => {
    if (holder.querySelector('[data-run]') === null) return;
    const { iteration } = holder.dataset;
    const comments = make('div', {});
    const progress = make('p', {});
    const todo = make('p', {});
    const reveal = make('p', { class: 'reveal' });
    const message = make('p', { role: 'status', class: 'reason' });
    const text = make('pre', { hidden: true, tabindex: 0, 'aria-label': 'feedback.json' });
    const list = saved === undefined ? null : unsaved.list(holder);
    const show = () => {
      const counts = countsOf(holder);
      const judged = judgements.list(iteration).length;
      progress.textContent = word('progress', { ...counts, judged });
      const isSomethingKept = judged > 0 || [doubts, answers].some((said) => said.all(iteration).length > 0) || changesOf(holder, reviewsOf(holder)).length > 0;
      todo.textContent = isSomethingKept && saved === undefined ? word('todo', { folder: iteration }) : '';
      exportJudgements.hidden = judged === 0;
      reveal.textContent = judgements.preferred(iteration).map((found) => [
        word('preferred', found),
        ...found.graded > 0 ? [word('grader_agreed', found)] : [],
        ...found.seen > 0 && found.seen < found.all ? [word('judged_seen', found)] : [],
      ].join(' ')).join(' ');
      if (list === null) comments.replaceChildren(...keptList(holder));
      list?.show();
    };
    const showText = (name, content) => {
      text.textContent = content;
      text.hidden = false;
      download(name, content);
    };
    const exportJudgements = make('button', { type: 'button', click() {
      showText(JUDGEMENTS, judgements.file(iteration));
      message.textContent = word('exported_judgements', { file: `${iteration}/${JUDGEMENTS}` });
    } }, word('export_judgements'));
    const file = make('input', {
      type: 'file', id: `import-${index}`, accept: '.json,application/json',
      async change() {
        if (file.files.length === 0) return;
        message.textContent = take(holder, await file.files[0].text());
        file.value = '';
        show();
      },
    });
    const click = () => {
      const disputed = feedbackFile.withListed(exported(holder), 'disputed', doubts.all(iteration));
      showText('feedback.json', judgements.withJudgements(feedbackFile.withListed(disputed, 'judged', answers.all(iteration)), iteration));
      const file = holder.dataset.file ?? `${holder.dataset.iteration}/feedback.json`;
      const isWhole = holder.dataset.file === undefined || holder.dataset.document !== undefined;
      message.textContent = word(isWhole ? 'exported' : 'exported_apart', { file });
    };
    const tools = make('p', { class: 'review-tools' },
      make('button', { type: 'button', click }, word('export')), ' ', exportJudgements, ' ',
      make('label', { for: file.id }, word('import')), ' ', file);
    const whatIsLeft = async () => {
      await unsaved.send(true);
      return list.left().length;
    };
    if (saved !== undefined) tools.replaceChildren(saved.complete(holder.id, whatIsLeft, (text) => { message.textContent = text; }), ' ', make('button', { type: 'button', click }, word('export')), ' ', exportJudgements);
    if (index === 0) {
      const notes = [saved?.where() ?? word('kept_where')];
      if (location.protocol === 'file:') notes.push(word('kept_shared'));
      holder.before(make('p', { class: 'reason' }, notes.join(' ')));
    }
    holder.append(progress, reveal, todo, list?.box ?? comments, tools, message, text);
    show();
    window.addEventListener('pageshow', show);
    window.addEventListener('storage', show);
  };

  document.querySelectorAll('[data-feedback]').forEach(setUpExport);
  // Last, as a form takes over what was written for its run under another name.
  unsaved?.send();
})();
