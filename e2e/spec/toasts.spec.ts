import { lessons } from '@lessonbook/contract/lessons';
import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { button, chooseOption, dialog, select } from '../page-objects/controls.ts';
import { open, toastWithText } from '../page-objects/navigation.ts';

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

async function expectApart(first: Locator, second: Locator) {
  const [a, b] = [await first.boundingBox(), await second.boundingBox()];
  if (!a || !b) throw new Error('Not visible');
  const apart =
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  expect(apart, `${String(first)} does not cover ${String(second)}`).toBe(true);
}

for (const viewport of VIEWPORTS) {
  test.describe(`${viewport.width} px wide`, () => {
    test.use({ viewport });

    test('F117 a toast covers neither the header nor the buttons of a page or a dialog', async ({
      page,
      api,
      consoleGuard,
    }) => {
      consoleGuard.allowErrorResponse(lessons.createLesson.path, 500);
      await api.addStudent('Maya Hale');
      await api.addSubject('Maths');
      await open(page, '/profile-edit', 'Edit Profile');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada King');
      const save = button(page, 'Save Changes');
      await save.click();
      const saved = toastWithText(page, 'Profile Updated');
      await expect(saved).toBeVisible();
      for (const other of [
        page.getByRole('heading', { level: 1 }),
        page.getByRole('navigation', { name: 'Main' }),
        save,
      ])
        await expectApart(saved, other);

      await open(page, '/schedule', 'Schedule');
      await page.route('**/api/lessons', (route) => route.fulfill({ status: 500, body: '' }));
      await button(page, 'New Lesson').click();
      const form = dialog(page, 'Add New Lesson');
      await chooseOption(page, select(form, 'Student'), 'Maya Hale');
      await chooseOption(page, select(form, 'Subject'), 'Maths');
      await button(form, 'Save Lesson').click();
      const failed = toastWithText(page, 'Failed to create lesson');
      await expect(failed).toBeVisible();
      for (const name of ['Close', 'Cancel', 'Save Lesson'])
        await expectApart(failed, button(form, name));
    });
  });
}
