import { addDaysToDate } from '@lessonbook/contract/dates';
import { expect, test } from '../fixtures.ts';
import { button, copyAndReadClipboard, dialog, region } from '../page-objects/controls.ts';
import { open, toastWithText } from '../page-objects/navigation.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('settings: shows, copies and replaces the private feed address [SET-08]', async ({
  page,
  api,
  playwright,
}) => {
  const { today } = await api.dashboard();
  const student = await api.addStudent('Maya Okafor');
  const subject = await api.addSubject('Maths');
  await api.addLesson({ student, subject, date: addDaysToDate(today, 2), start: '16:00' });
  // A calendar client, which has no login.
  const client = await playwright.request.newContext();

  await open(page, '/settings', 'Settings');
  const card = region(page, 'Calendar Integration');
  await expect(card).not.toContainText('/api/calendar/feeds/');
  await button(card, 'Show address').click();
  const first = await copyAndReadClipboard(page, 'Copy, address of your calendar');
  await expect(card.getByText(first, { exact: true })).toBeVisible();
  await expect(card.getByRole('img', { name: 'QR code of the address' })).toBeVisible();
  await expect(card.getByRole('link', { name: 'Open in my calendar' })).toHaveAttribute(
    'href',
    first.replace('http:', 'webcal:'),
  );
  const feedResponse = await client.get(first);
  expect(feedResponse.headers()['content-type']).toContain('text/calendar');
  expect(await feedResponse.text()).toContain('SUMMARY:Maya: Maths');

  await button(card, 'Replace address').click();
  const confirmDialog = dialog(page, 'Replace the address?');
  await expect(confirmDialog).toContainText('stop updating');
  await button(confirmDialog, 'Replace').click();
  await expect(toastWithText(page, 'Address replaced')).toBeVisible();
  await expect(card.getByText(first, { exact: true })).toHaveCount(0);
  const second = await copyAndReadClipboard(page, 'Copy, address of your calendar');
  expect((await client.get(first)).status()).toBe(404);
  expect(await (await client.get(second)).text()).toContain('SUMMARY:Maya: Maths');

  await button(card, 'Hide address').click();
  await expect(card).not.toContainText('/api/calendar/feeds/');
  await client.dispose();
});
