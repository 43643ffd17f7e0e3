import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import { button, detail, dialog, link, row, textField } from '../page-objects/controls.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import {
  chooseLessonAction,
  expectLessonPage,
  lessonStatus,
  lessonSummary,
  openSessionPage,
} from '../page-objects/session-page.ts';

test('dashboard: shows the three lists with their empty states [DASH-01..03]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/', 'Good to see you, Ada');
  const lists = {
    'Upcoming Lessons': 'Your next lessons will appear here.',
    'Unpaid Past Lessons': 'No one owes you anything.',
    'Incomplete Lessons': "You're all caught up: there are no lessons to complete.",
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
  await steps.getByRole('link', { name: /^Add your first student/ }).click();
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
  await expect(steps).toContainText('2 of 4 done');

  await api.saveBusinessSettings({ paymentInstructions: 'Cash in the lesson' });
  await open(page, '/', 'Good to see you, Ada');
  // Reminders are optional. The steps are also hidden while they load, so the test waits until they are stored as done.
  await expect
    .poll(() =>
      page.evaluate(() =>
        Object.entries(localStorage).some(
          ([key, value]) => key.startsWith('lessonbook-first-steps-over-') && value === 'yes',
        ),
      ),
    )
    .toBe(true);
  await expect(steps).toHaveCount(0);
});

test('dashboard: resends the confirmation email', async ({ page, tutor, mail }) => {
  await open(page, '/', 'Good to see you, Ada');
  const banner = page.getByRole('region', { name: 'Confirm your email' });
  await expect(banner).toContainText(tutor.email);
  const first = await mail.waitFor(tutor.email, /Confirm your email/);
  await banner.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Email sent' })).toBeVisible();
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
      /21:00–22:00.*Theo Lind - Mock exam, Maths/,
      /16:00–17:00.*Maya Hale - Maths/,
      /16:00–17:00.*Maya Hale - Maths/,
      /16:00–17:00.*Maya Hale - Maths/,
    ]);
    await expect(upcoming.getByRole('heading', { level: 3 })).toHaveText([
      'Thu 14 Mar',
      'Thu 21 Mar',
      'Thu 28 Mar',
    ]);
    await expect(incomplete.getByRole('listitem')).toHaveText([
      /18:00–19:00.*Theo Lind - Maths, Tue 5 Mar/,
      /18:00–19:00.*Theo Lind - Maths, today/,
    ]);
    await expect(unpaid.getByRole('listitem')).toHaveText([/Ruth Hale.*Maya, 1 lesson.*£38/]);
    await expect(page.getByRole('main')).toContainText(
      /2 lessons today.*2 to complete.*1 family with a payment due/s,
    );

    // Badges and actions
    await expect(unpaid.getByText('Awaiting Payment', { exact: true })).toBeVisible();
    await expect(incomplete.getByText('Mark as Complete', { exact: true })).toBeVisible();
    const sendReminder = button(unpaid, 'Send Reminder, Ruth Hale');
    await expect(sendReminder).toHaveText('Send Reminder');
    await sendReminder.click();
    const reminder = dialog(page, 'Send reminder');
    await expect(reminder).toContainText('To Ruth Hale');
    await button(reminder, 'Close').click();
    await expect(reminder).toBeHidden();

    const completeLink = row(incomplete, 'today').getByRole('link');
    await expect(completeLink).toHaveText('Complete');
    await completeLink.click();
    await expectPath(
      page,
      `/lessons/${incompleteLesson.lessonId}/complete?session=${incompleteLesson.sessionId}`,
    );
    await expect(pageHeading(page, 'Complete lessons')).toBeVisible();
    // F116 the lesson that was clicked comes first and is selected; the others can be selected too.
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      'Today, Tue 12 Mar',
      'Tue 5 Mar',
    ]);
    await expect(page.getByRole('checkbox', { name: 'Select Theo Lind - Maths' })).toHaveCount(2);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
      /18:00–19:00.*Attended.*£38/,
      /18:00–19:00.*Not selected.*Free/,
    ]);
    await expect(button(page, 'Complete 1 lesson (£38)')).toBeEnabled();
    await button(page, 'Select all 2').click();
    await expect(button(page, 'Complete 2 lessons (£38)')).toBeEnabled();
    await page.goBack();
    await button(dialog(page, 'Discard changes?'), 'Discard').click();

    const cards = [
      ['Theo Lind - Mock exam', examLesson],
      ['Maya Hale - Maths', series],
    ] as const;
    for (const [label, { lessonId, sessionId }] of cards) {
      const details = link(upcoming, `View Details, ${label}`).first();
      await expect(details).toHaveText('View Details');
      await expect(details).toHaveAttribute('href', `/lessons/${lessonId}?session=${sessionId}`);
      await details.click();
      await expectPath(page, `/sessions/${sessionId}`);
      await expectLessonPage(page);
      await button(page, 'Back').click();
      await expectPath(page, '/');
    }
    // The whole card is clickable.
    await row(upcoming, 'Mock exam').click({ position: { x: 16, y: 16 } });
    await expectPath(page, `/sessions/${examLesson.sessionId}`);

    // The lesson page
    await expect(pageHeading(page, 'Theo Lind, 9pm to 10pm')).toBeVisible();
    await expect(lessonSummary(page)).toContainText('Maths, Mock exam');
    // The URL of a series redirects to its next session.
    await page.goto(`/lessons/${series.lessonId}`);
    await expectPath(page, `/sessions/${series.sessionId}`);
    await expectLessonPage(page);
    await expect(pageHeading(page, 'Maya Hale, 4pm to 5pm')).toBeVisible();
    await expect(detail(page, 'Money')).toHaveText('£38.00 Not due yet');
    await expect(detail(page, 'Location').first()).toHaveText('12 Mill Lane');
    await expect(textField(page, 'Notes for this lesson')).toHaveValue('Bring the red book.');
    const dates = list('Part of a weekly series');
    await expect(dates).toContainText('Every Thursday, 4pm to 5pm, until 28 Mar 2030');
    await expect(dates.getByRole('listitem')).toHaveText([
      '14 MarThis lesson',
      '21 Mar4pm',
      '28 Mar4pm',
    ]);
    await button(dates, 'Edit series').click();
    await expect(textField(dialog(page, 'Edit Lesson'), 'Lesson Title')).toHaveValue(series.title);
    await button(dialog(page, 'Edit Lesson'), 'Cancel').click();
    await chooseLessonAction(page, 'Delete', 'Which lessons do you want to delete?');
    // If there is no next session, the URL redirects to the last one.
    await page.goto(`/lessons/${unpaidLesson.lessonId}`);
    await expectPath(page, `/sessions/${unpaidLesson.sessionId}`);
    await expect(lessonStatus(page)).toHaveText('Completed');
    await expect(detail(page, 'Money')).toHaveText('£38.00 Unpaid £38');
    await openSessionPage(page, freeLesson.sessionId);
    await expect(detail(page, 'Money')).toHaveText('Free lesson');
  });

  test('dashboard: undoes a bulk completion', async ({ page, api }) => {
    const maths = await api.addSubject('Maths', 38);
    const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
    const earlyLesson = { student: maya, subject: maths, date: TODAY, start: '16:00' };
    const saved = [
      await api.addLesson(earlyLesson),
      await api.addLesson({ ...earlyLesson, start: '18:00' }),
    ];
    await open(page, `/lessons/${saved[0]?.lessonId}/complete`, 'Complete lessons');
    await button(page, 'Complete 2 lessons (£76)').click();
    await expect(page.getByText(/^You're all caught up/)).toBeVisible();
    expect((await api.dashboard()).unpaidCount).toBe(1);
    await button(toastWithText(page, '2 lessons completed'), 'Undo').click();
    await expect(toastWithText(page, '2 lessons reopened')).toBeVisible();
    await expect(button(page, 'Complete 2 lessons (£76)')).toBeEnabled();
    expect(await api.dashboard()).toMatchObject({ incompleteCount: 2, unpaidCount: 0 });
  });
});
