// Buttons that copy: prompts, code, briefs, and the address of an expectation. "Copied" is said
// only when the browser says so; else the text is selected, for the reader to copy.
'use strict';

(() => {
  const { make, say, word } = window.evalbook;

  /** Copies in the old way, which works where the new one is refused. */
  const copySelected = (element) => {
    getSelection()?.selectAllChildren(element);
    try {
      return document.execCommand('copy');
    } catch {
      return false;
    }
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  };

  const addButton = (block) => {
    // A block of one short line is selected faster than a button is found.
    if (block.dataset.copy === undefined && block.textContent.length < 40) return;
    const button = make('button', {
      type: 'button',
      class: 'copy',
      async click() {
        const text = block.textContent;
        if (await copy(text) || copySelected(block)) say(word('copied'));
        else say(word('selected'));
      },
    }, word(block.dataset.copy === undefined ? 'copy' : 'copy_brief'));
    block.before(button);
  };

  for (const block of document.querySelectorAll('main pre')) addButton(block);

  for (const place of document.querySelectorAll('[id^="e-"]')) {
    const anchor = make('a', { class: 'anchor', href: `#${place.id}`, 'aria-label': word('anchor') }, '#');
    anchor.addEventListener('click', async () => {
      const copied = await copy(anchor.href);
      say(word(copied ? 'address_copied' : 'address_shown'));
    });
    const text = place.querySelector('p, th');
    const folded = text?.querySelector(':scope > details');
    if (folded) folded.before('\u00a0', anchor);
    else text?.append('\u00a0', anchor);
  }
})();
