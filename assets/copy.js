// Copies prompts and code by a button, a brief when it is opened, and the address of a check.
// "Copied" is said only when the browser says so; else the text is selected, for the reader to copy.
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

  const sayCopied = (isCopied) => say(word(isCopied ? 'copied' : 'selected'));

  const addButton = (block) => {
    const fold = block.closest('.brief');
    if (fold !== null) {
      fold.querySelector('summary').textContent = fold.dataset.label ?? word('copy_brief');
      // Printing opens it too, and copies nothing.
      fold.querySelector('summary').addEventListener('click', () => {
        if (fold.open) return;
        const copied = copy(block.textContent);
        // Only what is shown can be selected.
        fold.addEventListener('toggle', async () => sayCopied(await copied || copySelected(block)), { once: true });
      });
      return;
    }
    // A block of one short line is selected faster than a button is found.
    if (block.textContent.length < 40 && !block.classList.contains('command')) return;
    const click = async () => sayCopied(await copy(block.textContent) || copySelected(block));
    block.before(make('button', { type: 'button', class: 'copy', click }, word('copy')));
  };

  for (const block of document.querySelectorAll('main pre')) addButton(block);

  // The verdict to paste into a message. An address of this machine leads nobody else to the report.
  const shared = document.querySelector('[data-share]');
  const isPublic = location.protocol.startsWith('http') && document.documentElement.dataset.served === undefined;
  shared?.querySelector('.next')?.append(make('button', { type: 'button', class: 'button share', async click() {
    const isCopied = await copy(isPublic ? `${shared.dataset.share}\n${location.href}` : shared.dataset.share);
    if (!isCopied) say(word('share_refused'));
    else say(word(isPublic ? 'share_copied' : 'share_local'));
  } }, word('share')));

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
