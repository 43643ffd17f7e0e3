import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import {
  button,
  dateField,
  dialog,
  radio,
  row,
  select,
  textField,
} from '../page-objects/controls.ts';
import { open, toastWithText } from '../page-objects/navigation.ts';
import { chooseLessonAction, openSessionPage } from '../page-objects/session-page.ts';
import { mouse, touchscreen } from './input-driver.ts';

test.use({ fixedClock: true });

test('group lessons: a late cancellation, attendance, a fifth student, a student who leaves, messages and invoices', async ({
  page,
  hasTouch,
  api,
  consoleGuard,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  await api.addSubject('Maths', 22);
  const carer = (carerName: string, digit: number) => ({
    carerName,
    carerPhone: `+44 7700 90012${digit}`,
  });
  await api.addStudent('Noah Goldberg', carer('Lea Goldberg', 1));
  await api.addStudent('Amira Haddad', carer('Dana Haddad', 2));
  const { carerId } = await api.addStudent('Sam Reid', carer('Ruth Reid', 3));
  await api.addStudent('Ida Reid', { carerId });
  await api.addStudent('Theo Lind', carer('Eva Lind', 4));

  // A weekly group of four with one sibling pair, which started this morning.
  await open(page, '/schedule', 'Schedule');
  await input.click(button(page, 'New Lesson'));
  const form = dialog(page, 'Add New Lesson');
  await input.chooseOption(select(form, 'Student'), 'Noah Goldberg');
  await input.click(button(form, 'Add another student'));
  for (const name of ['Amira Haddad', 'Sam Reid', 'Ida Reid'])
    await input.chooseOption(select(form, 'Add a student'), name);
  await expect(form.getByRole('group', { name: 'Students' }).getByRole('listitem')).toHaveCount(4);
  await input.chooseOption(select(form, 'Subject'), 'Maths');
  await expect(textField(form, 'Price per place')).toHaveValue('22');
  await expect(textField(form, 'Group name')).toHaveValue('Maths group');
  await input.fill(textField(form, 'Group name'), 'Year 11 maths');
  await input.fill(textField(form, 'Maximum'), '4');
  await input.click(form.getByRole('button', { name: /^Change the price for Amira Haddad/ }));
  await input.fill(textField(form, 'Individual price for Amira Haddad'), '18');
  await input.check(form.getByRole('checkbox', { name: 'Recurring Lesson' }));
  await input.pickDate(dateField(form, 'End Date'), '2030-04-09');
  await input.click(button(form, 'Save Lesson'));
  await expect(toastWithText(page, 'Lesson created successfully')).toBeVisible();
  await expect(row(page, 'Year 11 maths · 4').first()).toBeVisible();
  const [first, , third, fourth] = await api.sessions(TODAY, '2030-04-09');
  expect(first?.students.map(({ fee }) => fee)).toEqual([2200, 1800, 2200, 2200]);

  // Amira cancels too late: only her own price is charged, and the lesson goes ahead for the others.
  await openSessionPage(page, first?.id ?? 0);
  await input.click(button(page, 'Cancel place, Amira Haddad'));
  const cancellation = dialog(page, 'Cancel for Amira');
  await input.check(radio(cancellation, 'Carer'));
  await input.click(button(cancellation, 'Cancel and charge £18'));
  await expect(toastWithText(page, 'Place cancelled')).toBeVisible();
  await expect(row(page.getByRole('region', { name: 'Students' }), 'Amira Haddad')).toContainText(
    'Cancelled',
  );

  // Sam is absent, which is charged.
  await open(page, `/lessons/${first?.lessonId}/complete?session=${first?.id}`, 'Complete lessons');
  await input.click(page.getByRole('button', { name: /Year 11 maths · 3/ }));
  const sam = page.getByRole('group', { name: 'Attendance of Sam Reid' });
  await input.check(radio(sam, 'Absent'));
  await expect(page.getByText('2 here, 1 absent')).toBeVisible();
  await input.click(button(page, 'Complete 1 lesson (£66)'));
  await expect(toastWithText(page, '1 lesson completed')).toBeVisible();

  // Theo joins mid-term, although the group is full.
  await openSessionPage(page, third?.id ?? 0);
  const edit = await chooseLessonAction(page, 'Edit series', 'Edit Lesson');
  await input.click(button(edit, 'Add a student'));
  const join = dialog(page, 'Add a student');
  await input.chooseOption(select(join, 'Student'), 'Theo Lind');
  consoleGuard.allowErrorResponse(`/api/lessons/${third?.lessonId}/students`, 409);
  await input.click(button(join, 'Add student'));
  await expect(join).toContainText('This group has 4 places, and this would make 5 students.');
  await input.click(button(join, 'Add anyway'));
  await expect(toastWithText(page, 'Student added to the lesson')).toBeVisible();
  await expect(edit.getByRole('group', { name: 'Students' }).getByRole('listitem')).toHaveCount(5);
  const names = async () =>
    (await api.sessions(TODAY, '2030-04-09')).map(({ students }) =>
      students.map(({ name }) => name.replace(/ .*/, '')).join(' '),
    );
  const four = 'Noah Amira Sam Ida';
  expect(await names()).toEqual([four, four, `${four} Theo`, `${four} Theo`, `${four} Theo`]);

  // Noah leaves the group on 2 April and stays in the earlier lessons.
  await input.click(button(edit, 'Remove Noah Goldberg'));
  const leave = dialog(page, 'Remove Noah');
  await input.pickDate(dateField(leave, 'Remove from'), '2030-04-02');
  await input.click(button(leave, 'Remove student'));
  await expect(toastWithText(page, 'Student removed from the lesson')).toBeVisible();
  const remaining = 'Amira Sam Ida Theo';
  expect(await names()).toEqual([four, four, `${four} Theo`, remaining, remaining]);

  // Each remaining family gets a message about a move, with the names of its own children only.
  await openSessionPage(page, fourth?.id ?? 0);
  await input.click(button(page, 'Move'));
  const move = dialog(page, 'Move lesson');
  await input.pickDate(dateField(move, 'Date'), '2030-04-03');
  await input.click(button(move, 'Move lesson'));
  await input.click(button(dialog(page, 'Let the families know?'), 'Send to 3 people'));
  await expect(toastWithText(page, '3 messages to send')).toBeVisible();
  const messages = await api.outbox();
  expect(messages).toHaveLength(3);
  expectOnlyOwnChildren(
    Object.fromEntries(messages.map(({ toName, subject, text }) => [toName, `${subject} ${text}`])),
    { 'Dana Haddad': ['Amira'], 'Ruth Reid': ['Sam', 'Ida'], 'Eva Lind': ['Theo'] },
  );

  // Each invoice names only the family's own children.
  const drafts = await api.draftBulkInvoices('2030-03-01', TODAY);
  const issued = await api.issueInvoices(drafts.map(({ id }) => id));
  const totals = { 'Lea Goldberg': '£22.00', 'Dana Haddad': '£18.00', 'Ruth Reid': '£44.00' };
  const texts: Record<string, string> = {};
  for (const { id, number, familyName } of issued) {
    await open(page, `/invoices/${id}`, `Invoice ${number}`);
    const main = page.getByRole('main');
    await expect(main).toContainText(totals[familyName as keyof typeof totals]);
    texts[familyName] = await main.innerText();
  }
  expectOnlyOwnChildren(texts, {
    'Lea Goldberg': ['Noah'],
    'Dana Haddad': ['Amira'],
    'Ruth Reid': ['Sam', 'Ida'],
  });
});

/** Checks that the text for each family names all of its own children and no others. */
function expectOnlyOwnChildren(
  texts: Record<string, string>,
  childrenOf: Record<string, string[]>,
): void {
  const named = Object.entries(texts).map(([family, text]) => [
    family,
    ['Noah', 'Amira', 'Sam', 'Ida', 'Theo'].filter((child) => text.includes(child)),
  ]);
  expect(Object.fromEntries(named)).toEqual(childrenOf);
}
