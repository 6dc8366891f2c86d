// Sets the theme chosen earlier before anything is painted, and hides names where pairs are judged
// blind. It is the one script that is not deferred; without storage the page follows the system.
'use strict';

(() => {
  // What a reader should judge before seeing it shows only to those who cannot judge here.
  document.documentElement.dataset.scripted = '';
  try {
    const theme = localStorage.getItem('evalbook theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    if (localStorage.getItem('evalbook blind') === 'on') document.documentElement.dataset.blind = '';
  } catch {
    // Storage is refused on some hosts.
  }
})();
