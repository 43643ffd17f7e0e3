import { addDaysToDate } from '@lessonbook/contract/dates';
import { expectNoViolations } from '../expect-no-accessibility-violations.ts';
import { expect, test } from '../fixtures.ts';
import { button, dateField, dialog, region, select, textField } from '../page-objects/controls.ts';
import { signInToPortal } from '../page-objects/family-portal-sign-in.ts';
import { expectPath, open, toastWithText } from '../page-objects/navigation.ts';
import { expectReflow } from '../reflow.ts';
import { mouse, touchscreen } from './input-driver.ts';

test('family portal: a mother asks for other times, accepts what the tutor suggests, and has a second request accepted', async ({
  page,
  browser,
  origin,
  hasTouch,
  confirmedTutor: tutor,
  api,
  mail,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  const email = `ruth.${tutor.username}@families.example`;
  const maths = await api.addSubject('Maths', 38);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: email });
  const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
  const other = await api.addStudent('Sam Bell');
  const { today } = await api.dashboard();
  const day = (days: number) => addDaysToDate(today, days);
  await api.addLesson({ student: maya, subject: maths, date: day(7), start: '16:30' });
  const leosLesson = await api.addLesson({
    student: leo,
    subject: maths,
    date: day(8),
    start: '16:30',
  });
  // The tutor's usual hours on two weekdays.
  await api.addLesson({ student: other, subject: maths, date: day(9), start: '14:00' });
  await api.addLesson({ student: other, subject: maths, date: day(16), start: '19:00' });
  await api.addLesson({ student: other, subject: maths, date: day(10), start: '17:00' });

  await open(page, '/settings/family-portal', 'Family portal');
  await input.chooseOption(select(page, 'Preview as'), 'Ruth Hale');
  await input.click(button(page, 'Preview'));
  const preview = dialog(page, 'Preview as Ruth Hale');
  await expect(preview.getByRole('listitem')).toHaveCount(2);
  await input.click(button(preview, 'Close'));
  await input.click(button(page, 'Open the family portal'));
  await input.click(button(dialog(page, 'Open the family portal?'), 'Open the family portal'));
  await expect(toastWithText(page, 'The family portal is open')).toBeVisible();

  // Ruth asks for the closest time and a second choice.
  const { page: phone, consoleGuard } = await signInToPortal(browser, origin, email, mail);
  const lessons = phone.getByRole('main').getByRole('listitem');
  await expect(lessons).toHaveCount(2);
  const mayasRow = lessons.filter({ hasText: 'Maya' });
  await mayasRow.getByRole('button', { name: /^Ask to move Maya's lesson/ }).click();
  const sheet = phone.getByRole('dialog', { name: 'Ask to move' });
  await expect(sheet).toContainText("is closest to Maya's usual time.");
  const ask = sheet.getByRole('button', { name: /^Ask for / });
  const firstChoice = (await ask.innerText()).replace('Ask for ', '');
  const second = sheet.getByLabel('Second choice (optional)');
  const secondChoice = await second.locator('option').last().innerText();
  await touchscreen(phone).selectNative(second, secondChoice);
  await sheet.getByLabel('Message (optional)').fill('Maya has a school trip.');
  await expectReflow(phone, 'asking for another time');
  await expectNoViolations(phone);
  await ask.click();
  await expect(toastWithText(phone, 'Sent.')).toBeVisible();
  await expect(mayasRow).toContainText(`You asked for ${firstChoice} or ${secondChoice}.`);
  await expect(mayasRow.getByRole('button', { name: /^Withdraw/ })).toBeVisible();

  // In the inbox, the tutor suggests another time.
  await open(page, '/notifications', 'Notifications');
  const todo = region(page, 'To do');
  await expect(todo).toContainText('Ruth');
  await expect(todo).toContainText('Maya has a school trip.');
  await expect(todo.getByRole('button', { name: `Accept ${firstChoice} for Maya` })).toBeVisible();
  await expectReflow(page, 'the request in the inbox');
  await expectNoViolations(page);
  await input.click(todo.getByRole('button', { name: /^Suggest another time/ }));
  const suggest = dialog(page, 'Suggest another time');
  await input.pickDate(dateField(suggest, 'Date'), day(11));
  await input.fill(select(suggest, 'Start'), '10:15');
  await input.fill(textField(suggest, 'Message to Ruth (optional)'), 'Would a morning do?');
  await expectNoViolations(page);
  await input.click(button(suggest, 'Send suggestion'));
  await expect(toastWithText(page, "You'll be notified when Ruth answers.")).toBeVisible();
  await expect(todo).toBeHidden();
  await mail.waitFor(email, /^Other times for Maya's lesson on /);

  // Ruth accepts the suggestion with one tap.
  await phone.reload();
  await expect(mayasRow).toContainText('Would a morning do?');
  await expectReflow(phone, 'the suggestion');
  await expectNoViolations(phone);
  await mayasRow.getByRole('button', { name: /^Move to .*10:15am$/ }).click();
  await expect(toastWithText(phone, 'Moved to ')).toBeVisible();
  await expect(mayasRow).toContainText('10:15am');
  const moved = (await api.sessions(day(11), day(11))).map(({ startTime }) => startTime);
  expect(moved.map((time) => time.slice(0, 5))).toEqual(['10:15']);

  // She also asks to move Leo's lesson, and the tutor accepts the request on the lesson's page.
  const leosRow = lessons.filter({ hasText: 'Leo' });
  await leosRow.getByRole('button', { name: /^Ask to move Leo's lesson/ }).click();
  await expect(sheet).toContainText("is closest to Leo's usual time.");
  const leosChoice = (await ask.innerText()).replace('Ask for ', '');
  await ask.click();
  await expect(leosRow).toContainText(`You asked for ${leosChoice}.`);
  await page.goto(`/sessions/${leosLesson.sessionId}`);
  const card = region(page, 'Request to move');
  await expect(card).toContainText(`Ruth Hale has asked to move this lesson to ${leosChoice}.`);
  await expectReflow(page, "the request on the lesson's page");
  await expectNoViolations(page);
  await input.click(card.getByRole('button', { name: /^Accept / }));
  await expect(toastWithText(page, `Moved to ${leosChoice}.`)).toBeVisible();
  await expect(card).toBeHidden();
  const [session] = (await api.sessions(today, day(40))).filter(
    ({ title, status }) => title.startsWith('Leo') && status === 'scheduled',
  );
  await expectPath(page, `/sessions/${session?.id}`);
  await phone.reload();
  await expect(leosRow).not.toContainText('You asked for');
  expect(consoleGuard.errors(), 'browser errors').toEqual([]);
  await phone.context().close();
});
