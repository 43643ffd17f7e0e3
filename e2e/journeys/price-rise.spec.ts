import { addDaysToDate } from '@lessonbook/contract/dates';
import { defaultRiseStart } from '@lessonbook/contract/price-rises';
import { expect, test } from '../fixtures.ts';
import { button, link, region, row, textField } from '../page-objects/controls.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { mouse, touchscreen } from './input-driver.ts';

// Emails need a worker, and none runs with the fixed clock, so the dates are relative to the tutor's date.
test('price rise: each family gets one email about its own children, and only later lessons cost more', async ({
  page,
  hasTouch,
  api,
  mail,
  confirmedTutor: tutor,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  const address = (name: string) => `${name}.${tutor.username}@families.example`;
  const [ruth, helen] = [address('ruth'), address('helen')];
  const { today } = await api.dashboard();
  const from = defaultRiseStart(today, []);
  const maths = await api.addSubject('Maths', 35);
  const maya = await api.addStudent('Maya Okafor', { carerName: 'Ruth Okafor', carerEmail: ruth });
  const sam = await api.addStudent('Sam Okafor', { carerId: maya.carerId });
  const noa = await api.addStudent('Noa Goldberg', {
    carerName: 'Helen Goldberg',
    carerEmail: helen,
  });
  await api.saveRate({
    studentId: noa.id,
    subjectId: maths.id,
    amount: 40,
    unit: 'hour',
    validFrom: today,
  });
  const weekly = {
    subject: maths,
    date: addDaysToDate(from, -7),
    isRecurring: true,
    recurringEndDate: addDaysToDate(from, 7),
    usesRates: true,
  };
  await api.addLesson({ ...weekly, student: maya, start: '15:00' });
  await api.addLesson({ ...weekly, student: sam, start: '16:00' });
  await api.addLesson({ ...weekly, student: noa, start: '17:00' });
  const fees = async () => {
    const rows = await api.sessions(weekly.date, weekly.recurringEndDate);
    return rows.map(({ date, studentName, fee }) => [date, studentName, fee]);
  };

  // Nothing changes before the tutor has seen every family's old and new price.
  await open(page, '/settings/rates', 'Rates');
  await input.click(link(page, 'Raise prices'));
  await expect(pageHeading(page, 'Raise prices')).toBeVisible();
  await input.fill(textField(page, 'Raise by'), '10');
  await input.click(button(page, 'Show new prices'));
  const preview = region(page, 'New prices');
  const family = (name: string) => row(preview, `Message to ${name}`);
  await expect(family('Ruth Okafor')).toContainText(
    'Maya Okafor, Maths: £35.00 → £38.50 a lesson · 2 lessons',
  );
  await expect(family('Ruth Okafor')).toContainText(
    'Sam Okafor, Maths: £35.00 → £38.50 a lesson · 2 lessons',
  );
  await expect(family('Helen Goldberg')).toContainText(
    'Noa Goldberg, Maths: £40.00 → £44.00 an hour · 2 lessons',
  );
  const before = [
    [weekly.date, 'Maya Okafor', 3500],
    [weekly.date, 'Sam Okafor', 3500],
    [weekly.date, 'Noa Goldberg', 4000],
  ];
  expect((await fees()).slice(0, 6)).toEqual([
    ...before,
    ...before.map(([, name, fee]) => [from, name, fee]),
  ]);
  expect(await api.outbox()).toEqual([]);

  await input.click(button(page, 'Save new prices'));
  await expect(toastWithText(page, '2 messages are ready to check and send.')).toBeVisible();
  await expect(pageHeading(page, 'Messages')).toBeVisible();
  const after = before.map(([, name, fee]) => [name, fee === 3500 ? 3850 : 4400]);
  expect(await fees()).toEqual([
    ...before,
    ...[from, weekly.recurringEndDate].flatMap((date) => after.map((each) => [date, ...each])),
  ]);

  // Each draft is read and sent, and no family gets anything before that.
  const waiting = region(page, 'Emails to read and send');
  await expect(waiting.getByRole('listitem')).toHaveCount(2);
  expect([await mail.countTo(ruth), await mail.countTo(helen)]).toEqual([0, 0]);
  await input.click(link(waiting, 'Read, Ruth Okafor'));
  const text = textField(page, 'Message');
  await expect(text).toHaveValue(/^Hi Ruth,/);
  await input.fill(text, `${await text.inputValue()}\n\nThank you for your understanding.`);
  await input.click(button(page, 'Send email'));
  await expect(toastWithText(page, 'Email on its way')).toBeVisible();
  await expect(waiting.getByRole('listitem')).toHaveCount(1);
  const subject = /^New lesson prices from /;
  const toRuth = await mail.waitFor(ruth, subject);
  expect(toRuth.text).toContain('Maya, Maths: £38.50 a lesson (currently £35.00)');
  expect(toRuth.text).toContain('Sam, Maths: £38.50 a lesson (currently £35.00)');
  expect(toRuth.text).toContain('Thank you for your understanding.');
  expect(`${toRuth.text} ${toRuth.html}`).not.toMatch(/Noa|Goldberg|Helen|44\.00|40\.00/);
  expect(await mail.countTo(helen)).toBe(0);

  await input.click(link(waiting, 'Read, Helen Goldberg'));
  await input.click(button(page, 'Send email'));
  await expect(page.getByText('Nothing to send', { exact: false })).toBeVisible();
  const toHelen = await mail.waitFor(helen, subject);
  expect(toHelen.text).toContain('Noa, Maths: £44.00 an hour (currently £40.00)');
  expect(`${toHelen.text} ${toHelen.html}`).not.toMatch(/Maya|Sam|Okafor|Ruth|38\.50|35\.00/);
  await expect
    .poll(async () => (await api.messages()).map(({ state }) => state))
    .toEqual(['sent', 'sent']);
  expect([await mail.countTo(ruth), await mail.countTo(helen)]).toEqual([1, 1]);
});
