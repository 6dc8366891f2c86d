// Walks through the places that changed in the outputs of a pair: `[` and `]`, and two buttons.
'use strict';

(() => {
  const { blind, key, make, word } = window.evalbook;
  const holder = document.querySelector('.marks-of-change');
  if (holder === null || blind.isBlind) return;

  /** What a reader takes for one change: a block, or a row of a table. */
  const STOPS = '.aligned .change, .aligned tr.gone, .aligned tr.new, .aligned .candidate tr.changed';
  const isShown = (place) => place.checkVisibility();
  const stops = () => Array.from(document.querySelectorAll(STOPS)).filter(isShown);

  let at = null;
  const count = make('span', {});
  const tell = (all) => {
    count.textContent = word('change_of', { n: all.indexOf(at) + 1, all: all.length });
  };

  /** Goes one change on or back; the first one is the next below what was read. */
  const go = (step) => {
    const all = stops();
    if (all.length === 0) return;
    const known = all.indexOf(at);
    const next = known < 0 ? (step > 0 ? 0 : all.length - 1) : (known + step + all.length) % all.length;
    at?.classList.remove('at');
    at = all[next];
    at.classList.add('at');
    at.scrollIntoView({ block: 'center' });
    tell(all);
  };

  const button = (sign, name, step) => make('button', { type: 'button', 'aria-label': word(name), click: () => go(step) }, sign);
  holder.after(make('p', { class: 'walk counts', 'aria-live': 'polite' }, count,
    button('\u2191', 'key_change_before', -1), button('\u2193', 'key_change_after', 1)));
  tell(stops());
  key([']'], 'key_change_after', () => go(1));
  key(['['], 'key_change_before', () => go(-1));
})();
