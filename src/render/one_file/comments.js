// The comment box of a report in one file: what a reader writes about a run is kept in this browser, and saved
// as a `feedback.json` to send back. It is the only script of that page, which names it by its digest.
'use strict';

(() => {
  const save = document.querySelector('[data-save]');
  const places = Array.from(document.querySelectorAll('[data-comment-on]'));
  if (save === null || places.length === 0) return;
  const { comment, save: label } = save.dataset;
  const keyOf = (place) => JSON.stringify(['evalbook file', document.title, place.dataset.iteration, place.dataset.commentOn]);

  const read = (place) => {
    try {
      return localStorage.getItem(keyOf(place)) ?? '';
    } catch {
      return '';
    }
  };

  const keep = (place, text) => {
    try {
      localStorage.setItem(keyOf(place), text);
    } catch {
      // What is not kept is saved nevertheless, as long as the page is open.
    }
  };

  const boxes = places.map((place) => {
    const name = document.createElement('label');
    const field = document.createElement('textarea');
    field.rows = 3;
    field.value = read(place);
    field.addEventListener('input', () => {
      keep(place, field.value);
      show();
    });
    name.append(`${comment} ${place.dataset.name}`, field);
    place.append(name);
    return { place, field };
  });
  const written = () => boxes.filter(({ field }) => field.value.trim() !== '');

  const show = () => {
    save.textContent = `${label} (${written().length})`;
    save.disabled = written().length === 0;
  };

  save.addEventListener('click', () => {
    const iterations = new Set(written().map(({ place }) => place.dataset.iteration));
    for (const iteration of iterations) {
      const reviews = written().filter(({ place }) => place.dataset.iteration === iteration)
        .map(({ place, field }) => ({ run_id: place.dataset.commentOn, feedback: field.value }));
      const text = `${JSON.stringify({ reviews, status: 'in_progress' }, null, 2)}\n`;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      link.download = 'feedback.json';
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    }
  });
  save.hidden = false;
  show();
})();
