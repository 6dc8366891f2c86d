// The button at each check says that the grader is wrong on it; j and k mark a check, x presses its button.
// The words go into the comment on the run that was graded, where the author of the skill reads them.
'use strict';

(() => {
  const { blind, commentOn, key, make, markSeen, pairs, word } = window.evalbook;
  const { here } = pairs;
  const checks = Array.from(document.querySelectorAll('[data-pair] .checks li'));
  if (here === null || checks.length === 0 || blind.isBlind) return;

  const textOf = (check) => check.querySelector('.check > b').textContent;
  const sideOf = (check) => check.dataset.side;
  const isMeant = (check) => ({ side, check: text }) => side === sideOf(check) && text === textOf(check);
  const wrong = () => pairs.read(here.place).wrong ?? [];

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

  const buttons = new Map();

  const show = (check) => {
    const isWrong = wrong().some(isMeant(check));
    const button = buttons.get(check);
    button.setAttribute('aria-pressed', String(isWrong));
    button.textContent = word(isWrong ? 'wrong' : 'wrong_ask');
  };

  const toggle = (check) => {
    const known = wrong();
    const rest = known.filter((item) => !isMeant(check)(item));
    const line = word('grader_wrong_line', { check: textOf(check) });
    const isNew = rest.length === known.length;
    if (isNew) rest.push({ side: sideOf(check), check: textOf(check), time: new Date().toISOString() });
    if (!pairs.change(here.place, { ...here, wrong: rest })) return;
    if (isNew) commentOn(sideOf(check)).add(line);
    else commentOn(sideOf(check)).remove(line);
    markSeen();
    show(check);
  };

  for (const check of checks) {
    const button = make('button', { type: 'button', class: 'wrong-button', title: word('key_wrong'), click: () => toggle(check) });
    buttons.set(check, button);
    check.append(button);
  }

  const toggleMarked = () => {
    if (marked < 0) mark(Math.max(0, checks.findIndex((check) => check.matches(':target'))));
    toggle(checks[marked]);
  };

  checks.forEach(show);
  document.querySelector('.checks').addEventListener('click', (event) => {
    const at = checks.indexOf(event.target.closest('li'));
    if (at >= 0 && event.target.closest('a, button') === null) mark(at);
  });
  key(['j'], 'key_check_after', () => mark(marked + 1));
  key(['k'], 'key_check_before', () => mark(marked - 1));
  key(['x'], 'key_wrong', toggleMarked);
})();
