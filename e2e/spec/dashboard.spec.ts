import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import { button, detail, dialog, link, row, textField } from '../page-objects/controls.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';

test('dashboard: shows the three lists with their empty states [DASH-01..03]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/', 'Good to see you, Ada');
  const lists = {
    'Upcoming Lessons': 'No lessons in the book yet.',
    'Unpaid Past Lessons': 'Nobody owes you anything.',
    'Incomplete Lessons': 'Nothing to tick off: every lesson is dealt with.',
  };
  for (const [title, text] of Object.entries(lists)) {
    const list = page.getByRole('region', { name: title, exact: true });
    await expect(list.getByRole('heading', { level: 2, name: title })).toBeVisible();
    await expect(list).toContainText(text);
  }
});

test('dashboard: marks first steps as done and hides them when all are done', async ({
  page,
  api,
}) => {
  await open(page, '/', 'Good to see you, Ada');
  const steps = page.getByRole('region', { name: 'First steps', exact: true });
  await expect(steps.getByRole('listitem')).toHaveCount(4);
  await link(steps, 'Add your first student').click();
  await button(page, 'Add Student').click();
  const form = dialog(page, 'Add New Student');
  await textField(form, 'Name').fill('Maya Hale');
  await button(form, 'Add Student').click();
  await expect(form).toHaveCount(0);

  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(steps.getByRole('listitem').first()).toHaveText('Add your first studentDone');
  const maths = await api.addSubject('Maths', 38);
  const [maya] = await api.students();
  if (!maya) throw new Error('The student was not saved');
  const { sessionId } = await api.addLesson({
    student: maya,
    subject: maths,
    date: '2026-01-06',
    start: '16:00',
  });
  await api.completeSession(sessionId);
  await open(page, '/', 'Good to see you, Ada');
  await expect(page.getByRole('region', { name: 'Unpaid Past Lessons' })).toContainText('£38');
  await expect(steps).toHaveCount(0);
});

test('dashboard: resends the confirmation mail', async ({ page, tutor, mail }) => {
  await open(page, '/', 'Good to see you, Ada');
  const banner = page.getByRole('region', { name: 'Confirm your e-mail' });
  await expect(banner).toContainText(tutor.email);
  const first = await mail.waitFor(tutor.email, /Confirm your email/);
  await banner.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'E-mail sent' })).toBeVisible();
  await expect
    .poll(async () => (await mail.waitFor(tutor.email, /Confirm your email/)).id)
    .toBeGreaterThan(first.id);
});

test.describe('on a teaching day', () => {
  test.use({ fixedClock: true });

  test('dashboard: lists upcoming, incomplete and unpaid lessons with their links [DASH-01..03, DASH-07..14, ROUTE-26, ROUTE-27]', async ({
    page,
    api,
  }) => {
    const maths = await api.addSubject('Maths', 38);
    const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
    const theo = await api.addStudent('Theo Lind');
    const series = await api.addLesson({
      student: maya,
      subject: maths,
      date: '2030-03-14',
      start: '16:00',
      place: '12 Mill Lane',
      notes: 'Bring the red book.',
      isRecurring: true,
      recurringEndDate: '2030-03-28',
    });
    const tonight = { student: theo, subject: maths, date: TODAY, title: 'Mock exam' };
    const examLesson = await api.addLesson({ ...tonight, start: '21:00' });
    const incompleteLesson = await api.addLesson({
      student: theo,
      subject: maths,
      date: TODAY,
      start: '18:00',
    });
    const pastLesson = { student: theo, subject: maths, date: '2030-03-05', fee: null };
    const freeLesson = await api.addLesson({ ...pastLesson, start: '18:00' });
    const unpaidLesson = await api.addLesson({
      student: maya,
      subject: maths,
      date: '2030-03-07',
      start: '16:00',
    });
    await api.completeSession(unpaidLesson.sessionId);

    await open(page, '/', 'Good to see you, Ada');
    const list = (name: string) => page.getByRole('region', { name, exact: true });
    const upcoming = list('Upcoming Lessons');
    const unpaid = list('Unpaid Past Lessons');
    const incomplete = list('Incomplete Lessons');
    await expect(upcoming.getByRole('listitem')).toHaveText([
      /21:00–22:00.*Mock exam.*Theo Lind, Maths, today/,
      /16:00–17:00.*Maya Hale - Maths, Thu 14 Mar/,
      /16:00–17:00.*Maya Hale - Maths, Thu 21 Mar/,
      /16:00–17:00.*Maya Hale - Maths, Thu 28 Mar/,
    ]);
    await expect(incomplete.getByRole('listitem')).toHaveText([
      /18:00–19:00.*Theo Lind - Maths, Tue 5 Mar/,
      /18:00–19:00.*Theo Lind - Maths, today/,
    ]);
    await expect(unpaid.getByRole('listitem')).toHaveText([/Maya Hale - Maths, Thu 7 Mar.*£38/]);
    await expect(page.getByRole('main')).toContainText(
      /2 lessons today.*2 to tick off.*1 awaiting payment/s,
    );

    // Badges and actions
    await expect(unpaid.getByText('Awaiting Payment', { exact: true })).toBeVisible();
    await expect(incomplete.getByText('Mark as Complete', { exact: true })).toBeVisible();
    const reminderLink = link(unpaid, 'Send Reminder, Maya Hale - Maths');
    await expect(reminderLink).toHaveText('Send Reminder');
    await reminderLink.click();
    await expectPath(
      page,
      `/payments/create/${unpaidLesson.lessonId}?session=${unpaidLesson.sessionId}`,
    );
    await page.goBack();

    const completeLink = row(incomplete, 'today').getByRole('link');
    await expect(completeLink).toHaveText('Complete');
    await completeLink.click();
    await expectPath(
      page,
      `/lessons/${incompleteLesson.lessonId}/complete?session=${incompleteLesson.sessionId}`,
    );
    await expect(pageHeading(page, 'Complete Lessons')).toBeVisible();
    // The lesson that was clicked comes first; all lessons are selected, attended and charged by default.
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      'Today, this lesson',
      'Tue 5 Mar',
    ]);
    await expect(page.getByRole('checkbox', { name: 'Tick off Theo Lind - Maths' })).toHaveCount(2);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
      /18:00–19:00.*Attended, £38/,
      /18:00–19:00.*Attended, free lesson/,
    ]);
    await expect(button(page, 'Complete 2, £38')).toBeEnabled();
    await page.goBack();

    for (const { title, lessonId, sessionId } of [examLesson, series]) {
      const details = link(upcoming, `View Details, ${title}`).first();
      await expect(details).toHaveText('View Details');
      await details.click();
      await expectPath(page, `/lessons/${lessonId}?session=${sessionId}`);
      await expect(pageHeading(page, 'Lesson Details')).toBeVisible();
      await page.goBack();
    }
    // The whole card is clickable.
    await row(upcoming, 'Mock exam').click({ position: { x: 16, y: 16 } });
    await expectPath(page, `/lessons/${examLesson.lessonId}?session=${examLesson.sessionId}`);

    // The lesson page
    await expect(pageHeading(page, 'Lesson Details')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Mock exam' })).toBeVisible();
    await expect(page.getByText('Theo Lind, Maths')).toBeVisible();
    await open(page, `/lessons/${series.lessonId}`, 'Lesson Details');
    await expect(page.getByRole('heading', { name: 'Maya Hale - Maths' })).toBeVisible();
    await expect(detail(page, 'When')).toHaveText(
      'Every Thursday, 16:00 to 17:00, until 28 Mar 2030',
    );
    await expect(detail(page, 'Fee')).toHaveText('£38');
    await expect(detail(page, 'Place')).toHaveText('12 Mill Lane');
    await expect(detail(page, 'Notes')).toHaveText('Bring the red book.');
    await expect(detail(page, 'Status')).toHaveText('Scheduled');
    await expect(detail(page, 'Sessions')).toContainText('3 scheduled');
    await expect(list('Coming sessions').getByRole('listitem')).toHaveText([
      /Thu 14 Mar/,
      /Thu 21 Mar/,
      /Thu 28 Mar/,
    ]);
    await button(page, 'Edit').click();
    await expect(textField(dialog(page, 'Edit Lesson'), 'Lesson Title')).toHaveValue(series.title);
    await button(dialog(page, 'Edit Lesson'), 'Cancel').click();
    await expect(button(page, 'Delete')).toBeEnabled();
    await open(page, `/lessons/${unpaidLesson.lessonId}`, 'Lesson Details');
    await expect(detail(page, 'Status')).toHaveText('Completed');
    await expect(detail(page, 'Money so far')).toHaveText('£38 charged, £38 unpaid');
    await open(page, `/lessons/${freeLesson.lessonId}`, 'Lesson Details');
    await expect(detail(page, 'Fee')).toHaveText('Free lesson');
  });

  test('dashboard: undoes a bulk completion', async ({ page, api }) => {
    const maths = await api.addSubject('Maths', 38);
    const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
    const earlyLesson = { student: maya, subject: maths, date: TODAY, start: '16:00' };
    const saved = [
      await api.addLesson(earlyLesson),
      await api.addLesson({ ...earlyLesson, start: '18:00' }),
    ];
    await open(page, `/lessons/${saved[0]?.lessonId}/complete`, 'Complete Lessons');
    await button(page, 'Complete 2, £76').click();
    await expect(page.getByText('All ticked off')).toBeVisible();
    expect((await api.dashboard()).unpaidCount).toBe(2);
    await button(toastWithText(page, '2 sessions completed'), 'Undo').click();
    await expect(toastWithText(page, '2 sessions reopened')).toBeVisible();
    await expect(button(page, 'Complete 2, £76')).toBeEnabled();
    expect(await api.dashboard()).toMatchObject({ incompleteCount: 2, unpaidCount: 0 });
  });
});
