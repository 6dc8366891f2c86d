// Filter tokens and sorting. Everything with `data-filter` (a table, or a list) is filtered by one
// field above the first of them; its rows carry what can be asked for as `data-` attributes. A
// table with `data-sortable` is sorted by its heads.
'use strict';

(() => {
  const { make, say, word } = window.evalbook;

  /** The rows that say what they are; all rows where none does. Heads of groups say nothing. */
  const rowsOf = (holder) => {
    const rows = Array.from(holder.matches('table') ? holder.querySelectorAll('tbody > tr') : holder.children);
    const marked = rows.filter((row) => Object.keys(row.dataset).length > 0);
    return marked.length > 0 ? marked : rows;
  };

  /** Tokens of a query: `key:value`, `"a text"`, a word; each may be negated by `-`. */
  const parse = (query) => {
    const tokens = [];
    for (const match of query.matchAll(/(-?)(?:([\p{L}_]+):)?(?:"([^"]*)"?|(\S+))/gu)) {
      const value = (match[3] ?? match[4]).toLowerCase();
      if (value !== '') tokens.push({ not: match[1] === '-', key: match[2]?.toLowerCase() ?? null, value });
    }
    return tokens;
  };

  const setUpFilter = (holders) => {
    const rows = holders.flatMap(rowsOf).map((element) => {
      const fields = new Map(Object.entries(element.dataset).map(([key, value]) => [key, value.toLowerCase()]));
      return { element, fields, text: element.textContent.toLowerCase() };
    });
    const elements = new Set(rows.map((row) => row.element));
    const keys = new Set(rows.flatMap((row) => Array.from(row.fields.keys())).filter((key) => key !== 'sort'));
    /** What is known under a key: of a row several words for its status, or names on lines of their
        own; quoted where they have spaces. */
    const valuesOf = (key) => Array.from(new Set(rows.flatMap((row) => (row.fields.get(key) ?? '').split(key === 'status' ? ' ' : '\n'))))
      .filter(Boolean).map((value) => /\s/.test(value) ? `"${value}"` : value);
    const matches = (row, token) => {
      const text = token.key === null ? row.text : row.fields.get(token.key) ?? '';
      return text.includes(token.value) !== token.not;
    };
    const hint = () => Array.from(keys).filter((key) => valuesOf(key).length > 0).map((key) => {
      const values = valuesOf(key);
      // A long list of names helps nobody; a short list of words does.
      return `${key}:${values.join('|').length <= 45 ? values.join('|') : '…'}`;
    }).join(', ');

    const explain = (tokens) => {
      for (const { key, value } of tokens) {
        if (key !== null && !keys.has(key)) return word('filter_no_key', { key, keys: Array.from(keys).join(', ') });
        const known = key === null ? [] : valuesOf(key);
        if (key !== null && known.length <= 12 && !rows.some((row) => row.fields.get(key)?.includes(value))) {
          return word('filter_no_value', { token: `${key}:${value}`, values: known.join(', ') });
        }
      }
      return '';
    };

    const count = make('span', { role: 'status', class: 'counts' });
    const reason = make('p', { class: 'reason', id: 'filter-reason' }, word('filter_hint', { keys: hint() }));
    const field = make('input', { type: 'search', id: 'filter', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'filter-reason', input: () => apply() });

    const keep = (query) => {
      const url = new URL(location.href);
      if (query === '') url.searchParams.delete('q');
      else url.searchParams.set('q', query);
      try {
        history.replaceState(history.state, '', url);
      } catch {
        // Some hosts refuse it on pages from disk; the filter works all the same.
      }
    };

    const apply = () => {
      const query = field.value.trim();
      const tokens = parse(query);
      let shown = 0;
      for (const row of rows) {
        row.element.hidden = !tokens.every((token) => matches(row, token));
        if (!row.element.hidden) shown += 1;
      }
      for (const holder of holders) {
        for (const group of holder.tBodies ?? []) {
          // A group that sorting has emptied stays as it is.
          if (group.rows.length > 0) group.hidden = query !== '' && Array.from(group.rows).every((row) => row.hidden || !elements.has(row));
        }
      }
      count.textContent = query === '' ? '' : word('filter_count', { shown, all: rows.length });
      reason.textContent = explain(tokens) || word('filter_hint', { keys: hint() });
      keep(query);
    };

    const place = holders[0].closest('.wide') ?? holders[0];
    place.before(make('div', { class: 'filter' }, make('p', {}, make('label', { for: 'filter' }, word('filter')), ' ', field, ' ', count), reason));
    field.value = new URL(location.href).searchParams.get('q') ?? '';
    if (field.value !== '') apply();
    // Rows that moved to another group show it, or leave it without any.
    for (const holder of holders) holder.addEventListener('sorted', apply);
    window.evalbook.key(['f'], 'key_filter', () => field.focus());
  };

  const holders = Array.from(document.querySelectorAll('[data-filter]'));
  if (holders.some((holder) => rowsOf(holder).length > 1)) setUpFilter(holders);

  const language = document.documentElement.lang;
  const names = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });

  /** A number, a text, or `null` for what is not there. */
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const text = (cell?.dataset.sort ?? cell?.textContent ?? '').trim();
    if (text === '' || text === '–') return null;
    const number = text.replace('\u2212', '-').replace(/[\s,](?=\d{3})/g, '').match(/^[-+]?\d+(\.\d+)?(?![\p{L}_-])/u);
    return number === null ? text : Number(number[0]);
  };

  const compare = (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    return names.compare(String(a), String(b));
  };

  const sorted = (rows, column, direction) => {
    const keyed = rows.map((row) => ({ row, value: valueOf(row, column) }));
    const sign = direction === 'ascending' ? 1 : -1;
    // What is not there comes last in both directions.
    keyed.sort((a, b) => (a.value === null) - (b.value === null) || (a.value === null ? 0 : sign * compare(a.value, b.value)));
    return keyed.map(({ row }) => row);
  };

  const NEXT = { none: 'ascending', ascending: 'descending', descending: 'none' };

  const setUpSort = (table) => {
    const bodies = Array.from(table.tBodies, (body) => ({ body, rows: Array.from(body.rows) }));
    const heads = Array.from(table.tHead?.rows[0]?.cells ?? []);
    const groupHeads = bodies.flatMap(({ rows }) => rows.filter((row) => row.matches('.head')));
    const rows = bodies.flatMap(({ rows }) => rows.filter((row) => !row.matches('.head')));
    if (rows.length < 2 || bodies.length > 1 && groupHeads.length !== bodies.length) return;
    /** Sorting dissolves groups: all rows go into the first, and the heads of all go. */
    const sort = (column, direction) => {
      for (const head of groupHeads) head.hidden = direction !== 'none';
      if (direction !== 'none') bodies[0].body.append(...sorted(rows, column, direction));
      else for (const { body, rows: own } of bodies) body.append(...own);
      table.dispatchEvent(new Event('sorted'));
    };
    heads.forEach((head, column) => {
      const name = head.textContent.trim();
      if (name === '' || head.querySelector(':scope > .hidden')) return;
      const click = () => {
        const direction = NEXT[head.getAttribute('aria-sort') ?? 'none'];
        for (const other of heads) other.removeAttribute('aria-sort');
        if (direction !== 'none') head.setAttribute('aria-sort', direction);
        sort(column, direction);
        say(word(`sorted_${direction}`, { name }));
      };
      const button = make('button', { type: 'button', class: 'sort', click });
      if (head.querySelector('a') === null) button.append(...head.childNodes);
      else button.setAttribute('aria-label', word('sort_by', { name }));
      head.append(button);
    });
  };

  for (const table of document.querySelectorAll('table[data-sortable]')) setUpSort(table);
})();
