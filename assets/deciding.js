// The verdicts that decide: a reader says whether an output passes its check before the page shows what the grader
// says, why, and whose output it is. 1 right, 2 wrong, 0 cannot tell; v shows the other output, z takes back.
'use strict';

(() => {
  const { answers, key, make, saved, say, word } = window.evalbook;
  const items = Array.from(document.querySelectorAll('[data-judge]'));
  if (items.length === 0) return;

  const CHOICES = [['passed', 'judge_right', '1'], ['failed', 'judge_wrong', '2'], ['unknown', 'judge_unknown', '0']];
  const progress = document.querySelector('[data-progress]');

  // What stands between backticks is shown as code, without them.
  const textOf = (item) => {
    const shown = item.querySelector('h2');
    return shown.dataset.text ?? shown.textContent;
  };
  const recordedOf = (item) => item.dataset.recorded ?? null;

  const answerOf = (item) => {
    const kept = answers.read(item.dataset.iteration, item.dataset.judge)[textOf(item)];
    return kept === undefined ? recordedOf(item) : kept.is;
  };

  const show = (item) => {
    const answer = answerOf(item);
    if (answer === null) delete item.dataset.told;
    else item.dataset.told = '';
    for (const button of item.querySelectorAll('.choices button')) button.setAttribute('aria-pressed', String(button.dataset.answer === answer));
    const isJudged = answer !== null && answer !== 'unknown';
    const name = answer === item.dataset.outcome ? 'judge_agrees' : 'judge_differs';
    item.querySelector('.compared').textContent = isJudged ? word(name) : '';
  };

  const showProgress = () => {
    const done = items.filter((item) => answerOf(item) !== null).length;
    const parts = [word('judge_progress', { done, all: items.length })];
    if (done > 0) parts.push(' ', word(saved === undefined ? 'judge_kept' : 'judge_saved'));
    if (done > 0 && saved === undefined) parts.push(' ', make('a', { href: progress.dataset.comments }, word('judge_comments')));
    progress.replaceChildren(...parts);
  };

  let at = Math.max(0, items.findIndex((item) => answerOf(item) === null));
  const fold = (item, isOpen) => { item.querySelector('.own').open = isOpen; };

  /** Marks the item that keys are about, and opens its output. */
  const go = (next, isSeen = true) => {
    if (next < 0 || next >= items.length) return;
    items[at].classList.remove('current');
    at = next;
    items[at].classList.add('current');
    fold(items[at], true);
    if (isSeen) items[at].scrollIntoView({ block: 'start' });
  };

  const last = [];
  const choose = (item, answer) => {
    const { iteration, judge, place } = item.dataset;
    if (!answers.set(iteration, judge, textOf(item), answer, recordedOf(item), place)) {
      say(word('judgement_not_kept'));
      return;
    }
    if (answer !== null) last.push(item);
    show(item);
    showProgress();
    go(items.indexOf(item), false);
    if (answer !== null) item.querySelector('.told').scrollIntoView({ block: 'nearest' });
  };

  const undo = () => {
    const item = last.pop();
    if (item === undefined) {
      say(word('nothing_to_undo'));
      return;
    }
    choose(item, null);
  };

  const toggle = () => {
    const [own, other] = ['.own', '.other'].map((name) => items[at].querySelector(name));
    other.open = !other.open;
    own.open = !other.open;
    (other.open ? other : own).scrollIntoView({ block: 'nearest' });
  };

  for (const item of items) {
    const buttons = CHOICES.map(([answer, name, number]) => make('button', { type: 'button', 'data-answer': answer, click: () => choose(item, answer) },
      make('kbd', { lang: 'en', 'aria-hidden': 'true' }, number), ' ', word(name)));
    item.querySelector('.choices').append(...buttons);
    item.querySelector('.other > summary').append(' ', make('kbd', { lang: 'en', 'aria-hidden': 'true' }, 'v'));
    show(item);
  }
  showProgress();
  go(at, false);

  for (const [answer, name, number] of CHOICES) key([number], `key_${name}`, () => choose(items[at], answer));
  key(['v'], 'key_judge_other', toggle);
  key(['j', 'n'], 'key_judge_next', () => go(at + 1));
  key(['k', 'p'], 'key_judge_previous', () => go(at - 1));
  key(['z'], 'key_judge_undo', undo);
})();
