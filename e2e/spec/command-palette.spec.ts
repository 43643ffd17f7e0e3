import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import { button, dateField, dialog, select, textField } from '../page-objects/controls.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';

test.use({ fixedClock: true });

test('palette: navigates by keyboard and adds a lesson from typed text', async ({ page, api }) => {
  await api.addSubject('Maths', 38);
  await api.addStudent('Zoë Brontë', { carerName: 'Ruth Hale' });
  await open(page, '/reports', 'Tutor Earnings Report');
  const palette = dialog(page, 'Search');
  const options = palette.getByRole('option');
  const search = button(page, 'Search Ctrl K');

  // Escape restores focus.
  await search.focus();
  await page.keyboard.press('Control+k');
  await expect(select(palette, 'Search')).toBeFocused();
  await expect(options.first()).toHaveText(/^New lesson/);
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await expect(search).toBeFocused();

  // Opening a page moves focus to its heading.
  await page.keyboard.press('Control+k');
  await expect(select(palette, 'Search')).toBeFocused();
  await page.keyboard.type('invo');
  await expect(options).toHaveText(['Invoices', 'Bulk invoice', 'BusinessSettings', 'New invoice']);
  await page.keyboard.press('Enter');
  await expectPath(page, '/invoices');
  await expect(pageHeading(page, 'Invoices')).toBeFocused();

  // A typed lesson is not saved until the dialog is confirmed.
  await page.keyboard.press('Control+k');
  await expect(select(palette, 'Search')).toBeFocused();
  await page.keyboard.type('zoe maths thu 4-5pm every two weeks');
  await expect(options.first()).toContainText(
    'Zoë Brontë, Maths, Thu 14 Mar 16:00–17:00, every two weeks, £38',
  );
  await page.keyboard.press('Enter');
  const form = dialog(page, 'Add New Lesson');
  await expect(textField(form, 'Lesson Title')).toHaveValue('Zoë Brontë - Maths');
  await expect(select(form, 'Student')).toHaveValue('Zoë Brontë');
  await expect(select(form, 'Subject')).toHaveValue('Maths');
  await expect(dateField(form, 'Date')).toHaveValue('Mar 14, 2030');
  await expect(form).toContainText('Next: Thu 28 Mar');
  expect(await api.sessions(TODAY, '2030-03-31')).toEqual([]);
  await button(form, 'Save Lesson').click();
  await expect(toastWithText(page, 'Lesson created successfully')).toBeVisible();
  const saved = await api.sessions(TODAY, '2030-03-31');
  expect(saved.map(({ date, startTime, fee }) => [date, startTime, fee])).toEqual([
    ['2030-03-14', '16:00', 3800],
    ['2030-03-28', '16:00', 3800],
  ]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('palette: fills the screen and works by touch', async ({ page, api }) => {
    await api.addStudent('Zoë Brontë', { carerName: 'Ruth Hale' });
    await open(page, '/', 'Good to see you, Ada');
    await button(page, 'Search').tap();
    const palette = dialog(page, 'Search');
    await expect(palette).toBeVisible();
    const box = await palette.boundingBox();
    expect([box?.x, box?.y, box?.width, box?.height]).toEqual([0, 0, 390, 844]);
    await button(palette, 'Close').tap();
    await expect(palette).toHaveCount(0);

    await button(page, 'Search').tap();
    await select(palette, 'Search').fill('hale');
    await palette.getByRole('option', { name: 'Ruth Hale' }).first().tap();
    await expect(pageHeading(page, 'Ruth Hale')).toBeVisible();

    await button(page, 'Search').tap();
    await palette.getByRole('option', { name: 'Record payment' }).tap();
    await palette.getByRole('option', { name: /^Ruth Hale/ }).tap();
    await expect(dialog(page, 'Record payment')).toBeVisible();
  });
});
