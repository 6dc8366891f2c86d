// Shows the words that a check quotes: its link scrolls to a mark here, or within the frame of a page.
'use strict';

(() => {
  document.addEventListener('click', (event) => {
    const link = event.target.closest('.where a');
    if (!link) return;
    const frame = link.target && document.getElementsByName(link.target)[0];
    const place = frame || document.getElementById(link.hash.slice(1));
    if (!place) return;
    // What a reader chose to see may hide it: another view of the outputs, or the other side on a phone.
    const side = place.closest('.pane.baseline') ? 'baseline' : 'candidate';
    for (const choice of document.querySelectorAll(`.view .show-rendered, .panes-shown .show-${side}`)) {
      if (!choice.checked) choice.click();
    }
    for (let fold = place.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    if (frame) frame.scrollIntoView({ block: 'nearest' });
  });
})();
