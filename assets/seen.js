// Which pairs and runs were seen: shown for three seconds, judged or commented. Opening a page alone
// says nothing, as readers leaf through many.
'use strict';

(() => {
  const { comments, pairs } = window.evalbook;
  const { keyOf, read, write } = comments;
  const LONG_ENOUGH = 3000;

  const holders = Array.from(document.querySelectorAll('[data-review]'));

  const markSeen = () => {
    if (pairs.here !== null && pairs.read(pairs.here.place).seen !== true) pairs.change(pairs.here.place, { seen: true });
    for (const holder of holders) {
      const key = keyOf(holder, holder.dataset.review);
      if (read(key) === null) write(key, null);
    }
    window.dispatchEvent(new Event('storage'));
  };

  let timer = 0;
  const watch = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') timer = setTimeout(markSeen, LONG_ENOUGH);
  };

  window.evalbook.markSeen = markSeen;
  if (holders.length === 0) return;
  document.addEventListener('visibilitychange', watch);
  watch();
})();
