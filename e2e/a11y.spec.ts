import { AxeBuilder } from '@axe-core/playwright';
import { accounts } from '@lessonbook/contract/accounts';
import type { Page } from '@playwright/test';
import { logInAsDemo } from './demo.ts';
import { expect, test } from './fixtures.ts';
import { formOpenings, sessionOpenings } from './openings.ts';
import { logIn, open, type Theme, themeInForce, toast } from './page-parts.ts';
import {
  deskScreens,
  expectNothingThere,
  lessonScreens,
  publicScreens,
  screensOf,
} from './screens.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Between the themes only colours differ, so the second look is at them alone. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

test('a11y: every public screen', ({ page }) => expectAllAccessible(page, publicScreens));

test('a11y: every screen about lessons, empty', async ({ page, watch, tutor: _signedIn }) => {
  expectNothingThere(watch);
  await expectAllAccessible(page, lessonScreens);
});

test('a11y: every screen about lessons, full', async ({ page, context, origin }) => {
  const demo = await logInAsDemo(context, origin);
  await expectAllAccessible(page, demo.screens);
});

for (const [what, openings] of Object.entries({ forms: formOpenings, sheets: sessionOpenings })) {
  test(`a11y: ${what} of the teaching day`, async ({ page, context, origin, watch, isMobile }) => {
    test.slow();
    const demo = await logInAsDemo(context, origin);
    for (const [name, go] of Object.entries(openings)) {
      await test.step(name, async () => {
        await go(page, demo, watch);
        // A dialog has the same colours on a phone; bars and lists, which differ, are looked at above.
        await expectAccessible(page, name, isMobile ? ['light'] : ['light', 'dark']);
      });
    }
  });
}

test('a11y: every other screen of the tutor', ({ page, tutor: _signedIn }) =>
  expectAllAccessible(page, deskScreens));

test('a11y: what opens above a screen', async ({ page, tutor: _signedIn, isMobile }) => {
  await open(page, '/settings', 'Settings');
  await page.getByRole('button', { name: /^Theme Settings/ }).click();
  await expect(page.getByRole('dialog', { name: 'Theme' })).toBeVisible();
  await expectAccessible(page, 'theme sheet');

  await open(page, '/profile-edit', 'Edit Profile');
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await expectAccessible(page, 'time zones');

  await open(page, '/schedule', 'Schedule');
  await page.getByRole('button', { name: 'More views' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'menu of views');

  if (isMobile) return;
  await open(page, '/', 'Good to see you, Ada');
  await page.getByRole('button', { name: /account menu/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'account menu');
});

test('a11y: toasts, refusals and dead links', async ({ page, watch }) => {
  watch.expectRefusal(accounts.login.path, 401);
  watch.expectRefusal(accounts.confirmEmail.path, 410);
  watch.expectRefusal(accounts.resetPassword.path, 410);

  await open(page, '/signup', 'Open your book');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Please enter a valid email')).toBeVisible();
  await expectAccessible(page, 'refused form');

  await open(page, '/verify-email/unknown', 'Confirm your e-mail');
  await page.getByRole('button', { name: 'Confirm e-mail' }).click();
  await expect(page.getByRole('heading', { name: 'This link has run out' })).toBeVisible();
  await expectAccessible(page, 'dead confirmation');

  await open(page, '/reset-password/unknown', 'Choose a new password');
  await page.getByLabel('New password', { exact: true }).fill('long enough for anyone');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('heading', { name: 'This link has run out' })).toBeVisible();
  await expectAccessible(page, 'dead reset');

  await open(page, '/login', 'Welcome back');
  await logIn(page, 'nobody.at.all', 'not the password');
  // It goes after 5 s, but not while somebody reads it.
  await toast(page, 'Login failed').locator('> *').hover();
  await expectAccessible(page, 'toast of a failure');
  await logIn(page, 'demo', 'demo1234');
  await toast(page, 'Login successful').locator('> *').hover();
  await expectAccessible(page, 'toast of a success');
});

async function expectAllAccessible(page: Page, screens: Record<string, string>): Promise<void> {
  for (const [path, title] of screensOf(screens)) {
    await test.step(path, async () => {
      await open(page, path, title);
      await expectAccessible(page, path);
    });
  }
}

async function expectAccessible(
  page: Page,
  what: string,
  themes: Theme[] = ['light', 'dark'],
): Promise<void> {
  // What lies behind a dialog cannot be reached, and is looked at without it elsewhere.
  const isCovered = (await page.locator('[aria-modal="true"]').count()) > 0;
  const look = () => (isCovered ? axe(page).exclude('#root') : axe(page));
  await putOn(page, 'light');
  const light = await graveFaults(look().withTags(TAGS));
  expect.soft(light, `grave faults of ${what}`).toEqual([]);
  if (!themes.includes('dark')) return;
  await putOn(page, 'dark');
  const dark = await graveFaults(look().withRules(COLOUR_RULES));
  expect.soft(dark, `grave faults of ${what} in dark`).toEqual([]);
}

/** Without frames there is no need for a second page to collect the results in. */
const axe = (page: Page) => new AxeBuilder({ page }).setLegacyMode(true);

async function graveFaults(builder: AxeBuilder) {
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      where: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
    }));
}

/** All colours hang on one attribute of the root; changing it there saves loading every page twice. */
async function putOn(page: Page, theme: Theme): Promise<void> {
  await page.locator('html').evaluate((root, chosen) => {
    root.setAttribute('data-mantine-color-scheme', chosen);
  }, theme);
  await expect.poll(() => themeInForce(page)).toBe(theme);
}
