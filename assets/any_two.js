// Any two sides of a case: both are picked from all iterations, and the checks on which they differ are listed
// from the table of the page.
'use strict';

(() => {
  const { make, word } = window.evalbook;
  const matrix = document.querySelector('table.matrix');
  if (matrix === null) return;

  const rowOf = (kind) => matrix.querySelector(`tfoot tr[data-of="${kind}"]`);
  /** What a cell of a row says of a side: a line each, in the order of the sides. */
  const lineOf = (row, side) => row?.cells[side.column + 1]?.querySelectorAll('.share')[side.line] ?? null;

  /** Every side of every iteration, the oldest first. */
  const sides = Array.from(matrix.tHead.rows[0].cells).slice(1).flatMap((head, column) => {
    const iteration = head.querySelector('a').textContent;
    return Array.from(head.querySelectorAll('[data-side]'), (found, line) => ({
      column, line, iteration, name: found.dataset.side, dot: found.querySelector('.dot').className,
    }));
  });
  if (sides.length < 2) return;
  const names = Array.from(new Set(sides.map((side) => side.name)));
  const keyOf = (side) => `${side.iteration}\n${side.name}`;
  const rateOf = (side) => lineOf(rowOf('configurations.passed'), side)?.textContent.trim() ?? '';

  const newest = sides.filter((side) => side.column === sides.at(-1).column);
  const picked = { new: newest[0] };
  picked.old = newest[1] ?? sides.findLast((side) => side.column < newest[0].column);

  /** The share of runs that pass a check, as its square and its counts; `null` where it was not asked. */
  const found = (row, side) => {
    const line = lineOf(row, side);
    if (line === null) return null;
    const [passed, graded] = line.textContent.trim().split('/').map((number) => Number.parseInt(number, 10));
    return graded > 0 ? { square: line.querySelector('.square'), counts: `${passed}/${graded}`, share: passed / graded, isSingle: graded === 1 } : null;
  };

  /** Whether the old side is an earlier state of the skill: a check is lost since then, and worse than without it. */
  const isSince = () => {
    const both = [picked.old, picked.new];
    const has = (role) => both.some((side) => side.dot.includes(role));
    return !has('baseline') && (picked.old.column !== picked.new.column || has('previous'));
  };

  const change = (before, after) => {
    const isSingle = before.isSingle || after.isSingle;
    const [down, up] = isSince() ? ['two_lost', 'two_repaired'] : ['two_worse', 'two_better'];
    if (before.share === 1 && after.share === 0) return ['worse', `${isSingle ? '▽' : '▼'} ${word(down)}`];
    if (before.share === 0 && after.share === 1) return ['better', `${isSingle ? '△' : '▲'} ${word(up)}`];
    return ['neutral', `◇ ${word('two_unsteady')}`];
  };

  const grid = (which) => {
    const cell = (iteration, name) => {
      const side = sides.find((known) => known.iteration === iteration && known.name === name);
      if (side === undefined) return make('td', { class: 'counts' }, '–');
      const rate = rateOf(side) || '–';
      return make('td', {}, make('button', {
        type: 'button', 'aria-pressed': String(side === picked[which]),
        'aria-label': `${rate}, ${word(`two_${which}`)}: ${iteration}, ${name}`,
        click: () => {
          picked[which] = side;
          draw();
          box.querySelector(`[data-which="${which}"] [aria-pressed="true"]`).focus();
        },
      }, rate));
    };
    const iterations = Array.from(new Set(sides.map((side) => side.iteration)));
    const head = make('tr', {}, make('td'), ...names.map((name) => make('th', { scope: 'col' }, name)));
    const rows = iterations.map((iteration) => make('tr', {}, make('th', { scope: 'row' }, iteration), ...names.map((name) => cell(iteration, name))));
    const side = picked[which];
    return make('div', { 'data-which': which },
      make('p', {}, make('i', { class: which === 'old' && side.name === picked.new.name ? 'dot previous' : side.dot }),
        make('b', {}, word(`two_${which}`)), make('span', { class: 'counts' }, ` ${side.iteration}, ${side.name}`)),
      make('div', { class: 'wide' }, make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows))));
  };

  /** To the page that compares the outputs of both, else to the first run of each. */
  const links = () => {
    const named = (which) => `${picked[which].iteration}, ${picked[which].name}`;
    const page = Array.from(matrix.querySelectorAll('a[data-old]')).find((link) =>
      link.dataset.old === keyOf(picked.old) && link.dataset.new === keyOf(picked.new));
    if (page !== undefined) return [make('a', { class: 'button main', href: page.getAttribute('href') }, word('two_outputs'))];
    return ['old', 'new'].flatMap((which) => {
      const run = lineOf(rowOf('case.runs'), picked[which])?.querySelector('a');
      if (!run) return [];
      return [make('a', { class: 'button', href: run.getAttribute('href') }, word('two_run', { side: named(which) }))];
    });
  };

  const square = (of, side) => {
    const copy = of.square.cloneNode();
    if (side.column !== picked.new.column || side !== picked.new) copy.classList.remove('candidate');
    return make('td', {}, copy, ` ${of.counts}`);
  };

  /** The first line of the page, once it is about another pair: the checks that changed, by their words. */
  const title = document.querySelector('.case-head .verdict');
  const rates = title.nextElementSibling?.matches('.counts:not(.position)') ? title.nextElementSibling : make('p', { class: 'counts' });
  title.after(rates);
  const first = { class: title.className, text: title.textContent, rates: rates.textContent };
  const isFirst = ((old, now) => () => picked.old === old && picked.new === now)(picked.old, picked.new);

  const headline = (rows, sum) => {
    const counts = new Map();
    for (const { text } of rows) counts.set(text, (counts.get(text) ?? 0) + 1);
    const words = Array.from(counts, ([text, n]) => text.replace(' ', ` ${n} `));
    title.className = isFirst() ? first.class : `verdict ${rows[0]?.tone ?? ''}`;
    title.textContent = isFirst() ? first.text : words.join(', ') || sum;
    rates.textContent = isFirst() ? first.rates : `${rateOf(picked.old) || '–'} → ${rateOf(picked.new) || '–'}`;
  };

  const headOf = (which) => make('th', { scope: 'col' }, make('b', {}, picked[which].iteration), make('small', {}, picked[which].name));

  const checks = () => {
    let shared = 0;
    const rows = [];
    for (const row of matrix.tBodies[0].rows) {
      const [before, after] = [found(row, picked.old), found(row, picked.new)];
      if (before === null || after === null) continue;
      shared += 1;
      if (before.share === after.share) continue;
      const [tone, text] = change(before, after);
      const head = row.cells[0].cloneNode(true);
      for (const extra of head.querySelectorAll('details, .anchor, .wrong-button')) extra.remove();
      rows.push({ share: after.share - before.share, tone, text, row: make('tr', {}, head, square(before, picked.old), square(after, picked.new), make('td', { class: tone }, text)) });
    }
    rows.sort((one, other) => one.share - other.share);
    const sum = shared === 0 ? word('two_none_shared') : word('two_differ', { n: rows.length, all: shared });
    headline(rows, sum);
    const parts = [make('p', { role: 'status' }, sum)];
    if (rows.length > 0) {
      const head = make('tr', {}, make('th', { scope: 'col' }, word('two_check')), headOf('old'), headOf('new'), make('th', { scope: 'col' }, word('two_change')));
      parts.push(make('div', { class: 'wide' }, make('table', { class: 'two-checks' }, make('thead', {}, head), make('tbody', {}, ...rows.map((found) => found.row)))));
    }
    return parts;
  };

  // In place of the links to the pages of one side.
  const box = document.querySelector('.any-two') ?? make('section', { class: 'any-two' });
  for (const link of document.querySelectorAll('main > .next > a.button')) link.remove();
  const draw = () => {
    const swap = make('button', {
      type: 'button', class: 'swap', 'aria-label': word('two_swap'),
      click: () => { [picked.old, picked.new] = [picked.new, picked.old]; draw(); box.querySelector('.swap').focus(); },
    }, '⇄');
    box.replaceChildren(
      make('div', { class: 'two-grids' }, grid('old'), swap, grid('new')),
      make('p', { class: 'next' }, ...links()),
      ...checks(),
    );
  };
  draw();
  if (!box.isConnected) matrix.closest('section').before(box);
})();
