import { addDaysToDate } from '@lessonbook/contract/dates';
import { expectNoViolations } from '../expect-no-accessibility-violations.ts';
import { expect, test } from '../fixtures.ts';
import { button, dialog } from '../page-objects/controls.ts';
import { open, toastWithText } from '../page-objects/navigation.ts';
import { expectReflow } from '../reflow.ts';
import { mouse, touchscreen } from './input-driver.ts';

const CHILDREN = ['Maya', 'Leo', 'Sam', 'Ida', 'Noa', 'Theo', 'Isla', 'Finn', 'Ruby', 'Omar'];
const LINK = 'https://video.example/ada';

test('snow day: one action moves nine lessons online, each family gets one email about its own child, and one lesson is left as it is', async ({
  page,
  hasTouch,
  confirmedTutor: tutor,
  api,
  mail,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  const maths = await api.addSubject('Maths', 38);
  const { today } = await api.dashboard();
  const date = addDaysToDate(today, 1);
  const addressOf = (child: string) => `${child.toLowerCase()}.${tutor.username}@families.example`;
  for (const [index, child] of CHILDREN.entries()) {
    const student = await api.addStudent(`${child} Hale`, {
      carerName: `Carer of ${child}`,
      carerEmail: addressOf(child),
    });
    const start = `${String(9 + index).padStart(2, '0')}:00`;
    await api.addLesson({ student, subject: maths, date, start, place: "At Ada's" });
  }
  const [kept = '', ...moved] = CHILDREN;

  await open(page, `/schedule?date=${date}`, 'Schedule');
  await input.click(button(page, 'More for this day'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'Change this day' }));
  const form = dialog(page, 'Change this day');
  await expect(form.getByText('10 lessons will be online.')).toBeVisible();
  await input.click(form.getByRole('checkbox', { name: new RegExp(kept) }));
  await input.fill(form.getByLabel('Link for the lessons'), LINK);
  await input.fill(form.getByLabel('Message to families (optional)'), 'The roads are icy.');
  await expect(
    form.getByText("9 lessons will be online. 1 lesson stays as it is: 1 you're keeping."),
  ).toBeVisible();
  await expect(form.getByText('9 emails to families')).toBeVisible();
  await expectReflow(page, 'changing a day');
  await expectNoViolations(page);
  await input.click(button(form, 'Move 9 lessons online'));
  await expect(toastWithText(page, '9 lessons moved online')).toContainText('9 people emailed');

  for (const child of moved) {
    const { text } = await mail.waitFor(addressOf(child), /^Lesson moved online: /);
    expect(text).toContain('The roads are icy.');
    expect(text).toContain(LINK);
    const named = CHILDREN.filter((name) => text.includes(`${name}: Maths`));
    expect(named, `children named in the email to the family of ${child}`).toEqual([child]);
    expect(await mail.countTo(addressOf(child))).toBe(1);
  }
  expect(await mail.countTo(addressOf(kept))).toBe(0);

  // All nine changes are undone in one step.
  await input.click(button(page, 'More for this day'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'Change this day' }));
  await expect(form.getByText('9 lessons moved online')).toBeVisible();
  await expectNoViolations(page);
  await input.click(form.getByRole('button', { name: /^Undo, / }));
  const confirmation = dialog(page, 'Undo this change?');
  await input.click(button(confirmation, 'Undo change'));
  await expect(toastWithText(page, '9 lessons changed back')).toBeVisible();
  for (const child of moved) {
    const { text } = await mail.waitFor(addressOf(child), /^Lesson no longer online: /);
    expect(text).toContain("At Ada's");
    expect(text).not.toContain(LINK);
  }
  expect(await mail.countTo(addressOf(kept))).toBe(0);
});
