// What a reader of a report in one file says about a run is kept in this browser, and saved as a
// `feedback.json` to send back: a comment, and which checks the grader got wrong. It is the only script of that
// page, which names it by its digest.
'use strict';

(() => {
  const save = document.querySelector('[data-save]');
  const places = Array.from(document.querySelectorAll('[data-comment-on]'));
  if (save === null || places.length === 0) return;
  const { comment, save: label, ask, wrong, title } = save.dataset;

  const read = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? {};
    } catch {
      return {};
    }
  };

  const keep = ({ key, said }) => {
    try {
      localStorage.setItem(key, JSON.stringify(said));
    } catch {
      // What is not kept is saved nevertheless, as long as the page is open.
    }
    show();
  };

  const make = (name, properties) => Object.assign(document.createElement(name), properties);

  const boxes = places.map((place) => {
    const { iteration, commentOn: run, name, about } = place.dataset;
    const key = JSON.stringify(['evalbook file', document.title, iteration, run]);
    const { text, disputed } = read(key);
    const box = { key, iteration, run, said: { text: String(text ?? ''), disputed: Array.isArray(disputed) ? disputed.map(String) : [] } };
    const field = make('textarea', { rows: 3, value: box.said.text });
    field.addEventListener('input', () => {
      box.said.text = field.value;
      keep(box);
    });
    const shown = make('label', {});
    shown.append(`${comment} ${name}`, field);
    place.append(shown);
    for (const check of place.closest('.page-of-file').querySelectorAll(`.checks li[data-side=${about}]`)) doubt(box, check);
    return box;
  });

  function doubt(box, check) {
    const named = check.querySelector('.check > b');
    const text = named.dataset.text ?? named.textContent;
    const button = make('button', { type: 'button', className: 'wrong-button', title });
    const name = () => {
      button.setAttribute('aria-pressed', String(box.said.disputed.includes(text)));
      button.textContent = box.said.disputed.includes(text) ? wrong : ask;
    };
    button.addEventListener('click', () => {
      const others = box.said.disputed.filter((other) => other !== text);
      box.said.disputed = others.length < box.said.disputed.length ? others : [...others, text];
      keep(box);
      name();
    });
    check.append(button);
    name();
  }

  const written = () => boxes.filter(({ said }) => said.text.trim() !== '' || said.disputed.length > 0);

  function show() {
    save.textContent = `${label} (${written().length})`;
    save.disabled = written().length === 0;
  }

  save.addEventListener('click', () => {
    const iterations = new Set(written().map(({ iteration }) => iteration));
    for (const iteration of iterations) {
      const reviews = written().filter((box) => box.iteration === iteration).map(({ run, said }) => ({
        run_id: run, feedback: said.text, ...(said.disputed.length > 0 ? { disputed: said.disputed } : {}),
      }));
      const text = `${JSON.stringify({ reviews, status: 'in_progress' }, null, 2)}\n`;
      const link = make('a', { href: URL.createObjectURL(new Blob([text], { type: 'application/json' })), download: 'feedback.json' });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    }
  });
  save.hidden = false;
  show();
})();
