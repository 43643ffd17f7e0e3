import { notifications } from '@lessonbook/contract/notifications';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { button, dialog, textField } from '../page-objects/controls.ts';
import { expectPath, logIn, open, pathOf } from '../page-objects/navigation.ts';

interface FormCase {
  path: string;
  heading: string;
  /** Opens the form and returns one of its fields. */
  openForm: (page: Page) => Promise<Locator>;
  /** Waits until the page has reacted to the input. */
  afterInput?: (page: Page, text: string) => Promise<void>;
  /** The title of the dialog with the form; undefined for a form on a page. */
  dialogTitle?: string;
}

const forms: FormCase[] = [
  {
    path: '/schedule?view=subjects',
    heading: 'Subjects',
    dialogTitle: 'Create Subject',
    openForm: async (page) => {
      await button(page, 'Add Subject').click();
      return textField(dialog(page, 'Create Subject'), 'Description');
    },
  },
  {
    path: '/schedule?view=students',
    heading: 'Students',
    dialogTitle: 'Add New Student',
    openForm: async (page) => {
      await button(page, 'Add Student').click();
      return textField(dialog(page, 'Add New Student'), 'Notes');
    },
  },
  {
    path: '/settings/time-off',
    heading: 'Time off',
    dialogTitle: 'Add time off',
    openForm: async (page) => {
      await button(page, 'Add time off').click();
      return textField(dialog(page, 'Add time off'), 'Reason');
    },
  },
  {
    path: '/profile-edit',
    heading: 'Edit Profile',
    openForm: async (page) => textField(page, 'Name'),
  },
  {
    path: '/settings/business',
    heading: 'Business',
    openForm: async (page) => textField(page, 'Trading name'),
  },
  {
    path: '/settings/reminders',
    heading: 'Reminders',
    openForm: async (page) => textField(page, 'Text'),
    // The preview is a frame. If it added history entries, Back would go through those first.
    afterInput: (page, text) =>
      expect(page.frameLocator('iframe').getByText(text).first()).toBeVisible(),
  },
];

for (const { path, heading, openForm, afterInput, dialogTitle } of forms) {
  test(`F60 ${path}: the input survives every way of leaving`, async ({
    page,
    context,
    tutor,
    consoleGuard,
  }) => {
    await open(page, path, heading);
    const field = await openForm(page);
    await field.fill('Half a sentence');
    await afterInput?.(page, 'Half a sentence');
    const discardDialog = dialog(page, 'Discard changes?');

    async function expectInputKept() {
      await button(discardDialog, 'Keep editing').click();
      await expect(discardDialog).toBeHidden();
      await expect(field).toHaveValue('Half a sentence');
      await expectPath(page, path);
    }

    if (dialogTitle) {
      const form = dialog(page, dialogTitle);
      await field.press('Escape');
      await expectInputKept();
      await button(form, 'Close').click();
      await expectInputKept();
      await form.getByRole('button', { name: /^(Cancel|Go back)$/ }).click();
      await expectInputKept();
    }
    await page.evaluate(() => window.history.back());
    await expectInputKept();
    await page.locator('a[href="/reports"]').first().dispatchEvent('click');
    await expectInputKept();

    const prompt = page.waitForEvent('dialog');
    await page.evaluate(() => {
      setTimeout(() => window.location.reload());
    });
    await (await prompt).dismiss();
    // Simulates a missing file of an old version; without unsaved input, the page would reload.
    await page.evaluate(() =>
      window.dispatchEvent(new Event('vite:preloadError', { cancelable: true })),
    );
    await expect(field).toHaveValue('Half a sentence');

    consoleGuard.allowErrorResponse(notifications.unreadCount.path, 401);
    await context.clearCookies();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    const login = dialog(page, 'Log in again');
    await expect(login).toBeVisible();
    await logIn(page, tutor.username, tutor.password);
    await expect(login).toBeHidden();
    await expect(field).toHaveValue('Half a sentence');
    expect(pathOf(page)).toBe(path);
  });
}

test('F105 Back closes the top layer and then leaves the page', async ({ page, tutor: _ }) => {
  await open(page, '/schedule?view=students', 'Students');
  await open(page, '/schedule?view=subjects', 'Subjects');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await expect(palette).toBeVisible();
  await page.evaluate(() => window.history.back());
  await expect(palette).toBeHidden();
  await expectPath(page, '/schedule?view=subjects');

  await button(page, 'Add Subject').click();
  const form = dialog(page, 'Create Subject');
  await expect(form).toBeVisible();
  await button(form, 'Cancel').click();
  await expect(form).toBeHidden();
  await page.evaluate(() => window.history.back());
  await expectPath(page, '/schedule?view=students');
});
