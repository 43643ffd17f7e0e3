import { expect, test } from '../fixtures.ts';
import { expectPath, open, pageHeading } from '../page-objects/navigation.ts';

const TITLE = 'Every lesson booked, taught and paid for.';

test('landing: shows the trial and the links to sign up and log in [ROUTE-09, LAND-01, LAND-02, LAND-06, LAND-08, LAND-09]', async ({
  page,
}) => {
  await open(page, '/', TITLE);
  await expectPath(page, '/');
  const hero = page.getByRole('region', { name: TITLE });
  await expect(hero).toContainText('14-day free trial');
  await expect(hero).toContainText('No credit card');

  await page.getByRole('banner').getByRole('link', { name: 'Log in', exact: true }).click();
  await expectPath(page, '/login');
  await page.goBack();
  await expect(pageHeading(page, TITLE)).toBeVisible();

  await page.getByRole('banner').getByRole('link', { name: 'Sign up', exact: true }).click();
  await expectPath(page, '/signup');
  await page.goBack();
  await expect(pageHeading(page, TITLE)).toBeVisible();

  const callToAction = page.getByRole('region', { name: 'Start your free trial today' });
  await callToAction.getByRole('link', { name: 'Start your free trial' }).click();
  await expectPath(page, '/signup');
});

test('landing: every footer link leads to a section or a login page', async ({ page }) => {
  await open(page, '/', TITLE);
  const links = page.getByRole('contentinfo').getByRole('link');
  await expect(links).not.toHaveCount(0);
  for (const link of await links.all()) {
    const href = (await link.getAttribute('href')) ?? '';
    if (href.startsWith('#')) await expect(page.locator(href)).toBeVisible();
    else expect(['/login', '/family']).toContain(href);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('landing: shows its heading and the sign-up link', async ({ page }) => {
    await page.goto('/');
    await expect(pageHeading(page, TITLE)).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign up' })).toBeVisible();
  });
});
