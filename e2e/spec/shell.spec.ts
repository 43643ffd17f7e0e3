import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { clearLogin, expectPath, open, pageHeading } from '../page-objects/navigation.ts';

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

    test('shell: navigation items with their order, links and active state [SHELL-02..08, ROUTE-24]', async ({
      page,
      tutor: _signedIn,
    }) => {
      await open(page, '/', 'Good to see you, Ada');
      await expect(mainNavigation(page).getByRole('link')).toHaveText([
        'Home',
        'Schedule',
        'Reports',
      ]);
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

test('shell: shown when logged in, but not on the landing, login and sign-up pages [SHELL-01]', async ({
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
      for (const link of ['Home', 'Schedule', 'Reports', 'Notifications', 'Settings']) {
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
