import { accounts } from '@lessonbook/contract/accounts';
import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { formScenarios, sessionScenarios } from './dialog-scenarios/lessons.ts';
import { messageScenarios, messageScreens, seedMessages } from './dialog-scenarios/messages.ts';
import { moneyScenarios } from './dialog-scenarios/money.ts';
import { logInAndLoadDemo } from './find-demo-account-data.ts';
import { expect, test } from './fixtures.ts';
import {
  expectLoaded,
  logIn,
  navigate,
  open,
  readAppliedTheme,
  type Theme,
  toastWithText,
} from './page-objects/navigation.ts';
import { expectNothingClipped, expectReflow } from './reflow.ts';
import {
  allowNotFound,
  lessonScreens,
  moneyScreens,
  otherScreens,
  publicScreens,
  screenEntries,
} from './screens.ts';

const PHONE = { width: 390, height: 844 };

/** Dialogs use the same colours as screens, which are checked in dark mode. ALL=1 also checks dialogs in dark mode. */
const DIALOG_COVERAGE = process.env['ALL'] === '1' ? 'similar-layouts' : 'phone-light-only';

/** Screens with a different layout on a phone and in a wide window; on other screens only the columns differ. */
const TWO_LAYOUTS = /^\/($|\?|login|signup|schedule|sessions|no-such-page)/;

/** Pages that a tutor shares by link, which are not part of the signed-in app. */
const SHARED_PAGE = /^\/(pay|invoices)\/[bi]_/;

test('a11y: every public screen is accessible', async ({ page, consoleGuard }) => {
  allowNotFound(consoleGuard);
  await expectAllAccessible(page, publicScreens);
});

// Dark mode is checked on screens with data; a screen without data uses no additional colours.
for (const [group, screens] of Object.entries({
  'about lessons without data': lessonScreens,
  'about money without data': moneyScreens,
})) {
  test(`a11y: every screen ${group} is accessible`, async ({
    page,
    consoleGuard,
    tutor: _signedIn,
  }) => {
    allowNotFound(consoleGuard);
    await expectAllAccessible(page, screens, 'phone-light-only');
  });
}

test('a11y: every other screen is accessible', async ({ page, consoleGuard, tutor: _signedIn }) => {
  allowNotFound(consoleGuard);
  await expectAllAccessible(page, otherScreens);
});

for (const [topic, screensKey] of [
  ['lessons', 'lessonScreens'],
  ['money', 'moneyScreens'],
] as const) {
  test(`a11y: every screen about ${topic} with data is accessible`, async ({
    page,
    context,
    origin,
  }) => {
    const demo = await logInAndLoadDemo(context, origin);
    await expectAllAccessible(page, demo[screensKey]);
  });
}

for (const [group, scenarios] of Object.entries({
  'lesson forms': formScenarios,
  'session dialogs': sessionScenarios,
  'money forms and dialogs': moneyScenarios,
})) {
  test(`a11y: ${group} are accessible`, async ({ page, context, origin, consoleGuard }) => {
    test.slow();
    const demo = await logInAndLoadDemo(context, origin);
    for (const [name, openScenario] of Object.entries(scenarios)) {
      await test.step(name, async () => {
        await openScenario(page, demo, consoleGuard);
        await expectAccessible(page, name, DIALOG_COVERAGE);
      });
    }
  });
}

test('a11y: messages and the dialogs for writing them are accessible', async ({ page, api }) => {
  test.slow();
  const fixture = await seedMessages(api);
  await expectAllAccessible(page, messageScreens);
  for (const [name, openScenario] of Object.entries(messageScenarios)) {
    await test.step(name, async () => {
      await openScenario(page, fixture);
      await expectAccessible(page, name, DIALOG_COVERAGE);
    });
  }
});

test('a11y: menus, lists and other dialogs are accessible', async ({ page, tutor: _signedIn }) => {
  await open(page, '/settings', 'Settings');
  await page.getByRole('button', { name: /^Theme Settings/ }).click();
  await expect(page.getByRole('dialog', { name: 'Theme' })).toBeVisible();
  await expectAccessible(page, 'theme dialog');

  await open(page, '/settings', 'Settings');
  await page.getByRole('button', { name: 'Show address' }).click();
  await expect(page.getByRole('img', { name: 'QR code of the address' })).toBeVisible();
  await expectAccessible(page, 'calendar address');

  await open(page, '/profile-edit', 'Edit Profile');
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await expectAccessible(page, 'time zones');

  await open(page, '/schedule', 'Schedule');
  await page.getByRole('button', { name: 'More views' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'views menu');

  await open(page, '/', 'Good to see you, Ada');
  await page.getByRole('button', { name: /account menu/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'account menu', 'wide-only');

  await open(page, '/', 'Good to see you, Ada');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: 'Home', exact: true })).toBeVisible();
  await expectAccessible(page, 'palette');
  await page.keyboard.type('tue 4pm weekly');
  await expect(page.getByRole('option', { name: /every week/ })).toBeVisible();
  await expectAccessible(page, 'palette with a typed lesson');
  await page.getByRole('combobox', { name: 'Search' }).fill('tomorrow');
  await expect(page.getByRole('option', { name: /^All lessons on/ })).toBeVisible();
  await expectAccessible(page, 'palette with results');
});

test('a11y: toasts, validation errors and expired links are accessible', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowErrorResponse(accounts.login.path, 401);
  consoleGuard.allowErrorResponse(accounts.confirmEmail.path, 410);
  consoleGuard.allowErrorResponse(accounts.resetPassword.path, 410);

  await open(page, '/signup', 'Create your account');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Please enter a valid email')).toBeVisible();
  await expectAccessible(page, 'form with errors');

  await open(page, '/verify-email/unknown', 'Confirm your email');
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await expectAccessible(page, 'expired confirmation');

  await open(page, '/reset-password/unknown', 'Choose a new password');
  await page.getByLabel('New password', { exact: true }).fill('long enough for anyone');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await expectAccessible(page, 'expired reset');

  await open(page, '/login', 'Welcome back');
  await logIn(page, 'nobody.at.all', 'not the password');
  // The toast disappears after 5 s, but not while the pointer is over it.
  await toastWithText(page, 'Login failed').hover();
  await expectAccessible(page, 'error toast');
  await logIn(page, 'demo', 'demo1234');
  await toastWithText(page, 'Login successful').hover();
  await expectAccessible(page, 'success toast');
});

async function expectAllAccessible(
  page: Page,
  screens: Record<string, string>,
  coverage?: Coverage,
): Promise<void> {
  let previousTitle: string | null = null;
  for (const [path, title] of screenEntries(screens)) {
    // Alternative paths to screens that are already in the list
    if (path === '/dashboard' || path === '/mobile-settings') continue;
    await test.step(path, async () => {
      const isInApp = screens !== publicScreens && !SHARED_PAGE.test(path);
      const canNavigate = isInApp && previousTitle !== null && previousTitle !== title;
      await (canNavigate ? navigate : open)(page, path, title);
      previousTitle = title;
      await expectAccessible(page, path, coverage);
    });
  }
}

type Coverage =
  /** The dark colours are checked in a wide window, and all rules in light mode on a phone. */
  | 'similar-layouts'
  /** Both themes are checked in a wide window and on a phone. */
  | 'different-layouts'
  /** Both themes are checked, but only in a wide window. */
  | 'wide-only'
  /** Only light mode on a phone is checked. */
  | 'phone-light-only';

/**
 * Opening a screen takes longer than checking it, so each is opened once, in a wide window that is then narrowed.
 */
async function expectAccessible(
  page: Page,
  view: string,
  coverage: Coverage = TWO_LAYOUTS.test(view) ? 'different-layouts' : 'similar-layouts',
): Promise<void> {
  if (coverage === 'different-layouts' || coverage === 'wide-only')
    await expectNoViolations(page, view, 'light');
  if (coverage !== 'phone-light-only') await expectNoViolations(page, view, 'dark');
  if (coverage === 'wide-only') return;
  await withViewport(page, PHONE, async () => {
    if (coverage === 'different-layouts')
      await expectNoViolations(page, `${view} on a phone`, 'dark');
    await expectNoViolations(page, `${view} on a phone`, 'light');
    await expectNothingClipped(page, view);
    await expectReflow(page, view);
  });
}

async function withViewport(
  page: Page,
  size: typeof PHONE,
  check: () => Promise<void>,
): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize(size);
  await expectLoaded(page);
  await check();
  if (before) await page.setViewportSize(before);
}

/** The themes differ only in their colours, so only the colour rules are checked in dark mode. */
async function expectNoViolations(page: Page, view: string, theme: Theme): Promise<void> {
  // The screen behind a modal dialog cannot be used, and other tests check it.
  const isCovered = (await page.locator('[aria-modal="true"]').count()) > 0;
  let violations: Awaited<ReturnType<typeof findViolations>>;
  do {
    await applyTheme(page, theme);
    violations = await findViolations(page, {
      rules: theme === 'light' ? 'all' : 'colours',
      exclude: isCovered ? '#root' : null,
    });
    // A screen that is still loading may apply the tutor's theme during the check.
  } while ((await readAppliedTheme(page)) !== theme);
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      where: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
    }));
  expect.soft(serious, `serious violations in ${view}, ${theme} theme`).toEqual([]);
}

/** All colours depend on one attribute of the root element, so setting it avoids loading every page twice. */
async function applyTheme(page: Page, theme: Theme): Promise<void> {
  // Repeated until the theme stays set, because a screen that is still loading applies the tutor's theme.
  const setTheme = () =>
    page.locator('html').evaluate((root, value) => {
      root.setAttribute('data-mantine-color-scheme', value);
    }, theme);
  await expect.poll(() => setTheme().then(() => readAppliedTheme(page))).toBe(theme);
  // Even with reduced motion, colours change a frame later, and each level of nested elements adds another frame.
  const countTransitions = () =>
    document.getAnimations().filter((animation) => animation instanceof CSSTransition).length;
  await expect.poll(() => page.evaluate(countTransitions)).toBe(0);
}
