import { expect, test } from '../fixtures.ts';
import {
  clearLogin,
  expectLoaded,
  expectPath,
  logIn,
  open,
  pageHeading,
  pathOf,
} from '../page-objects/navigation.ts';
import { allowNotFound, publicScreens, screenEntries, tutorScreens } from '../screens.ts';

test('routes: every route opens directly and after a reload for a logged-in tutor [ROUTE-01, ROUTE-10, ROUTE-12, ROUTE-17, ROUTE-20, ROUTE-21, AUTH-44]', async ({
  page,
  tutor,
  consoleGuard,
}) => {
  allowNotFound(consoleGuard);
  const reloaded = new Set<string>();
  for (const [path, title] of screenEntries(tutorScreens)) {
    await test.step(path, async () => {
      await open(page, path, title);
      expect(pathOf(page)).toBe(path);
      // Reloads only one path of each kind, because opening a path directly tests nearly the same thing.
      const kind = path.split(/[/?]/)[1] ?? '';
      if (!reloaded.has(kind)) {
        reloaded.add(kind);
        await page.reload();
        await expect(pageHeading(page, title)).toBeVisible();
        await expectLoaded(page);
        expect(pathOf(page)).toBe(path);
      }
      // The screen must show more than its heading.
      const text = await page.getByRole('main').innerText();
      expect(text.replace(title, '').trim().length).toBeGreaterThan(10);
      await expect(page).toHaveTitle(/\| Lessonbook$/);
    });
  }
  await open(page, '/profile-edit', 'Edit Profile');
  await expect(page.getByLabel('Name')).toHaveValue(tutor.name);
});

test('routes: without a login, tutor screens redirect to the login page [ROUTE-02]', async ({
  page,
  consoleGuard,
}) => {
  allowNotFound(consoleGuard);
  // One screen from each section; a component test checks all screens.
  const protectedScreens = ['/schedule', '/reports', '/notifications', '/settings', '/families/1'];
  for (const path of protectedScreens) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(pageHeading(page, 'Welcome back')).toBeVisible();
      expect(pathOf(page)).toBe('/login');
    });
  }
  // Only the tutor screens redirect: links in emails and links for families are public.
  for (const [path, title] of screenEntries(publicScreens)) {
    await test.step(path, async () => {
      await open(page, path, title);
      expect(pathOf(page)).toBe(path);
    });
  }
});

test('routes: an unknown path shows 404, whether logged in or not [ROUTE-05, ROUTE-07, ROUTE-08]', async ({
  page,
  tutor,
}) => {
  const unknown = ['/no-such-page', '/settings/no-such-page', `/lessons/1/${tutor.username}`];
  for (const signedIn of [true, false]) {
    if (!signedIn) await clearLogin(page);
    for (const path of unknown) {
      await page.goto(path);
      await expect(pageHeading(page, '404 Page Not Found')).toBeVisible();
      await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
      expect(pathOf(page)).toBe(path);
    }
  }
  await page.getByRole('link', { name: 'Back to home' }).click();
  await expectPath(page, '/');
});

test('routes: the URLs of the three schedule views work with reload, back and shared links [ROUTE-16]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/schedule?date=2027-02-03', 'Schedule');
  await expect(page.getByRole('heading', { name: '3 February' })).toBeVisible();
  for (const [item, title, view] of [
    ['View Students', 'Students', 'students'],
    ['View Subjects', 'Subjects', 'subjects'],
  ] as const) {
    await page.getByRole('button', { name: 'More views' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect(pageHeading(page, title)).toBeVisible();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ date: '2027-02-03', view });

    await page.reload();
    await expect(pageHeading(page, title)).toBeVisible();
    await page.goBack();
    await expect(pageHeading(page, 'Schedule')).toBeVisible();
    await expect(page.getByRole('heading', { name: '3 February' })).toBeVisible();
    await page.goForward();
    await expect(pageHeading(page, title)).toBeVisible();
    await page.getByRole('link', { name: 'Back to schedule' }).click();
    await expectPath(page, '/schedule?date=2027-02-03');
  }

  const shared = await page.context().newPage();
  await open(shared, '/schedule?view=students', 'Students');
  await open(shared, '/schedule?view=subjects', 'Subjects');
  await open(shared, '/schedule', 'Schedule');
});

test('routes: /mobile-settings is the same screen as /settings [ROUTE-18]', async ({
  page,
  tutor,
}) => {
  /** Waits until all the data on the screen is loaded. */
  const expectFullyLoaded = async () => {
    await expect(page.getByRole('switch', { name: 'Email Notifications' })).toBeEnabled();
    await expect(page.getByRole('link', { name: 'Cancellation policy 24 hours' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
  };
  await open(page, '/settings', 'Settings');
  await expectFullyLoaded();
  const settings = await page.getByRole('main').ariaSnapshot();
  expect(settings).toContain(tutor.email);

  await open(page, '/mobile-settings', 'Settings');
  await expectFullyLoaded();
  expect(await page.getByRole('main').ariaSnapshot()).toBe(settings);
});

test('routes: /sessions shows the sessions for the day in its URL [ROUTE-22]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/sessions?date=2027-02-03', 'Sessions');
  await expect(page.getByRole('heading', { name: '3 February' })).toBeVisible();
  await expect(page.getByText('Wednesday')).toBeVisible();
  await expect(page.getByText('No sessions scheduled for this day')).toBeVisible();
  await open(page, '/sessions', 'Sessions');
  await expect(page.getByRole('main').getByText('Today')).toBeVisible();
});

test('routes: navigation never reloads the document [PROD-01]', async ({ page, tutor }) => {
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(request.url());
  });
  await open(page, '/', 'Good to see you, Ada');

  const navigationSteps = [
    ['Schedule', 'Schedule'],
    ['Reports', 'Tutor Earnings Report'],
    ['Notifications', 'Notifications'],
    ['Settings', 'Settings'],
    ['Edit Profile', 'Edit Profile'],
    ['Back to settings', 'Settings'],
    ['Payment Methods', 'Payment Methods'],
    ['Back to settings', 'Settings'],
    ['Home', 'Good to see you, Ada'],
  ] as const;
  for (const [link, title] of navigationSteps) {
    await page.getByRole('link', { name: link, exact: true }).first().click();
    await expect(pageHeading(page, title)).toBeVisible();
  }
  await page.goBack();
  await expect(pageHeading(page, 'Settings')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await expect(pageHeading(page, 'Welcome back')).toBeVisible();
  await page.getByRole('link', { name: 'Start your 14-day free trial' }).click();
  await expect(pageHeading(page, 'Create your account')).toBeVisible();
  await page.getByRole('link', { name: 'Log in' }).click();
  await expect(pageHeading(page, 'Welcome back')).toBeVisible();
  await logIn(page, tutor.username, tutor.password);
  await expect(pageHeading(page, 'Good to see you, Ada')).toBeVisible();
  expect(documents).toHaveLength(1);
});
