import { lessons } from '@lessonbook/contract/lessons';
import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import { addLesson, type LessonFixture, lessonBody, weekly } from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendMessage } from './service/outbound/send-message.ts';
import { sendDueReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

let familyCount = 0;

/** A carer who has been sent a reminder about Maya's weekly lesson tomorrow, Tuesday 17 November at 16:00. */
async function createRemindedFamily(
  channels: ('email' | 'whatsapp')[] = ['email'],
  { isStalled = false } = {},
) {
  familyCount += 1;
  const { browser } = await createTutorWhoCanEmailFamilies(app);
  const carerEmail = `carer${familyCount}@families.example`;
  const carer = { carerName: 'Ruth Hale', carerEmail, carerPhone: '+447700900123' };
  const maya = await createStudent(browser, { name: 'Maya Hale', ...carer });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId: subject.id };
  const state = (await browser.call(reminders.reminderSettings)).body;
  await browser.call(reminders.saveReminderSettings, { body: { ...state, channels } });
  const lesson = await addLesson(fixture, weekly());
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  app.clock.set('2026-11-16T17:00:00Z');
  const stall = isStalled ? app.mailbox.stallBeforeData() : null;
  await sendDueReminders(app.context);
  const log = () => waitUntilMessagesProcessed(browser);
  await (stall?.reached ?? log());
  /** Change notices sent after the reminder. The job runs twice to show that each is sent only once. */
  const corrections = async () => {
    await sendDueReminders(app.context);
    await sendDueReminders(app.context);
    return (await log()).filter((message) => message.kind === 'lesson_change').toReversed();
  };
  const cancel = (body: object) =>
    browser.call(sessions.cancelSession, { params: { id: lesson.sessionId }, body: body as never });
  const move = (date: string, startTime: string, endTime: string) =>
    browser.call(sessions.rescheduleSession, {
      params: { id: lesson.sessionId },
      body: { date, startTime, endTime },
    });
  return { browser, fixture, lesson, corrections, log, cancel, move, stall };
}

describe('a carer who has received a reminder is sent a correction', () => {
  test('when the lesson is cancelled, with or without a fee', async () => {
    for (const chargeFee of [false, true]) {
      const family = await createRemindedFamily();
      await family.cancel({ cancelledBy: 'carer', chargeFee });
      expect(await family.corrections()).toMatchObject([
        { subject: 'Lesson cancelled: Maya, Tue 17 Nov', state: 'sent', toName: 'Ruth Hale' },
      ]);
    }
  });

  test('when the lesson is moved, and again when it is moved a second time', async () => {
    const family = await createRemindedFamily();
    await family.move('2026-11-20', '09:00', '10:00');
    const [first] = await family.corrections();
    expect(first?.subject).toBe('Lesson moved: Maya to Fri 20 Nov, 9am');
    const mail = app.mailbox.emails().find(({ subject }) => subject === first?.subject);
    // The event keeps its UID, so that the calendar moves it.
    expect(mail?.attachments.map((part) => part.content.toString())).toEqual([
      expect.stringMatching(/METHOD:PUBLISH[\s\S]*DTSTART:20261120T090000Z/),
    ]);
    expect(first?.text).toContain(
      "Maya's Maths lesson on Tuesday 17 November at 4pm is now on Friday 20 November, 9am to 10am",
    );
    const { body } = await family.browser.call(sessions.session, {
      params: { id: family.lesson.sessionId },
    });
    await family.browser.call(sessions.rescheduleSession, {
      params: { id: body.rescheduledToSessionId ?? 0 },
      body: { date: '2026-11-21', startTime: '11:00', endTime: '12:00' },
    });
    const [, second] = await family.corrections();
    expect(second?.text).toContain(
      "Maya's Maths lesson on Friday 20 November at 9am is now on Saturday 21 November, 11am to 12 noon",
    );
  });

  test('when the series is moved to another time or deleted', async () => {
    const moved = await createRemindedFamily();
    await moved.browser.call(lessons.updateLesson, {
      params: { id: moved.lesson.lessonId },
      body: {
        ...lessonBody(moved.fixture, { ...weekly(), startTime: '18:00', endTime: '19:00' }),
        scope: 'all',
        sessionId: moved.lesson.sessionId,
      },
    });
    expect(await moved.corrections()).toMatchObject([
      { text: expect.stringContaining('is now from 6pm to 7pm (it was 4pm)') },
    ]);
    const deleted = await createRemindedFamily();
    await deleted.browser.call(lessons.deleteLesson, {
      params: { id: deleted.lesson.lessonId },
      query: { scope: 'all', sessionId: deleted.lesson.sessionId },
    });
    expect(await deleted.corrections()).toMatchObject([
      { subject: 'Lesson cancelled: Maya, Tue 17 Nov' },
    ]);
  });

  test('when a cancelled lesson is reopened', async () => {
    const family = await createRemindedFamily();
    await family.cancel({ cancelledBy: 'tutor' });
    expect(await family.corrections()).toHaveLength(1);
    await family.browser.call(sessions.reopenSession, {
      params: { id: family.lesson.sessionId },
      body: {},
    });
    const [, correction] = await family.corrections();
    expect(correction?.subject).toBe('Lesson reinstated: Maya, Tue 17 Nov');
    expect(correction?.text).toContain('Good news: this lesson is back on.');
  });

  test('but not when the tutor has sent a change notice, or when the lesson is completed without a charge', async () => {
    const notified = await createRemindedFamily();
    await notified.cancel({ cancelledBy: 'tutor' });
    const sessionIds = [notified.lesson.sessionId];
    await notified.browser.call(messages.sendChangeNotice, {
      body: { sessionIds, channel: 'email', text: 'In my words' },
    });
    expect((await notified.corrections()).map((message) => message.text)).toEqual(['In my words']);

    const completed = await createRemindedFamily();
    app.clock.advance({ days: 1 });
    await completed.browser.call(sessions.completeSession, {
      params: { id: completed.lesson.sessionId },
      body: { attendance: 'absent', charge: false },
    });
    expect(await completed.corrections()).toEqual([]);
  });
});

test('a carer gets a correction if the lesson is cancelled while the reminder is being sent', async () => {
  const family = await createRemindedFamily(['email'], { isStalled: true });
  await family.cancel({ cancelledBy: 'tutor' });
  await sendDueReminders(app.context);
  family.stall?.release();
  const [reminder] = await family.log();
  expect(reminder).toMatchObject({ kind: 'lesson_reminder', state: 'sent' });
  expect(await family.corrections()).toMatchObject([{ state: 'sent' }]);
});

test('a draft is updated or skipped when the lesson changes', async () => {
  const moved = await createRemindedFamily(['whatsapp']);
  await moved.move('2026-11-17', '18:30', '19:30');
  await moved.corrections();
  expect((await moved.browser.call(messages.outbox)).body).toEqual([]);
  const later = await createRemindedFamily(['whatsapp']);
  await later.browser.call(lessons.updateLesson, {
    params: { id: later.lesson.lessonId },
    body: {
      ...lessonBody(later.fixture, { ...weekly(), startTime: '18:00', endTime: '19:00' }),
      scope: 'all',
      sessionId: later.lesson.sessionId,
    },
  });
  await later.corrections();
  const [draft] = (await later.browser.call(messages.outbox)).body;
  expect(draft?.text).toContain('Maya: Maths, 6pm to 7pm');
});

describe('after a worker has crashed between sending a reminder and marking it as sent', () => {
  /** The state after such a crash: the email was delivered, but the message is still marked as waiting. */
  async function createUnmarkedReminder(sentAt: string | null = null) {
    const family = await createRemindedFamily();
    const [message] = await family.log();
    const maintenance = new pg.Client(app.urls.maintenanceUrl);
    await maintenance.connect();
    const { rows } = await maintenance.query<{ tutorId: string }>(
      `update messages set state = 'waiting', attempts = 0, sent_at = $2 where public_id = (
         select public_id from messages where address = $1) returning tutor_id as "tutorId"`,
      [message?.address, sentAt],
    );
    await maintenance.end();
    const tutorId = rows[0]?.tutorId ?? '';
    const retry = (previousAttempts: number) =>
      sendMessage(app.context, { tutorId, messageId: message?.id ?? 0 }, previousAttempts);
    const state = async () =>
      (await family.log()).find(({ kind }) => kind === 'lesson_reminder')?.state;
    return { ...family, retry, state };
  }

  test('a correction is sent when the lesson is cancelled before the retry', async () => {
    const family = await createUnmarkedReminder();
    await family.cancel({ cancelledBy: 'tutor' });
    await family.retry(1);
    expect(await family.state()).toBe('skipped');
    expect(await family.corrections()).toMatchObject([{ state: 'sent' }]);
  });

  test('a correction is sent when the reminder job runs between the cancellation and the retry', async () => {
    const family = await createUnmarkedReminder();
    await family.cancel({ cancelledBy: 'tutor' });
    await sendDueReminders(app.context);
    await family.retry(1);
    expect(await family.corrections()).toMatchObject([{ state: 'sent' }]);
  });

  test('a correction is sent when the SMTP connection was lost after the data was sent', async () => {
    const family = await createUnmarkedReminder('2026-11-16T14:00:00Z');
    await family.cancel({ cancelledBy: 'tutor' });
    await family.retry(0);
    expect(await family.state()).toBe('skipped');
    expect(await family.corrections()).toHaveLength(1);
  });

  test('a correction is sent instead of the reminder when the lesson is moved', async () => {
    const family = await createUnmarkedReminder();
    await family.move('2026-11-17', '18:30', '19:30');
    await family.retry(1);
    const [correction] = await family.corrections();
    expect(correction?.text).toContain('6:30pm');
  });

  test('no correction is sent when the reminder is known not to have been sent', async () => {
    const family = await createUnmarkedReminder();
    await family.cancel({ cancelledBy: 'tutor' });
    await family.retry(0);
    expect(await family.state()).toBe('skipped');
    expect(await family.corrections()).toEqual([]);
  });
});
