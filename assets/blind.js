// Judging blind: until a choice is made, the page hides which side is which, and draws in the browser
// which one is on the left. `theme.js` hides the names before anything is painted.
'use strict';

(() => {
  const { key, make, pairs, say, store, word } = window.evalbook;
  const { here, isAlone } = pairs;
  if (here === null) return;

  const root = document.documentElement;
  const kept = pairs.read(here.place);
  const isBlind = !isAlone && root.dataset.blind !== undefined && kept.winner === undefined;
  if (!isBlind) delete root.dataset.blind;

  const draw = () => crypto.getRandomValues(new Uint8Array(1))[0] % 2 === 0 ? 'candidate' : 'baseline';
  // The old side is left wherever the names are shown; a blind pair stays as it was drawn.
  const left = isBlind ? kept.left ?? draw() : 'baseline';
  // A pair that was shown with its names is not judged blind any more.
  pairs.change(here.place, isBlind ? { left } : { shown: true });

  const page = document.querySelector('[data-pair]');
  page.dataset.left = left;

  if (isBlind) {
    document.title = here.case;
    for (const name of document.querySelectorAll('.named')) {
      const isLeft = name.closest('.candidate, .baseline').classList.contains(left);
      name.after(make('span', { class: 'unnamed' }, word(isLeft ? 'left' : 'right')));
    }
    for (const holder of document.querySelectorAll('[data-review]')) {
      holder.dataset.name = word(holder.classList.contains(left) ? 'left' : 'right');
    }
    // What is first in reading order is the left side: the pane of a narrow screen, and the comment.
    for (const first of document.querySelectorAll(`:is(.panes-shown, .about) > .${left} input`)) first.click();
    // Our script does not reach into a frame, but a fragment turns the color of its marks off.
    for (const frame of document.querySelectorAll('iframe[data-plain]')) frame.src = `${frame.getAttribute('src')}#${frame.dataset.plain}`;
    const changes = document.querySelector('.show-changes');
    if (changes !== null) changes.disabled = true;
  }

  const toggle = () => {
    const isOn = store.get('evalbook blind') === 'on';
    if (store.set('evalbook blind', isOn ? null : 'on')) location.reload();
    else say(word('not_kept'));
  };
  if (!isAlone) key(['b'], 'key_blind', toggle);

  window.evalbook.blind = { isBlind, left, toggle };
})();
