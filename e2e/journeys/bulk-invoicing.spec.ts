import { addDaysToDate } from '@lessonbook/contract/dates';
import { expect, test } from '../fixtures.ts';
import { button, dialog, link } from '../page-objects/controls.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { mouse, touchscreen } from './input-driver.ts';

/* Uses the real clock, because a worker sends the invoices. */

test('ledger: F130 F131 bulk invoicing sends each family one email after a review, even if the page is reloaded during sending', async ({
  page,
  hasTouch,
  api,
  mail,
  confirmedTutor,
  consoleGuard,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  const { today } = await api.dashboard();
  const maths = await api.addSubject('Maths', 35);
  const names = [
    'Ruth Hale',
    'Karen Berg',
    'Joanne Lind',
    'Daniel Park',
    'Sian Daly',
    'Owen Watts',
  ];
  const addressOf = (name: string) =>
    `${name.toLowerCase().replace(' ', '.')}.${confirmedTutor.username}@families.example`;
  for (const name of names) {
    const student = await api.addStudent(`Child of ${name}`, {
      carerName: name,
      ...(name !== 'Owen Watts' && { carerEmail: addressOf(name) }),
    });
    for (const days of [-9, -2]) {
      const date = addDaysToDate(today, days);
      const lesson = { student, subject: maths, date, start: '10:00', acceptOverlaps: true };
      await api.addCompletedLesson(lesson);
    }
  }

  await open(page, '/invoices', 'Invoices');
  await input.click(link(page, 'Bulk invoice').first());
  await input.click(button(page, 'Draft invoices'));
  await expect(pageHeading(page, 'Review 6 invoices')).toBeVisible();

  // Leave Daniel's invoice as a draft and remove one of Sian's lessons.
  await input.check(page.getByRole('checkbox', { name: 'Select the invoice for Daniel Park' }));
  await input.click(button(page, 'Preview invoice for Sian Daly'));
  const preview = dialog(page, 'Preview');
  await input.click(preview.getByRole('button', { name: /^Remove/ }).first());
  await expect(preview.getByRole('button', { name: /^Remove/ })).toHaveCount(1);
  await input.click(button(preview, 'Close'));

  await input.click(button(page, 'Issue 5 invoices and email 4'));
  const confirmation = dialog(page, 'Issue 5 invoices?');
  await expect(confirmation.getByRole('listitem')).toHaveText([
    /Ruth Hale0001.*£70/,
    /Karen Berg0002.*£70/,
    /Joanne Lind0003.*£70/,
    /Sian Daly0004.*£35/,
    /Owen Watts0005, no email will be sent.*£70/,
  ]);
  await input.click(button(confirmation, 'Issue 5 invoices and email 4'));
  await expect(page).toHaveURL(/\/batches\/\d+$/);
  expect(input.actionCount(), 'clicks').toBeLessThanOrEqual(8);
  await page.reload();
  const secondTab = await page.context().newPage();
  await secondTab.goto(page.url());

  for (const tab of [page, secondTab]) {
    await expect(pageHeading(tab, '4 sent, 1 for you to deliver')).toBeVisible();
    await expect(tab.getByText(/^Sent \d\d:\d\d$/)).toHaveCount(4);
    await expect(tab.getByText('Not sent: no email')).toBeVisible();
  }
  await expect(link(page, 'Download PDF, 0005')).toHaveAttribute('href', /\.pdf$/);
  await secondTab.close();

  // The button does not send any invoice a second time.
  await input.click(button(page, 'Send the other one'));
  await expect(pageHeading(page, '4 sent, 1 for you to deliver')).toBeVisible();
  for (const name of ['Ruth Hale', 'Karen Berg', 'Joanne Lind', 'Sian Daly']) {
    await mail.waitFor(addressOf(name), /^Invoice 000\d: £/);
    expect(await mail.countTo(addressOf(name)), name).toBe(1);
  }
  expect(await mail.countTo(addressOf('Daniel Park'))).toBe(0);

  // The list shows how many invoices were not sent, and the next bulk invoice offers the remaining draft.
  await open(page, '/invoices', 'Invoices');
  await expect(page.getByText('1 of 5 invoices not sent')).toBeVisible();
  await open(page, '/invoices/everyone', 'Bulk invoice');
  await input.click(button(page, 'Review 1 earlier draft'));
  await expect(pageHeading(page, 'Review 1 invoice')).toBeVisible();
  // The page requests the preview once more after the draft has been deleted.
  consoleGuard.allowErrorResponse('/api/batches/preview', 404);
  await input.click(button(page, 'Delete 1 draft'));
  await input.click(button(dialog(page, 'Delete this draft?'), 'Delete draft'));
  await expect(page.getByText('These drafts have been deleted.')).toBeVisible();
  await input.click(button(page, 'Undo'));
  await expect(toastWithText(page, '1 draft restored')).toBeVisible();
  await open(page, '/invoices?state=draft', 'Invoices');
  await expect(page.getByRole('main')).toContainText('Daniel Park');
});
