// Pages shown by `evalbook serve`: comments go to the workspace's `feedback.json`, and a page is
// loaded again when a later report changes it. "Saved" is said only of what the server said so. What
// was kept while no server answered is sent from whichever page is opened next.
'use strict';

(() => {
  const evalbook = window.evalbook;
  const { make, word } = evalbook;
  const version = document.documentElement.dataset.served;
  const root = `/${location.pathname.split('/')[1]}/`;
  const page = decodeURIComponent(location.pathname.slice(root.length)) || 'index.html';

  /** The folders of the workspaces' pages, by what tells them from all others on this machine. */
  const homes = new Map(document.documentElement.dataset.homes.split(' ').map((home) => home.split(':')));
  const here = Array.from(homes).find(([, folder]) => page.startsWith(folder)) ?? [undefined, ''];

  /** Hands something in; the answer, or `null` where nobody answers. */
  const hand = async (body, keepalive = false) => {
    try {
      const answer = await fetch(`${root}feedback`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), keepalive,
      });
      const { status } = answer;
      if (answer.headers.get('Content-Type') === 'application/json') return { ...await answer.json(), status };
      return { error: { 404: 'ended', 413: 'too_long' }[status] ?? 'unknown', status };
    } catch {
      return null;
    }
  };

  /** What the server names as reasons, each with words of its own. */
  const REASONS = ['ended', 'foreign', 'gone', 'no_state', 'refused', 'shape', 'too_long', 'unreadable'];

  /** What became of words that were not saved. */
  const reason = (answer, isKept) => {
    if (answer?.error === 'other') return word(answer.text === '' ? 'other_gone' : 'other', answer);
    if (!isKept) return word('not_kept_alone');
    if (REASONS.includes(answer?.error)) return word(answer.error, answer);
    return answer === null ? word('alone', { port: location.port }) : word('not_taken', answer);
  };

  let isOpen = false;

  /** Saves the words on the run at `place`, one request after the other, the newest words last.
      `before` is what the page shows of the file; `tell` learns what became of them. */
  evalbook.saver = (before, place, tell) => {
    let known = before;
    let sent = null;
    let wanted = null;
    let timer = 0;
    let isBusy = false;
    const send = async (keepalive = false) => {
      clearTimeout(timer);
      if (isBusy || wanted === null) return;
      isBusy = true;
      const text = wanted;
      wanted = null;
      const answer = await hand({ place: here[1] + place, text, before: known }, keepalive);
      // An answer that was lost on its way: the file holds what was sent before.
      const isOwn = answer?.error === 'other' && answer.text === sent && sent !== text;
      sent = text;
      isBusy = false;
      if (answer?.saved) known = text;
      if (answer?.error === 'other') known = answer.text;
      if (isOwn && wanted === null) wanted = text;
      isOpen = wanted !== null;
      if (wanted !== null) await send();
      else tell(answer?.saved === true, (isKept) => answer?.saved ? word('saved', answer) : reason(answer, isKept), known);
    };
    window.addEventListener('pagehide', () => send(true));
    return {
      save(text) {
        wanted = text;
        isOpen = true;
        clearTimeout(timer);
        timer = setTimeout(send, 400);
      },
      forget() {
        wanted = null;
        isOpen = isBusy;
        clearTimeout(timer);
      },
      saving: () => word('saving'),
      send,
    };
  };

  let held = 0;
  let isLate = false;

  /** Does `work`, and loads no page again before it is done. */
  const hold = async (work) => {
    held += 1;
    try {
      return await work();
    } finally {
      held -= 1;
      if (held === 0 && isLate) changed();
    }
  };

  evalbook.saved = {
    /** What tells the page's workspace from others, and the page from others of the workspace. */
    home: here[0],
    page: page.slice(here[1].length),
    hold,
    serves: (home) => homes.has(home),
    address: (place) => root + here[1] + place,
    where: () => word('kept_where'),
    /** Hands in words that were written on the page at `place` of a workspace. */
    send: (home, { place, text, before }) => hand({ place: homes.get(home) + place, text, before: before ?? '' }),
    /** Hands in a judgement of the pair with the run on the page at `place`. */
    sendJudgement: (place, judgement) => hand({ place: here[1] + place, judgement }),
    /** Hands in whether the grader is wrong on a check of the run on the page at `place`. */
    sendDispute: (place, check, disputed) => hand({ place: here[1] + place, check, disputed }),
    /** Hands in whether an output passes a check: `passed`, `failed`, `unknown`, or `null` to take that back. */
    sendAnswer: (place, check, judged) => hand({ place: here[1] + place, check, judged: judged ?? 'taken_back' }),
    notSaved: (count) => word('unsaved', { count }),
    /** Why they are not saved. */
    why: (answer) => answer?.error === 'other' ? word('unsaved_other', answer) : reason(answer, true),
    /** The button that ends the review of an iteration; `left` saves what it can, and counts the rest. */
    complete(anchor, left, tell) {
      const end = async () => {
        const count = await left();
        if (count > 0) return word('not_completed', { reason: word('unsaved_first', { count }) });
        const answer = await hand({ place: `${page}#${anchor}`, state: 'complete' });
        if (answer?.saved) return word('completed', answer);
        return answer === null ? word('not_completed', { reason: word('no_answer') }) : reason(answer, true);
      };
      const click = () => hold(async () => tell(await end()));
      return make('button', { type: 'button', click }, word('complete'));
    },
  };

  const line = make('p', { role: 'status', class: 'reason served' });
  const isField = (element) => element?.matches('[data-review] textarea') === true;
  const isWriting = () => isOpen || isField(document.activeElement);
  const reload = () => location.reload();

  const changed = () => {
    isLate = held > 0;
    if (isLate) return;
    if (!isWriting()) {
      reload();
      return;
    }
    line.replaceChildren(word('newer'), ' ', make('button', { type: 'button', click: reload }, word('show')));
    document.addEventListener('focusout', () => setTimeout(() => { if (!isWriting()) reload(); }, 600), { once: true });
  };

  const failed = (text) => line.replaceChildren(word('failed'), make('pre', {}, text));

  /** A browser gives up on news that were refused once: all seats may be taken for a moment. */
  const LONGEST = 60000;
  let pause = 1000;
  let retry = 0;
  const lost = () => {
    if (source?.readyState !== EventSource.CLOSED) return;
    line.replaceChildren(word('lost'));
    retry = setTimeout(follow, pause);
    pause = Math.min(2 * pause, LONGEST);
  };

  /** Only a page that is looked at asks for news: a browser has few connections to one host. */
  let source = null;
  const follow = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
    if (document.visibilityState === 'hidden') return;
    source = new EventSource(`${root}events?page=${encodeURIComponent(page)}&version=${version}`);
    source.addEventListener('changed', changed);
    source.addEventListener('failed', (event) => failed(JSON.parse(event.data)));
    source.addEventListener('fine', () => line.replaceChildren());
    source.addEventListener('open', () => { pause = 1000; });
    source.addEventListener('error', lost);
  };

  document.querySelector('#main')?.prepend(line);
  document.addEventListener('visibilitychange', follow);
  window.addEventListener('pagehide', () => source?.close());
  follow();
})();
