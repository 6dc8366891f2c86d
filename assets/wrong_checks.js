// The button at each check says that the grader is wrong on it. On a review page j and k mark a check, and x
// presses its button.
'use strict';

(() => {
  const { blind, doubts, key, make, markSeen, word } = window.evalbook;
  const isPair = document.querySelector('[data-pair]') !== null;
  const checks = Array.from(document.querySelectorAll('.checks :is(li[data-side], [data-disputable] li), [data-wrong]'));
  if (checks.length === 0 || blind?.isBlind) return;

  // What stands between backticks is shown as code, without them.
  const textOf = (check) => {
    if (check.dataset.check !== undefined) return check.dataset.check;
    const shown = check.querySelector('.check > b');
    return shown.dataset.text ?? shown.textContent;
  };
  /** What names the run whose verdict it is: the check itself, else the box for the comment on the run. */
  const holderOf = (check) => check.dataset.wrong !== undefined ? check : document.querySelector(isPair ? `[data-review].${check.dataset.side}` : '[data-review]');
  const isRecorded = (check) => check.dataset.disputed !== undefined;

  const isWrong = (check) => {
    const { iteration, wrong, review = wrong } = holderOf(check).dataset;
    return doubts.read(iteration, review)[textOf(check)]?.is ?? isRecorded(check);
  };

  /** It floats, so it stands before the last line of the check: what follows runs around it. */
  const place = (button, check) => {
    const last = check.lastElementChild;
    if (last?.matches('.where, details')) last.before(button);
    else if (check.matches('th')) check.prepend(button);
    else check.append(button);
  };

  const buttons = new Map();

  const show = (check) => {
    const button = buttons.get(check);
    button.setAttribute('aria-pressed', String(isWrong(check)));
    button.textContent = word(isWrong(check) ? 'wrong' : 'wrong_ask');
  };

  const toggle = (check) => {
    const { iteration, wrong, review = wrong, place = window.evalbook.saved?.page } = holderOf(check).dataset;
    if (!doubts.set(iteration, review, textOf(check), !isWrong(check), isRecorded(check), place)) return;
    if (isPair) markSeen();
    checks.forEach(show);
  };

  for (const check of checks) {
    const button = make('button', { type: 'button', class: 'wrong-button', title: word('wrong_title'), click: () => toggle(check) });
    buttons.set(check, button);
    check.querySelector('.said-disputed')?.remove();
    place(button, check);
    show(check);
  }
  if (!isPair) return;

  let marked = -1;
  const mark = (at) => {
    if (at < 0 || at >= checks.length) return;
    checks[marked]?.classList.remove('marked');
    marked = at;
    const check = checks[at];
    check.classList.add('marked');
    const fold = check.closest('details');
    if (fold !== null) fold.open = true;
    check.scrollIntoView({ block: 'nearest' });
  };

  const toggleMarked = () => {
    if (marked < 0) mark(Math.max(0, checks.findIndex((check) => check.matches(':target'))));
    toggle(checks[marked]);
  };

  document.querySelector('.checks').addEventListener('click', (event) => {
    const at = checks.indexOf(event.target.closest('li'));
    if (at >= 0 && event.target.closest('a, button') === null) mark(at);
  });
  key(['j'], 'key_check_after', () => mark(marked + 1));
  key(['k'], 'key_check_before', () => mark(marked - 1));
  key(['x'], 'key_wrong', toggleMarked);
})();
