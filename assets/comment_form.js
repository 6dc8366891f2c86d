// The box for a comment on each run that a page shows. On pages of `evalbook serve` the words are
// saved to the workspace besides.
'use strict';

(() => {
  const { comments, make, saved, saver, store, unsaved, word } = window.evalbook;
  const { home, keyOf, read, write } = comments;

  /** The words recorded in the workspace for one run; the last, where there are several. */
  const recordedOf = (run) => Array.from(document.querySelectorAll('[data-recorded]'))
    .filter((quote) => quote.dataset.about === run).map((quote) => quote.querySelector('.prose').textContent).pop() ?? '';

  /** A run may go by another name by now, that of a review which others wrote; its page is the same. */
  const moveHere = (key, place) => {
    const other = unsaved.all().find((comment) => comment.of === home && comment.place === place);
    if (other === undefined || (read(key)?.text ?? null) !== null) return;
    if (store.set(key, store.get(other.key))) store.set(other.key, null);
  };

  /** The boxes by the class of their side, for scripts that add to a comment. */
  const boxes = new Map();

  /** Goes to the next pair, case or run. */
  const goOn = () => document.querySelector('a[rel=next]')?.click();

  /** The box for a comment on one run; a page has one for each run that it shows. */
  const setUpForm = (holder) => {
    const side = holder.classList.contains('baseline') ? 'baseline' : 'candidate';
    const run = holder.dataset.review;
    const { place = saved?.page, name } = holder.dataset;
    const key = keyOf(holder, run);
    if (saved !== undefined) moveHere(key, place);
    let recorded = recordedOf(run);
    const state = make('span', { role: 'status' });
    const tell = (isKept, saying = null) => {
      const isWritten = Boolean(read(key)?.text);
      const kept = isWritten ? word('comment_kept') : '';
      state.textContent = saying ?? (isKept ? kept : word('comment_not_kept'));
      undo.hidden = !isWritten;
    };
    const kept = read(key);
    const before = () => read(key)?.before ?? recorded;
    const saving = saver?.(kept?.before ?? recorded, place, (isSaved, say, known) => {
      recorded = isSaved ? known : recorded;
      const isKept = isSaved ? write(key, null) : write(key, field.value, { before: before(), place });
      tell(isKept, say(isKept));
    });
    const input = () => {
      const isKept = write(key, field.value, saving === undefined ? {} : { before: before(), place });
      tell(isKept, isKept && saving !== undefined ? saving.saving() : null);
      saving?.save(field.value);
      window.evalbook.markSeen();
    };
    const keydown = async (event) => {
      if (event.isComposing) return;
      if (event.key === 'Escape') field.blur();
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      await saving?.send();
      goOn();
    };
    const id = side === 'candidate' ? 'comment' : 'comment-1';
    const field = make('textarea', { id, rows: 3, placeholder: word('placeholder'), 'aria-label': name ?? false, input, keydown, blur: () => saving?.send() });
    const forget = () => {
      saving?.forget();
      const isGone = store.set(key, null);
      field.value = recorded;
      tell(isGone);
    };
    const undo = make('button', { type: 'button', click: forget }, word('mark_unseen'));
    if (name === undefined) holder.append(make('p', {}, make('label', { for: id }, word('comment'))));
    holder.append(field, make('p', { class: 'state' }, state, ' ', undo));
    field.value = kept?.text ?? recorded;
    tell(true);
    const set = (text) => {
      field.value = text;
      input();
    };
    boxes.set(side, {
      /** Adds a line at the end. */
      add: (line) => set(field.value.trim() === '' ? line : `${field.value.trimEnd()}\n${line}`),
      /** Removes a line, where it is as it was added. */
      remove: (line) => set(field.value.split('\n').filter((other) => other !== line).join('\n')),
      /** Adds a quotation, and leaves the caret below it. */
      write(text) {
        document.querySelector(`.about .${side} input`)?.click();
        this.add(`${text}\n`);
        field.focus({ preventScroll: true });
        field.setSelectionRange(field.value.length, field.value.length);
      },
    });
    if (saving === undefined || kept === null || kept.text === null) return;
    if (kept.text === recorded) tell(write(key, null));
    else saving.save(kept.text);
  };

  document.querySelectorAll('[data-review]').forEach((holder) => setUpForm(holder));
  window.evalbook.commentOn = (side) => boxes.get(side);

  if (document.querySelector('[data-review]') !== null) {
    const { key } = window.evalbook;
    const fields = Array.from(document.querySelectorAll('[data-review] textarea'));
    key(['c'], 'key_comment', () => fields.find((field) => field.offsetParent !== null)?.focus({ preventScroll: fields.length > 1 }));
    key(['Ctrl+Enter'], 'key_save', goOn);
    key(['Esc'], 'key_leave', () => {});
  }
})();
