// Sets the theme before the first paint, and follows the system unless the tutor chose light or dark.
// Plain old script on purpose: it blocks, so it has to be small and run everywhere.
(() => {
  const root = document.documentElement;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const barColours = { light: '#F5F7F2', dark: '#111A16' };

  // Storage may be closed to us in private mode.
  const choice = () => {
    try {
      return localStorage.getItem('lessonbook-theme') || 'system';
    } catch {
      return 'system';
    }
  };

  const apply = () => {
    const wanted = choice();
    const dark = wanted === 'dark' || (wanted === 'system' && prefersDark.matches);
    root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  };

  const paintBrowserBar = () => {
    const scheme = root.getAttribute('data-mantine-color-scheme');
    const meta = document.querySelector('meta[name="theme-color"]');
    if (meta) meta.setAttribute('content', barColours[scheme] || barColours.light);
  };

  apply();
  paintBrowserBar();
  prefersDark.addEventListener('change', apply);
  new MutationObserver(paintBrowserBar).observe(root, {
    attributeFilter: ['data-mantine-color-scheme'],
  });
})();
