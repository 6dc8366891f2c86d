// From the check that is read to the words it quotes: a number at both, a line between them where both are in
// view, and the other marks paler. Without a script the links below each check lead there.
'use strict';

(() => {
  const { blind } = window.evalbook;
  const box = document.querySelector('[data-pair] .beside');
  if (box === null || blind.isBlind) return;

  /** The line crosses the space between the outputs and the checks, which lie below them on narrow screens. */
  const WIDE = 1180;
  const checks = Array.from(box.querySelectorAll('.checks li'));
  const marksOf = (check) => Array.from(check.querySelectorAll('.where a[href^="#"]'), (link) => document.getElementById(link.hash.slice(1)))
    .filter((mark) => mark !== null);

  // Each quotation has the number of its check in the list, and what became of the check on that side.
  checks.forEach((check, at) => {
    check.querySelector('.check > b').dataset.no = at + 1;
    for (const mark of marksOf(check)) {
      if (mark.dataset.no !== undefined) continue;
      const side = mark.closest('.pane.baseline') === null ? 'candidate' : 'baseline';
      const outcome = check.querySelector(`.marks > span:has(.dot.${side})`);
      const isPassed = outcome?.matches('.passed');
      mark.dataset.no = `${isPassed ? '✓' : '✗'} ${at + 1}`;
      mark.classList.toggle('lost', !isPassed && check.closest('.lost') !== null);
    }
  });

  let line = null;
  let read = null;

  const draw = () => {
    line?.remove();
    line = null;
    const marks = read === null ? [] : marksOf(read).filter((one) => one.checkVisibility());
    // A check that was lost fails on the newer side.
    const mark = marks.find((one) => one.matches(':target')) ?? marks.find((one) => one.closest('.pane.baseline') === null) ?? marks[0];
    if (mark === undefined || innerWidth < WIDE) return;
    const [all, from, to] = [box, read, mark].map((element) => element.getBoundingClientRect());
    const pane = mark.closest('.outputs').getBoundingClientRect();
    if (to.bottom < 0 || to.top > innerHeight) return;
    const [edge, end] = [pane.right - all.left + 12, from.left - all.left];
    const [low, high] = [to.bottom - all.top + 1, from.top - all.top + 14];
    line = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    line.setAttribute('class', mark.matches('.lost') ? 'reading-line lost' : 'reading-line');
    line.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', `M${to.left - all.left} ${low}H${edge}V${high}H${end}`);
    line.append(path);
    box.append(line);
  };

  const start = (check) => {
    if (check === read) return;
    for (const one of document.querySelectorAll('.read')) one.classList.remove('read');
    read = check;
    box.classList.toggle('reads', check !== null && marksOf(check).length > 0);
    if (check !== null) for (const one of [check, ...marksOf(check)]) one.classList.add('read');
    draw();
  };

  const list = box.querySelector('.checks');
  const reading = ({ target }) => start(target.closest('li'));
  // A click on a quotation scrolls the page below the pointer: only a pointer that moves is about another check.
  let place = '';
  const hasMoved = ({ screenX, screenY }) => {
    const before = place;
    place = `${screenX} ${screenY}`;
    return place !== before;
  };
  for (const event of ['focusin', 'click']) list.addEventListener(event, reading);
  list.addEventListener('pointermove', (event) => { if (hasMoved(event)) reading(event); });
  list.addEventListener('pointerleave', (event) => { if (hasMoved(event)) start(null); });
  // Going to a quotation takes the focus away without giving it to anything else.
  list.addEventListener('focusout', ({ relatedTarget }) => { if (relatedTarget !== null && !list.contains(relatedTarget)) start(null); });
  // A link from another page leads to a check.
  const arrive = () => { const check = checks.find((one) => `#${one.id}` === location.hash); if (check !== undefined) start(check); };
  window.addEventListener('hashchange', arrive);
  arrive();
  for (const event of ['scroll', 'resize']) window.addEventListener(event, draw, { passive: true, capture: true });
})();
