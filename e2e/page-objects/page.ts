import { expect, type Locator, type Page } from '@playwright/test';

/** The one toast, if it says this. */
export const toast = (page: Page, words: string): Locator =>
  page.getByRole('status').filter({ hasText: words });

export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true });

export async function open(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(heading(page, title)).toBeVisible();
  await expectLoaded(page);
}

/** Nothing is on its way any more. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
}

export const pathOf = (page: Page): string => {
  const { pathname, search, hash } = new URL(page.url());
  return pathname + search + hash;
};

export async function expectPath(page: Page, path: string): Promise<void> {
  await expect.poll(() => pathOf(page)).toBe(path);
}

export async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/**
 * Whoever is signed in is a stranger from here on. The book is closed first, or it would go on
 * asking for news, and be refused.
 */
export async function clearLogin(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

export type Theme = 'light' | 'dark';

/** The theme as a returning visitor has it: chosen earlier, applied before the first paint. */
export async function storeTheme(page: Page, theme: Theme): Promise<void> {
  await page.addInitScript((chosen) => {
    // The letter in a preview is a page without an origin, which may keep nothing.
    if (window.origin !== 'null') localStorage.setItem('lessonbook-theme', chosen);
  }, theme);
}

/** What the eye gets: the paper's colour. */
export const appliedTheme = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const paper = getComputedStyle(document.body).backgroundColor;
    if (paper === 'rgb(245, 247, 242)') return 'light';
    return paper === 'rgb(17, 26, 22)' ? 'dark' : paper;
  });
