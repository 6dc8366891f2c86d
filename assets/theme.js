// Sets the theme chosen earlier before anything is painted. It is the one script that is not
// deferred; without storage the page follows the system.
'use strict';

(() => {
  try {
    const theme = localStorage.getItem('evalbook theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is refused on some hosts.
  }
})();
