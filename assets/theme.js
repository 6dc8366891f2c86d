// Sets the theme chosen earlier before anything is painted, and hides names where pairs are judged
// blind. It is the one script that is not deferred; without storage the page follows the system.
'use strict';

(() => {
  try {
    const theme = localStorage.getItem('evalbook theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    if (localStorage.getItem('evalbook blind') === 'on') document.documentElement.dataset.blind = '';
  } catch {
    // Storage is refused on some hosts.
  }
})();
