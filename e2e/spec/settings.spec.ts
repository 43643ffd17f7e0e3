import { accounts } from '@lessonbook/contract/accounts';
import { expect, test } from '../fixtures.ts';
import {
  expectLoaded,
  expectPath,
  open,
  pageHeading,
  readAppliedTheme,
  toastWithText,
} from '../page-objects/navigation.ts';

test('settings: shows the logged-in tutor and the links in the account card [SET-01, SET-02, SET-04..07]', async ({
  page,
  tutor,
}) => {
  await open(page, '/settings', 'Settings');
  const main = page.getByRole('main');
  await expect(main.getByText('A', { exact: true })).toBeVisible();
  await expect(main.getByText(tutor.name, { exact: true })).toBeVisible();
  await expect(main.getByText(tutor.email, { exact: true })).toBeVisible();

  const account = page.getByRole('region', { name: 'Account', exact: true });
  await account.getByRole('link', { name: 'Edit Profile' }).click();
  await expectPath(page, '/profile-edit');
  await expect(pageHeading(page, 'Edit Profile')).toBeVisible();
  await page.goBack();
  await account.getByRole('link', { name: 'Payment Methods' }).click();
  await expectPath(page, '/payment-methods');
  await expect(pageHeading(page, 'Payment Methods')).toBeVisible();
});

test('settings: payment methods link back to the settings [PAYM-13]', async ({ page, tutor }) => {
  await open(page, '/payment-methods', 'Payment Methods');
  await page.getByRole('link', { name: 'Back to settings' }).click();
  await expectPath(page, '/settings');
  await expect(page.getByRole('main').getByText(tutor.email)).toBeVisible();
});

test('settings: the three switches are on by default and saved separately [SET-16..20]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/settings', 'Settings');
  const card = page.getByRole('region', { name: 'Notifications', exact: true });
  const names = ['Email Notifications', 'Lesson Reminders', 'Payment Notifications'];
  for (const name of names) {
    await expect(card.getByRole('switch', { name })).toBeEnabled();
    await expect(card.getByRole('switch', { name })).toBeChecked();
  }

  // Waits until the cards above have their final height, so that the switches do not move under the pointer.
  await expect(page.getByRole('region', { name: 'Google Calendar' })).toContainText(
    'Not connected',
  );

  for (const [index, name] of names.entries()) {
    const saved = page.waitForResponse(
      (response) =>
        response.url().endsWith(accounts.updateNotificationSettings.path) &&
        response.request().method() === 'PUT',
    );
    await card.getByRole('switch', { name }).click();
    expect((await saved).status()).toBe(200);
    const response = await page.request.get(accounts.notificationSettings.path);
    expect(await response.json()).toEqual({
      emailNotifications: false,
      lessonReminders: index < 1,
      paymentNotifications: index < 2,
    });
  }

  await page.reload();
  for (const name of names) {
    await expect(card.getByRole('switch', { name })).toBeEnabled();
    await expect(card.getByRole('switch', { name })).not.toBeChecked();
  }
});

test('settings: the app settings card changes the theme [SET-22, SET-23]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/settings', 'Settings');
  const card = page.getByRole('region', { name: 'App Settings', exact: true });
  await expect(card.getByRole('button', { name: /^Theme Settings/ })).toContainText('System');
  await card.getByRole('button', { name: /^Theme Settings/ }).click();
  const modal = page.getByRole('dialog', { name: 'Theme' });
  await expect(modal.getByRole('radio')).toHaveCount(3);
  await expect(modal.getByRole('radio', { name: 'System' })).toBeChecked();
  await modal.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(() => readAppliedTheme(page)).toBe('dark');
  await modal.getByRole('radio', { name: 'Light' }).check();
  await expect.poll(() => readAppliedTheme(page)).toBe('light');
  await modal.getByRole('radio', { name: 'System' }).check();
  await page.keyboard.press('Escape');
  await expect(modal).toBeHidden();
  const themeButton = card.getByRole('button', { name: /^Theme Settings/ });
  await expect(themeButton).toContainText('System');
  await expect(themeButton).toBeFocused();
});

test('settings: Logout ends the login, shows a toast and opens the login page [SET-24, AUTH-18, TOAST-03, TOAST-04, V7.4.4]', async ({
  page,
  tutor,
}) => {
  await open(page, '/', 'Good to see you, Ada');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('main').getByText(tutor.email)).toBeVisible();
  // Waits for pending requests, which would otherwise get a 401.
  await expect(page.getByRole('switch', { name: 'Email Notifications' })).toBeEnabled();
  await expect(page.getByRole('region', { name: 'Google Calendar' })).toContainText(
    'Not connected',
  );
  await expectLoaded(page);
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await expectPath(page, '/login');
  await expect(pageHeading(page, 'Welcome back')).toBeVisible();
  await expect(toastWithText(page, 'Logged out')).toContainText(
    'You have been successfully logged out.',
  );

  expect((await page.request.get(accounts.me.path)).status()).toBe(401);
  // Going back does not show the tutor's data.
  await page.goBack();
  await expect(pageHeading(page, 'Every lesson booked, taught and paid for.')).toBeVisible();
  await expect(page.getByText(tutor.email)).toHaveCount(0);
});

test('settings: the account menu in the sidebar changes the theme and logs out [AUTH-18, V7.4.4]', async ({
  page,
  tutor,
}) => {
  await open(page, '/', 'Good to see you, Ada');
  const card = page.getByRole('button', { name: /account menu/ });
  await expect(card).toContainText(tutor.email);
  await card.click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect.poll(() => readAppliedTheme(page)).toBe('dark');
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expectPath(page, '/login');
  await expect(toastWithText(page, 'Logged out')).toBeVisible();
});
