// The feedback page: counts, comments, export and import of each iteration.
'use strict';

(() => {
  const { feedback, make, saved, unsaved, word } = window.evalbook;
  const { changesOf, countsOf, exported, reviewsOf, take } = feedback;

  const download = (text) => {
    const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    make('a', { href: address, download: 'feedback.json' }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  };

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
    const comments = make('div', {});
    const progress = make('p', {});
    const message = make('p', { role: 'status', class: 'reason' });
    const text = make('pre', { hidden: true, tabindex: 0, 'aria-label': 'feedback.json' });
    const list = saved === undefined ? null : unsaved.list(holder);
    const show = () => {
      progress.textContent = word('progress', countsOf(holder));
      if (list === null) comments.replaceChildren(...keptList(holder));
      list?.show();
    };
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
      text.textContent = exported(holder);
      text.hidden = false;
      download(text.textContent);
      const file = holder.dataset.file ?? `${holder.dataset.iteration}/feedback.json`;
      const isWhole = holder.dataset.file === undefined || holder.dataset.document !== undefined;
      message.textContent = word(isWhole ? 'exported' : 'exported_apart', { file });
    };
    const tools = make('p', { class: 'review-tools' },
      make('button', { type: 'button', click }, word('export')), ' ',
      make('label', { for: file.id }, word('import')), ' ', file);
    const whatIsLeft = async () => {
      await unsaved.send(true);
      return list.left().length;
    };
    if (saved !== undefined) tools.replaceChildren(saved.complete(holder.id, whatIsLeft, (text) => { message.textContent = text; }), ' ', make('button', { type: 'button', click }, word('export')));
    if (index === 0) {
      const notes = [saved?.where() ?? word('kept_where')];
      if (location.protocol === 'file:') notes.push(word('kept_shared'));
      holder.before(make('p', { class: 'reason' }, notes.join(' ')));
    }
    holder.append(progress, list?.box ?? comments, tools, message, text);
    show();
    window.addEventListener('pageshow', show);
    window.addEventListener('storage', show);
  };

  document.querySelectorAll('[data-feedback]').forEach(setUpExport);
  // Last, as a form takes over what was written for its run under another name.
  unsaved?.send();
})();
