// Selected text of an output becomes a quotation in the comment on its run. Text within the frame of a
// page cannot be reached; its source view can.
'use strict';

(() => {
  const { commentOn, key, say, word } = window.evalbook;
  if (document.querySelector('[data-pair]') === null) return;

  /** A quotation is a hint at a place; nobody reads pages of them. */
  const MAX_LENGTH = 2000;

  const quote = () => {
    const selection = getSelection();
    const place = selection?.anchorNode?.parentElement?.closest('.outputs, .checks, .asked');
    const text = selection?.toString().trim().slice(0, MAX_LENGTH) ?? '';
    if (!place || text === '') {
      say(word('nothing_selected'));
      return;
    }
    const isBaseline = selection.anchorNode.parentElement.closest('.pane.baseline, [data-side=baseline]') !== null;
    const lines = text.split('\n').filter((line) => line.trim() !== '').map((line) => `> ${line}`);
    commentOn(isBaseline ? 'baseline' : 'candidate').write(lines.join('\n'));
  };

  key(['q'], 'key_quote', quote);
})();
