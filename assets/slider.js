// Two pictures over each other show the newer one from a line on, which the mouse and the arrow keys move.
'use strict';

(() => {
  const { make, word } = window.evalbook;

  for (const box of document.querySelectorAll('.diff .p')) {
    const pictures = box.querySelector(':scope > div');
    const range = make('input', { type: 'range', class: 'split', min: 0, max: 100, 'aria-label': word('slider'), input: () => show(range.value) });
    const show = (share) => {
      range.value = share;
      box.style.setProperty('--split', `${share}%`);
    };
    pictures.before(range);
    box.classList.add('slides');
    show(50);
    pictures.addEventListener('pointermove', (event) => {
      if (!box.querySelector('[value="o"]').checked) return;
      const { left, width } = pictures.querySelector('img').getBoundingClientRect();
      show(Math.round((event.clientX - left) / width * 100));
    });
  }
})();
