import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { clearLogin, expectPath, open, pageHeading } from '../page-objects/navigation.ts';

const MAIN_ITEMS = {
  phone: ['Home', 'Schedule', 'Reports'],
  sidebar: ['Home', 'Schedule', 'Students', 'Families', 'Invoices', 'Messages', 'Reports'],
};

const mainNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/* Phones have a top and a bottom bar; windows at least 62em wide have a sidebar. The same tests apply to both. */
const LAYOUTS = [
  { name: 'phone', viewport: { width: 390, height: 844 }, accountNavigation: phoneHeader },
  {
    name: 'just below 62em',
    viewport: { width: 991, height: 800 },
    accountNavigation: phoneHeader,
  },
  { name: 'at 62em', viewport: { width: 992, height: 800 }, accountNavigation: sidebarFooter },
  { name: 'desktop', viewport: { width: 1280, height: 800 }, accountNavigation: sidebarFooter },
] as const;

function phoneHeader(page: Page): Locator {
  return page.getByRole('banner');
}

function sidebarFooter(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Account' });
}

for (const { name, viewport, accountNavigation } of LAYOUTS) {
  test.describe(name, () => {
    test.use({ viewport });

    test('shell: shows the navigation items in order, with their links and active state [SHELL-02..08, ROUTE-24]', async ({
      page,
      tutor: _signedIn,
    }) => {
      await open(page, '/', 'Good to see you, Ada');
      await expect(mainNavigation(page).getByRole('link')).toHaveText(
        viewport.width < 992 ? MAIN_ITEMS.phone : MAIN_ITEMS.sidebar,
      );
      await expectNavigationPosition(page);

      await expectNavigates(page, mainNavigation(page), 'Schedule', '/schedule', 'Schedule');
      await expectNavigates(
        page,
        mainNavigation(page),
        'Reports',
        '/reports',
        'Tutor Earnings Report',
      );
      await expectNavigates(page, mainNavigation(page), 'Home', '/', 'Good to see you, Ada');
      await expectNavigates(
        page,
        accountNavigation(page),
        'Notifications',
        '/notifications',
        'Notifications',
      );
      await expectNavigates(page, accountNavigation(page), 'Settings', '/settings', 'Settings');

      // A nested screen activates its parent item.
      await open(page, '/sessions', 'Sessions');
      await expectActiveItem(mainNavigation(page), 'Schedule');
      await open(page, '/dashboard', 'Good to see you, Ada');
      await expectActiveItem(mainNavigation(page), 'Home');
    });
  });
}

test('shell: on the desktop, every main list is one click away; on the phone, More leads there', async ({
  page,
  tutor: _signedIn,
}) => {
  const pages = [
    ['Students', '/students'],
    ['Families', '/families'],
    ['Invoices', '/invoices'],
    ['Messages', '/messages'],
  ] as const;
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, '/', 'Good to see you, Ada');
  for (const [name, path] of pages)
    await expectNavigates(page, mainNavigation(page), name, path, name);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const [name, path] of pages) {
    await open(page, '/', 'Good to see you, Ada');
    await mainNavigation(page).getByRole('button', { name: 'More' }).click();
    const more = page.getByRole('dialog', { name: 'More' });
    await more.getByRole('link', { name }).click();
    await expectPath(page, path);
    await expect(more).toBeHidden();
    await expect(mainNavigation(page).getByRole('button', { name: 'More' })).toHaveAttribute(
      'aria-current',
      'true',
    );
  }
});

test('shell: F140 keyboard shortcuts open pages, the + menu and the list of shortcuts', async ({
  page,
  tutor: _signedIn,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, '/', 'Good to see you, Ada');
  const newStudent = page.getByRole('menuitem', { name: 'New student' });
  // The shortcuts are loaded after the page.
  await expect(async () => {
    await page.keyboard.press('n');
    await expect(newStudent).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await newStudent.click();
  const form = page.getByRole('dialog', { name: 'Add New Student' });
  await expect(form).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await page.keyboard.press('t');
  await expectPath(page, '/schedule');
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await expectPath(page, '/invoices');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Go to');
});

test('shell: a printed page has no navigation and no buttons, and is black on white', async ({
  page,
  tutor: _signedIn,
}) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await open(page, '/reports', 'Tutor Earnings Report');
  await expect(mainNavigation(page)).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  const body = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body);
    return { color, backgroundColor };
  });
  expect(body).toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)' });
});

test('shell: is shown when logged in, but not on the landing, login and sign-up pages [SHELL-01]', async ({
  page,
  tutor: _signedIn,
}) => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    await open(page, '/', 'Good to see you, Ada');
    await expect(mainNavigation(page)).toBeVisible();
    const header = viewport.width < 992 ? phoneHeader(page) : sidebarFooter(page);
    await expect(header.getByRole('link', { name: 'Settings' })).toBeVisible();
  }

  await clearLogin(page);
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    for (const path of ['/', '/login', '/signup']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(mainNavigation(page)).toHaveCount(0);
      for (const link of [...MAIN_ITEMS.sidebar, 'Notifications', 'Settings']) {
        await expect(page.getByRole('link', { name: link, exact: true })).toHaveCount(0);
      }
    }
  }
});

async function expectNavigates(
  page: Page,
  bar: Locator,
  item: string,
  path: string,
  title: string,
) {
  await bar.getByRole('link', { name: item, exact: true }).click();
  await expectPath(page, path);
  await expect(pageHeading(page, title)).toBeVisible();
  await expectActiveItem(bar, item);
}

/** Checks that the active item has aria-current and colours that no other item has. */
async function expectActiveItem(bar: Locator, item: string) {
  await expect(bar.locator('[aria-current="page"]')).toHaveAccessibleName(item);
  // The colour transition takes 180 ms.
  await expect(async () => {
    const colours = await bar.getByRole('link').evaluateAll((links) =>
      links
        .filter((link) => !link.matches('[aria-label="Lessonbook home"]'))
        .map((link) => ({
          active: link.hasAttribute('aria-current'),
          text: getComputedStyle(link).color,
          background: [link, ...link.children]
            .map((part) => getComputedStyle(part).backgroundColor)
            .join(),
        })),
    );
    const [active, ...others] = colours.toSorted((a, b) => Number(b.active) - Number(a.active));
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) {
      expect(other.text).not.toBe(active?.text);
      expect(other.background).not.toBe(active?.background);
    }
  }).toPass({ timeout: 20_000 });
}

/** Checks that the navigation is at the bottom on a phone and on the left on a wide screen. */
async function expectNavigationPosition(page: Page) {
  const box = await mainNavigation(page).boundingBox();
  const size = page.viewportSize();
  if (!box || !size) throw new Error('The navigation is not on the screen');
  if (size.width < 992) {
    expect(Math.round(box.y + box.height)).toBe(size.height);
    expect(Math.round(box.width)).toBe(size.width);
  } else {
    expect(box.x + box.width).toBeLessThanOrEqual(216);
  }
}
