import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFamily } from '../../test/change-notice-fixture.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import { createCompletedLesson, readFamily, readOpenBill } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendTutorReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

const cancelLate = (family: Awaited<ReturnType<typeof createFamily>>, chargeFee: boolean) => {
  app.clock.set('2026-11-17T15:00:00Z');
  return family.browser.call(sessions.cancelSession, {
    params: { id: family.sessionId },
    body: { cancelledBy: 'carer', chargeFee },
  });
};

const FEE = 'The £35.00 late-cancellation fee applies.';
const NO_FEE = "You won't be charged.";

test('F73 a cancellation by the tutor says that nothing is charged', async () => {
  const family = await createFamily(app);
  await family.cancel(family.sessionId);
  const [notice] = await family.notify(family.sessionId);
  expect(notice?.text).toContain(`I'm sorry, this lesson has been cancelled. ${NO_FEE}`);
});

test('F73 a late cancellation says whether the fee applies', async () => {
  for (const chargeFee of [true, false]) {
    const family = await createFamily(app);
    await cancelLate(family, chargeFee);
    const [notice] = await family.notify(family.sessionId);
    expect(notice?.text).toContain(`This lesson has been cancelled. ${chargeFee ? FEE : NO_FEE}`);
    await app.restartClock();
  }
});

test('F73 an automatic correction also says whether the fee applies, even if the template does not mention it', async () => {
  const family = await createFamily(app);
  const { body } = await family.browser.call(reminders.reminderSettings);
  const { enabledAt: _enabledAt, defaultTemplates: _templates, ...settings } = body;
  const lesson_change = { subject: null, text: 'Dear {name},\n\n{lessons}\n\nAda' };
  await family.browser.call(reminders.saveReminderSettings, {
    body: { ...settings, templates: { ...settings.templates, lesson_change } },
  });
  await family.browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  app.clock.advance({ hours: 5 });
  await sendTutorReminders(app.context, family.tutorId);
  await waitUntilMessagesProcessed(family.browser);
  await cancelLate(family, true);
  await sendTutorReminders(app.context, family.tutorId);
  const [correction] = await family.notices();
  expect(correction?.text).toBe(
    `Dear Ruth,\n\nTue 17 Nov, Maya: Maths, 4pm to 5pm\n\n${FEE}\n\nAda`,
  );
});

test('F73 a message about several lessons says for each lesson whether a fee applies', async () => {
  const family = await createFamily(app);
  const other = await addLesson(family.fixture, {
    date: '2026-11-18',
    startTime: '09:00',
    endTime: '10:00',
  });
  await cancelLate(family, true);
  await family.cancel(other.sessionId);
  const sent = await family.browser.call(messages.sendChangeNotice, {
    body: { sessionIds: [family.sessionId, other.sessionId], channel: 'email' },
  });
  expect(sent.body.messages[0]?.text).toContain(
    `Tue 17 Nov, Maya: Maths, 4pm to 5pm. ${FEE}\n` +
      `Wed 18 Nov, Maya: Maths, 9am to 10am. ${NO_FEE}`,
  );
});

test('F88 a student who pays for themselves is addressed directly', async () => {
  const { browser } = await createTutorWhoCanEmailFamilies(app);
  const tom = await createStudent(browser, { name: 'Tom Brennan', email: 'tom@students.example' });
  const subject = await createSubject(browser, { name: 'Italian', defaultFee: 42 });
  const fixture = { browser, studentId: tom.id, subjectId: subject.id };
  const { sessionId } = await addLesson(fixture);
  const moved = await browser.call(sessions.rescheduleSession, {
    params: { id: sessionId },
    body: { date: '2026-11-17', startTime: '18:30', endTime: '19:30' },
  });
  const [notice] = (
    await browser.call(messages.previewChangeNotice, {
      body: { sessionIds: [moved.body.id], channel: 'email' },
    })
  ).body;
  expect(notice?.subject).toBe('Lesson moved: Italian to Tue 17 Nov, 6:30pm');
  expect(notice?.text).toContain(
    'Your Italian lesson on Tuesday 17 November is now from 6:30pm to 7:30pm (it was 4pm).',
  );
  const [reminder] = (await browser.call(reminders.previewFirstReminders)).body;
  expect(reminder?.subject).toBe('Lesson reminder: Tomorrow, Italian 6:30pm');
  expect(reminder?.text).toContain('Italian, 6:30pm to 7:30pm');
  await createCompletedLesson(fixture, tom.id, '2026-11-10');
  const payment = await browser.call(messages.previewReminder, {
    body: { familyId: tom.familyId as number, channel: 'email' },
  });
  expect(payment.body.text).toContain('Italian lesson, Tue 10 Nov');
  for (const text of [notice?.text, reminder?.text, payment.body.text]) {
    expect(text).not.toContain('Tom:');
  }
  await browser.call(messages.sendChangeNotice, {
    body: { sessionIds: [moved.body.id], channel: 'email' },
  });
  const mail = await app.mailbox.waitFor(({ to }) => to.includes('tom@students.example'));
  expect(mail.attachments[0]?.content.toString()).toMatch(/^SUMMARY:Italian\r?$/m);
  const { payToken } = await readFamily(browser, tom.familyId as number);
  const bill = await readOpenBill(app.browser(), payToken);
  expect(bill.lines).toMatchObject([{ studentName: null, description: 'Italian lesson' }]);
});
