import { AxeBuilder } from '@axe-core/playwright';
import { accounts } from '@lessonbook/contract/accounts';
import type { Page } from '@playwright/test';
import { logInAsDemo } from './demo.ts';
import { formScenarios, sessionScenarios } from './dialog-scenarios/lessons.ts';
import { messageScenarios, messageScreens, seedMessages } from './dialog-scenarios/messages.ts';
import { moneyScenarios } from './dialog-scenarios/money.ts';
import { expect, test } from './fixtures.ts';
import { appliedTheme, expectLoaded, logIn, open, type Theme, toast } from './page-objects/page.ts';
import { expectReflow } from './reflow.ts';
import {
  allowNotFound,
  lessonScreens,
  moneyScreens,
  otherScreens,
  publicScreens,
  screenEntries,
} from './screens.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const PHONE = { width: 390, height: 844 };

/** What opens above a screen has the colours of screens, which are looked at in dark; ALL=1 looks at its own too. */
const OPENED = process.env['ALL'] === '1' ? 'alike' : 'light';

/** Screens with parts of their own on a phone or in a wide window; the others only have other columns. */
const TWO_LAYOUTS = /^\/($|\?|login|signup|schedule|sessions|no-such-page)/;

test('a11y: every public screen', async ({ page, consoleGuard }) => {
  allowNotFound(consoleGuard);
  await expectAllAccessible(page, publicScreens);
});

// Dark is looked at where they are full: an empty screen has no colour of its own.
for (const [what, screens] of Object.entries({
  'about lessons, empty': lessonScreens,
  'about money, empty': moneyScreens,
})) {
  test(`a11y: every screen ${what}`, async ({ page, consoleGuard, tutor: _signedIn }) => {
    allowNotFound(consoleGuard);
    await expectAllAccessible(page, screens, 'light');
  });
}

test('a11y: every screen that is neither', async ({ page, consoleGuard, tutor: _signedIn }) => {
  allowNotFound(consoleGuard);
  await expectAllAccessible(page, otherScreens);
});

for (const [what, part] of [
  ['lessons', 'screens'],
  ['money', 'moneyScreens'],
] as const) {
  test(`a11y: every screen about ${what}, full`, async ({ page, context, origin }) => {
    const demo = await logInAsDemo(context, origin);
    await expectAllAccessible(page, demo[part]);
  });
}

for (const [what, openings] of Object.entries({
  'forms of the teaching day': formScenarios,
  'sheets of the teaching day': sessionScenarios,
  'forms and sheets about money': moneyScenarios,
})) {
  test(`a11y: ${what}`, async ({ page, context, origin, consoleGuard }) => {
    test.slow();
    const demo = await logInAsDemo(context, origin);
    for (const [name, go] of Object.entries(openings)) {
      await test.step(name, async () => {
        await go(page, demo, consoleGuard);
        await expectAccessible(page, name, OPENED);
      });
    }
  });
}

test('a11y: messages, full, and where they are written', async ({ page, api }) => {
  test.slow();
  const fixture = await seedMessages(api);
  await expectAllAccessible(page, messageScreens);
  for (const [name, go] of Object.entries(messageScenarios)) {
    await test.step(name, async () => {
      await go(page, fixture);
      await expectAccessible(page, name, OPENED);
    });
  }
});

test('a11y: what opens above a screen', async ({ page, tutor: _signedIn }) => {
  await open(page, '/settings', 'Settings');
  await page.getByRole('button', { name: /^Theme Settings/ }).click();
  await expect(page.getByRole('dialog', { name: 'Theme' })).toBeVisible();
  await expectAccessible(page, 'theme sheet');

  await open(page, '/settings', 'Settings');
  await page.getByRole('button', { name: 'Show address' }).click();
  await expect(page.getByRole('img', { name: 'QR code of the address' })).toBeVisible();
  await expectAccessible(page, 'address of the calendar');

  await open(page, '/profile-edit', 'Edit Profile');
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await expectAccessible(page, 'time zones');

  await open(page, '/schedule', 'Schedule');
  await page.getByRole('button', { name: 'More views' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'menu of views');

  await open(page, '/', 'Good to see you, Ada');
  await page.getByRole('button', { name: /account menu/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'account menu', 'wide');

  await open(page, '/', 'Good to see you, Ada');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: 'Home', exact: true })).toBeVisible();
  await expectAccessible(page, 'palette');
  await page.keyboard.type('tue 4pm weekly');
  await expect(page.getByRole('option', { name: /every week/ })).toBeVisible();
  await expectAccessible(page, 'palette with a lesson in words');
});

test('a11y: toasts, refusals and dead links', async ({ page, consoleGuard }) => {
  consoleGuard.allowErrorResponse(accounts.login.path, 401);
  consoleGuard.allowErrorResponse(accounts.confirmEmail.path, 410);
  consoleGuard.allowErrorResponse(accounts.resetPassword.path, 410);

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

async function expectAllAccessible(
  page: Page,
  screens: Record<string, string>,
  layouts?: Layouts,
): Promise<void> {
  for (const [path, title] of screenEntries(screens)) {
    // The same screens under a second address
    if (path === '/dashboard' || path === '/mobile-settings') continue;
    await test.step(path, async () => {
      await open(page, path, title);
      await expectAccessible(page, path, layouts);
    });
  }
}

/** `light`: on a phone in light alone. */
type Layouts = 'alike' | 'different' | 'wide' | 'light';

/**
 * To open a screen takes longer than to look at it, so each is opened once, in a wide window that then becomes a narrow one.
 * Where the two only have other columns, colours of dark are looked at in the first and every rule in light in the second:
 * that is every rule and every colour once. Where the layouts differ, all of it in both.
 */
async function expectAccessible(
  page: Page,
  what: string,
  layouts: Layouts = TWO_LAYOUTS.test(what) ? 'different' : 'alike',
): Promise<void> {
  if (layouts === 'different' || layouts === 'wide') await expectNoViolations(page, what, 'light');
  if (layouts !== 'light') await expectNoViolations(page, what, 'dark');
  if (layouts === 'wide') return;
  await withViewport(page, PHONE, async () => {
    if (layouts === 'different') await expectNoViolations(page, `${what} on a phone`, 'dark');
    await expectNoViolations(page, `${what} on a phone`, 'light');
    await expectReflow(page, what);
  });
}

async function withViewport(
  page: Page,
  size: typeof PHONE,
  look: () => Promise<void>,
): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize(size);
  await expectLoaded(page);
  await look();
  if (before) await page.setViewportSize(before);
}

/** Between the themes only colours differ, so in dark the look is at them alone. */
async function expectNoViolations(page: Page, what: string, theme: Theme): Promise<void> {
  await applyTheme(page, theme);
  // What lies behind a dialog cannot be reached, and is looked at without it elsewhere.
  const isCovered = (await page.locator('[aria-modal="true"]').count()) > 0;
  const look = isCovered ? axe(page).exclude('#root') : axe(page);
  const faults = await seriousViolations(
    theme === 'light' ? look.withTags(TAGS) : look.withRules(COLOUR_RULES),
  );
  expect.soft(faults, `grave faults of ${what} in ${theme}`).toEqual([]);
}

/** Without frames there is no need for a second page to collect the results in. */
const axe = (page: Page) =>
  new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });

async function seriousViolations(builder: AxeBuilder) {
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      where: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
    }));
}

/** All colours hang on one attribute of the root; changing it there saves loading every page twice. */
async function applyTheme(page: Page, theme: Theme): Promise<void> {
  // Said again until it holds: a screen that is still arriving puts on the tutor's own.
  const say = () =>
    page.locator('html').evaluate((root, chosen) => {
      root.setAttribute('data-mantine-color-scheme', chosen);
    }, theme);
  await expect.poll(() => say().then(() => appliedTheme(page))).toBe(theme);
}
