import { existsSync } from 'node:fs';

/** Uses the installed browser instead of downloading one. Its background network requests are switched off. */
export const chromiumOptions = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * The same engine without the browser's own user interface, if installed: opening a page takes a third of the processor time.
 * Measurements use the full browser.
 */
export const testBrowserOptions = existsSync(HEADLESS_SHELL)
  ? { ...chromiumOptions, executablePath: HEADLESS_SHELL }
  : chromiumOptions;
