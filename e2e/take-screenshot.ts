import { copyFileSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import type { Theme } from './page-objects/navigation.ts';

/** For example 'schedule' (for any date), 'schedule-week', 'sessions-details' or 'lessons-complete'; 'home' for '/'. */
export function screenshotName(path: string): string {
  const parts = path
    .replace(/\/\d+$/, '/details')
    .replace('mobile-settings', 'settings')
    .match(/[a-z][a-z-]+/g)
    ?.filter((part) => !/^(date|view|board)$/.test(part));
  return parts?.join('-') ?? 'home';
}

/** For example 'account', 'invoice', 'invoice-draft', 'invoice-link', 'everyone-drafts', 'pay' or 'reports-owed'. */
export function moneyScreenshotName(path: string, title: string): string {
  if (title === 'Draft invoice') return 'invoice-draft';
  if (title.startsWith('Payment to')) return path.startsWith('/pay/') ? 'pay' : 'invoice-link';
  if (/^\/invoices\/\d/.test(path)) return 'invoice';
  if (/^\/families\/\d/.test(path)) return 'account';
  return screenshotName(path).replace('-show-', '-').replace('invoices-everyone', 'everyone');
}

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** All screenshots from `npm run shots`; the contact sheets are made from these. */
export const SCREENSHOTS_DIR = fromRoot('.cache/shots/');
const GUIDE_DIR = fromRoot('docs/guide/pictures/');

/** Names of the pictures that the README and the guide show. */
const guidePictures = new Set(
  [fromRoot('README.md'), ...globSync(fromRoot('docs/guide/*.md'))].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/pictures\/([\w-]+)\.png/g)].map(([, name]) => name),
  ),
);

interface ScreenshotOptions {
  screen: string;
  theme: Theme;
  window: 'phone' | 'tablet' | 'desktop';
  fullPage?: boolean;
  /** Takes a picture of this element only. */
  element?: Locator;
  /** False for loading screens, where the network never becomes idle. */
  waitForIdle?: boolean;
}

/** Pictures show addresses as a tutor would see them, instead of those of the test server and its accounts. */
const replaceAddresses = (page: Page) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const shown = (text.nodeValue ?? '')
        .replaceAll(location.origin, 'https://lessonbook.example')
        .replaceAll(/tutor\.[0-9a-f]{12}@families\.example/g, 'ada@fenwick.example');
      if (shown !== text.nodeValue) text.nodeValue = shown;
    }
  });

export async function takeScreenshot(page: Page, options: ScreenshotOptions): Promise<void> {
  const { screen, theme, window, fullPage = false, element, waitForIdle = true } = options;
  const file = `${screen}-${window}-${theme}.png`;
  mkdirSync(SCREENSHOTS_DIR, { recursive: true });
  // Lazy components are blank until they are loaded.
  if (waitForIdle) await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  await replaceAddresses(page);
  const target = { path: SCREENSHOTS_DIR + file, animations: 'disabled' } as const;
  if (element) await element.screenshot(target);
  else await page.screenshot({ ...target, fullPage });
  if (!guidePictures.has(file.slice(0, -'.png'.length))) return;
  mkdirSync(GUIDE_DIR, { recursive: true });
  copyFileSync(SCREENSHOTS_DIR + file, GUIDE_DIR + file);
}
