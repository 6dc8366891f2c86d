// What a `feedback.json` says, and what it says once a reader's comments are in it: in the shape and
// under the spellings it has, with everything in it that is no comment. `feedback_export.js` and `feedback_import.js` ask here.
'use strict';

(() => {
  /** The spellings of each field, as the reader of workspaces knows them. */
  const SPELLINGS = {
    reviews: ['reviews', 'feedback', 'comments'],
    run: ['run_id', 'run', 'id', 'eval', 'case'],
    words: ['feedback', 'comment', 'comments', 'text', 'notes', 'note', 'review'],
    time: ['timestamp', 'date', 'updated_at'],
    status: ['status', 'state'],
    disputed: ['disputed'],
    judged: ['judged'],
    skill: ['skill_name', 'skill', 'target_skill', 'skill_path'],
  };

  const folded = (name) => name.toLowerCase().replace(/[-_\s/]+/g, '');
  const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
  const isFilled = (value) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  const put = (object, key, value) => Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });

  /** The key under which an object has a field: one that says something before one that does not. */
  const keyOf = (object, field, isWanted = isFilled) => {
    if (!isObject(object)) return undefined;
    const keys = SPELLINGS[field].flatMap((name) => Object.keys(object).filter((key) => folded(key) === folded(name)));
    return keys.find((key) => isWanted(object[key])) ?? (isWanted === isFilled ? keys[0] : undefined);
  };

  const wordsOf = (value) => {
    if (Array.isArray(value)) return value.map(wordsOf).join('\n');
    if (isObject(value)) return wordsOf(value[keyOf(value, 'words')]);
    return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
  };

  const isReview = ([key, value]) => !['status', 'time', 'skill'].some((field) => SPELLINGS[field].includes(key))
    && (typeof value === 'string' || (isObject(value) && keyOf(value, 'words') !== undefined));

  /** Where a document has its reviews: a list, or an object with one by name; `null` for neither. */
  const placeOf = (root) => {
    if (Array.isArray(root)) return root;
    if (!isObject(root)) return null;
    const key = keyOf(root, 'reviews', Array.isArray) ?? keyOf(root, 'reviews', isObject);
    return key === undefined ? root : root[key];
  };

  /** The reviews at a place: whose they are, what they say, and under which key they stand. */
  const reviewsAt = (place) => {
    const idOf = (item) => isObject(item) ? String(item[keyOf(item, 'run')] ?? '') : '';
    if (Array.isArray(place)) return place.map((item, key) => ({ key, id: idOf(item), words: wordsOf(item) }));
    return Object.entries(place).filter(isReview).map(([key, value]) => ({ key, id: key, words: wordsOf(value) }));
  };

  /** Pairs of id and words in a document of any shape; `null` when it has none. */
  const pairs = (root) => {
    const place = placeOf(root);
    return place === null ? null : reviewsAt(place).map(({ id, words }) => [id, words]).filter(([id, words]) => id !== '' && words.trim() !== '');
  };

  const change = (place, key, { text, time }) => {
    const value = place[key];
    if (!isObject(value)) {
      put(place, key, text);
      return;
    }
    put(value, keyOf(value, 'words') ?? 'feedback', text);
    const when = keyOf(value, 'time');
    if (when !== undefined) put(value, when, time);
  };

  /** A new review in the manner of the last one; in that of the skill-creator where there is none. */
  const add = (place, { id, text, time }) => {
    const like = reviewsAt(place).map(({ key }) => place[key]).findLast(isObject);
    const words = keyOf(like, 'words') ?? 'feedback';
    if (!Array.isArray(place)) {
      put(place, id, like === undefined ? text : { [words]: text });
      return;
    }
    const when = like === undefined ? 'timestamp' : keyOf(like, 'time');
    place.push({ [keyOf(like, 'run') ?? 'run_id']: id, [words]: text, ...(when === undefined || time === '' ? {} : { [when]: time }) });
  };

  /** The review that a comment changes: the one it was written over, or one of the run without words. */
  const meant = (place, { id, before }) => {
    const own = reviewsAt(place);
    const found = before === null
      ? own.findLast((it) => it.words.trim() === '' && folded(it.id) === folded(id))
      : own.findLast((it) => it.id === id && it.words.trim() === before.trim()) ?? own.findLast((it) => it.id === id);
    return found?.key;
  };

  const setStatus = (root, place, status) => {
    const key = keyOf(root, 'status');
    const isSaid = status === 'complete' && ['complete', 'completed', 'done'].includes(root[key]);
    if (isSaid || (key === undefined && (place === root || Array.isArray(root)))) return false;
    if (root[key ?? 'status'] === status) return false;
    put(root, key ?? 'status', status);
    return true;
  };

  /** Numbers stay as they are written, where the browser can tell. */
  const asWritten = (key, value, context) => {
    const isOther = typeof value === 'number' && context?.source !== undefined && String(value) !== context.source;
    return isOther && JSON.rawJSON !== undefined ? JSON.rawJSON(context.source) : value;
  };

  /** The text of a file with `changes` in it (`{ id, before, text, time }`, with `before` null for
      what it did not say) and with `status`, where that is not null. Without either it stays as it is. */
  const withChanges = (text, changes, status) => {
    const root = JSON.parse(text, asWritten);
    let place = placeOf(root);
    if (place === root && isObject(root) && !Object.entries(root).some(isReview)) {
      place = [];
      if (changes.length > 0) put(root, keyOf(root, 'reviews') ?? 'reviews', place);
    }
    for (const it of changes) {
      const key = meant(place, it);
      if (key === undefined) add(place, it);
      else change(place, key, it);
    }
    const isChanged = status !== null && setStatus(root, place, status);
    if (changes.length === 0 && !isChanged) return text;
    const indent = text.match(/^[[{]\s*\n([ \t]+)/)?.[1] ?? (text.includes('\n') ? 2 : 0);
    return JSON.stringify(root, null, indent) + (text.endsWith('\n') ? '\n' : '');
  };

  /** What a review lists of single checks, for each list: the check of an item, what it says, and an item. */
  const LISTS = {
    disputed: { check: String, is: () => true, item: (check) => check },
    judged: {
      check: (item) => String(item?.check),
      is: (item) => ['passed', 'failed'].includes(item?.outcome) ? item.outcome : 'unknown',
      item: (check, outcome) => ({ check, outcome }),
    },
  };

  /** What each review in a document of any shape lists: `{ id, checks: [{ check, is }] }`. */
  const listed = (root, name) => {
    const place = placeOf(root);
    if (place === null) return [];
    const { check, is } = LISTS[name];
    return reviewsAt(place).map(({ key, id }) => ({ id, items: place[key]?.[keyOf(place[key], name)] }))
      .filter(({ id, items }) => id !== '' && Array.isArray(items))
      .map(({ id, items }) => ({ id, checks: items.map((item) => ({ check: check(item), is: is(item) })) }));
  };

  /** The text of a file with `marks` in its reviews (`{ run, check, is, time }`); what is false or null is taken out. */
  const withListed = (text, name, marks) => {
    if (marks.length === 0) return text;
    const root = JSON.parse(text, asWritten);
    let place = placeOf(root);
    if (place === root && isObject(root) && !Object.entries(root).some(isReview)) {
      place = [];
      put(root, keyOf(root, 'reviews') ?? 'reviews', place);
    }
    const isSaid = (is) => is !== false && is !== null;
    for (const { run, check, is, time } of marks) {
      let found = reviewsAt(place).findLast(({ id }) => folded(id) === folded(run));
      if (found === undefined && !isSaid(is)) continue;
      if (found === undefined) {
        add(place, { id: run, text: '', time });
        found = reviewsAt(place).findLast(({ id }) => id === run);
      }
      if (!isObject(place[found.key])) put(place, found.key, { feedback: found.words });
      const review = place[found.key];
      const key = keyOf(review, name) ?? name;
      const rest = (Array.isArray(review[key]) ? review[key] : []).filter((other) => LISTS[name].check(other) !== check);
      put(review, key, isSaid(is) ? [...rest, LISTS[name].item(check, is)] : rest);
    }
    const indent = text.match(/^[[{]\s*\n([ \t]+)/)?.[1] ?? (text.includes('\n') ? 2 : 0);
    return JSON.stringify(root, null, indent) + (text.endsWith('\n') ? '\n' : '');
  };

  window.evalbook.feedbackFile = { listed, pairs, withChanges, withListed };
})();
