// Which side of a pair is better, by one key: 1 the left one, 2 the right one, 0 neither; z undoes.
// A choice is kept in this browser, and goes on to the next pair.
'use strict';

(() => {
  const { blind, key, make, markSeen, pairs, saved, say, store, word } = window.evalbook;
  const { here, isAlone } = pairs;
  if (here === null || isAlone) return;

  const OTHER = { candidate: 'baseline', baseline: 'candidate' };
  const right = OTHER[blind.left];
  const isOn = store.get('evalbook blind') === 'on';

  /** Saves to the workspace, where it is served; says why not. */
  const send = async () => {
    const why = await saved?.sendJudgements();
    if (why) say(why);
  };

  const goOn = () => document.querySelector('a[rel=next]')?.click();

  /** Keeps the choice of a side, or of `tie`, with what an export needs to say about it. */
  const choose = async (winner) => {
    const { before, ...known } = pairs.read(here.place);
    const isKept = pairs.change(here.place, {
      ...here,
      winner,
      left: blind.left,
      blind: blind.isBlind && known.shown !== true,
      time: new Date().toISOString(),
      sent: false,
      before: known.winner === undefined ? null : known,
    });
    if (!isKept) {
      say(word('judgement_not_kept'));
      return;
    }
    markSeen();
    await send();
    goOn();
  };

  /** Takes back the last choice, and shows its pair. */
  const undo = async () => {
    const judged = pairs.all().filter((pair) => pair.winner !== undefined);
    const last = judged.sort((a, b) => a.time.localeCompare(b.time)).pop();
    if (last === undefined) {
      say(word('nothing_to_undo'));
      return;
    }
    const { winner, left, time, blind: wasBlind } = last.before ?? {};
    pairs.change(last.place, { winner, left, time, blind: wasBlind, before: undefined, sent: false, shown: true });
    await send();
    location.assign(new URL(last.place, new URL(document.documentElement.dataset.root || '.', location.href)));
  };

  const { winner } = pairs.read(here.place);
  const choice = (name, side, number) => {
    const button = make('button', { type: 'button', 'aria-pressed': String(winner === side), click: () => choose(side) },
      make('kbd', { lang: 'en', 'aria-hidden': 'true' }, String(number)), ' ', word(name));
    if (side !== 'tie') button.title = blind.isBlind ? '' : here.runs[side].name;
    return button;
  };
  const box = make('input', { type: 'checkbox', change: blind.toggle });
  box.checked = isOn;
  const row = make('div', { class: 'judge', role: 'group', 'aria-label': word('better') },
    make('span', {}, word('better')),
    choice('left', blind.left, 1), choice('same', 'tie', 0), choice('right', right, 2),
    make('label', {}, box, ' ', word('blind'), ' ', make('kbd', { lang: 'en', 'aria-hidden': 'true' }, 'b')));
  document.querySelector('.writing')?.prepend(row);

  key(['1'], 'key_left', () => choose(blind.left));
  key(['2'], 'key_right', () => choose(right));
  key(['0'], 'key_same', () => choose('tie'));
  key(['z'], 'key_undo', undo);
})();
