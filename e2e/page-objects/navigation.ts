import { expect, type Locator, type Page } from '@playwright/test';

/** The toast with this text. */
export const toastWithText = (page: Page, text: string): Locator =>
  page.locator('[data-toast]').filter({ hasText: text });

/** Text that is hidden on phones is separated by a space, so there may be a space before a comma. */
export const pageHeading = (page: Page, name: string): Locator =>
  page.getByRole('heading', {
    level: 1,
    name: new RegExp(`^${name.replace(/[^\w\s,]/g, '\\$&').replaceAll(',', ' ?,')}$`),
  });

export async function open(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(pageHeading(page, title)).toBeVisible();
  await expectLoaded(page);
}

/**
 * Like `open`, but starts on another page of the signed-in app and does not reload the app. The pages must have
 * different titles.
 */
export async function navigate(page: Page, path: string, title: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
  await expect(pageHeading(page, title)).toBeVisible();
  await expectLoaded(page);
}

/** Waits until there is no loading indicator. */
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
 * Removes the login cookie. Leaves the app first, because its event stream would get a 401.
 */
export async function clearLogin(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

export type Theme = 'light' | 'dark';

/** Stores the theme before the page loads, as for a returning visitor. */
export async function storeTheme(page: Page, theme: Theme): Promise<void> {
  await page.addInitScript((chosen) => {
    // An email preview is a frame without an origin, which has no localStorage.
    if (window.origin !== 'null') localStorage.setItem('lessonbook-theme', chosen);
  }, theme);
}

/** The applied theme, derived from the background colour. */
export const readAppliedTheme = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const background = getComputedStyle(document.body).backgroundColor;
    if (background === 'rgb(245, 247, 242)') return 'light';
    return background === 'rgb(17, 26, 22)' ? 'dark' : background;
  });
