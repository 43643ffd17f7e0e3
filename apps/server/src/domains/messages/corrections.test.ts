import { lessons } from '@lessonbook/contract/lessons';
import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminders';
import { sessions } from '@lessonbook/contract/sessions';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/factories.ts';
import { addLesson, type LessonFixture, lessonBody, weekly } from '../../test/lesson-fixture.ts';
import { settledMessages } from '../../test/settled-messages.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createVerifiedTutor } from '../../test/tutor.ts';
import { sendMessage } from './service/outbound/send-message.ts';
import { sendDueReminders } from './service/reminders/lesson-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

let families = 0;

/** A carer who was reminded by mail of Maya's weekly lesson tomorrow, Tuesday 17 November at 16:00. */
async function createRemindedFamily(channels: ('email' | 'whatsapp')[] = ['email']) {
  families += 1;
  const { browser } = await createVerifiedTutor(app);
  const carerEmail = `carer${families}@families.example`;
  const carer = { carerName: 'Ruth Hale', carerEmail, carerPhone: '+447700900123' };
  const maya = await newStudent(browser, { name: 'Maya Hale', ...carer });
  const subject = await newSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId: subject.id };
  const state = (await browser.call(reminders.reminderSettings)).body;
  await browser.call(reminders.saveReminderSettings, { body: { ...state, channels } });
  const lesson = await addLesson(fixture, weekly());
  await browser.call(reminders.startReminders);
  app.clock.forward({ hours: 5 });
  await sendDueReminders(app.context);
  const log = () => settledMessages(browser);
  await log();
  /** What was sent after the reminder, however often the tick comes. */
  const told = async () => {
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
  return { browser, desk: fixture, lesson, told, log, cancel, move };
}

describe('whoever was reminded is corrected', () => {
  test('when the lesson is called off, for nothing or for a fee', async () => {
    for (const chargeFee of [false, true]) {
      const book = await createRemindedFamily();
      await book.cancel({ cancelledBy: 'carer', chargeFee });
      expect(await book.told()).toMatchObject([
        { subject: 'Cancelled: Maya Tue 17 Nov', state: 'sent', toName: 'Ruth Hale' },
      ]);
    }
  });

  test('when it is moved, and moved again', async () => {
    const book = await createRemindedFamily();
    await book.move('2026-11-20', '09:00', '10:00');
    const [first] = await book.told();
    expect(first?.subject).toBe('Moved: Maya Tue 17 Nov');
    const mail = app.mailbox.mails().find((each) => each.subject === first?.subject);
    expect(mail?.attachments.map((part) => part.content.toString())).toEqual([
      expect.stringMatching(/METHOD:PUBLISH[\s\S]*DTSTART:20261120T090000Z/),
      expect.stringMatching(/METHOD:CANCEL[\s\S]*DTSTART:20261117T160000Z[\s\S]*STATUS:CANCELLED/),
    ]);
    expect(first?.text).toContain(
      'Tue 17 Nov, Maya: Maths, 4:00 pm to 5:00 pm\nis now Fri 20 Nov, 9:00 am to 10:00 am',
    );
    const { body } = await book.browser.call(sessions.session, {
      params: { id: book.lesson.sessionId },
    });
    await book.browser.call(sessions.rescheduleSession, {
      params: { id: body.rescheduledToSessionId ?? 0 },
      body: { date: '2026-11-21', startTime: '11:00', endTime: '12:00' },
    });
    const [, second] = await book.told();
    expect(second?.text).toContain('is now Sat 21 Nov, 11:00 am to 12:00 pm');
  });

  test('when the whole series changes its time, or is deleted', async () => {
    const moved = await createRemindedFamily();
    await moved.browser.call(lessons.updateLesson, {
      params: { id: moved.lesson.lessonId },
      body: {
        ...lessonBody(moved.desk, { ...weekly(), startTime: '18:00', endTime: '19:00' }),
        scope: 'all',
        sessionId: moved.lesson.sessionId,
      },
    });
    expect(await moved.told()).toMatchObject([
      { text: expect.stringContaining('is now Tue 17 Nov, 6:00 pm to 7:00 pm') },
    ]);
    const gone = await createRemindedFamily();
    await gone.browser.call(lessons.deleteLesson, {
      params: { id: gone.lesson.lessonId },
      query: { scope: 'all', sessionId: gone.lesson.sessionId },
    });
    expect(await gone.told()).toMatchObject([{ subject: 'Cancelled: Maya Tue 17 Nov' }]);
  });

  test('when a cancelled one takes place after all', async () => {
    const book = await createRemindedFamily();
    await book.cancel({ cancelledBy: 'tutor' });
    expect(await book.told()).toHaveLength(1);
    await book.browser.call(sessions.reopenSession, {
      params: { id: book.lesson.sessionId },
      body: {},
    });
    const [, back] = await book.told();
    expect(back?.subject).toBe('On again: Maya Tue 17 Nov');
    expect(back?.text).toContain('This lesson takes place after all:');
  });

  test('but not when the tutor has told them, nor of a lesson that took place for nothing', async () => {
    const told = await createRemindedFamily();
    await told.cancel({ cancelledBy: 'tutor' });
    const body = { kind: 'cancelled', sessionIds: [told.lesson.sessionId], channel: 'email' };
    await told.browser.call(messages.sendChangeNotice, {
      body: { ...body, text: 'In my words' } as never,
    });
    expect((await told.told()).map((message) => message.text)).toEqual(['In my words']);

    const taught = await createRemindedFamily();
    app.clock.forward({ days: 1 });
    await taught.browser.call(sessions.completeSession, {
      params: { id: taught.lesson.sessionId },
      body: { attendance: 'absent', charge: false },
    });
    expect(await taught.told()).toEqual([]);
  });
});

test('a draft in the tray follows the lesson until it is opened', async () => {
  const moved = await createRemindedFamily(['whatsapp']);
  await moved.move('2026-11-17', '18:30', '19:30');
  await moved.told();
  expect((await moved.browser.call(messages.outbox)).body).toEqual([]);
  const later = await createRemindedFamily(['whatsapp']);
  await later.browser.call(lessons.updateLesson, {
    params: { id: later.lesson.lessonId },
    body: {
      ...lessonBody(later.desk, { ...weekly(), startTime: '18:00', endTime: '19:00' }),
      scope: 'all',
      sessionId: later.lesson.sessionId,
    },
  });
  await later.told();
  const [draft] = (await later.browser.call(messages.outbox)).body;
  expect(draft?.text).toContain('Maya: Maths, 6:00 pm to 7:00 pm');
});

describe('a worker that dies between handing a reminder over and noting it', () => {
  /** The book as such a death leaves it: the letter has arrived, and nothing says so. */
  async function unnoted(sentAt: string | null = null) {
    const book = await createRemindedFamily();
    const [message] = await book.log();
    const maintenance = new pg.Client(app.urls.maintenanceUrl);
    await maintenance.connect();
    const { rows } = await maintenance.query<{ tutorId: string }>(
      `update messages set state = 'waiting', attempts = 0, sent_at = $2 where public_id = (
         select public_id from messages where address = $1) returning tutor_id as "tutorId"`,
      [message?.address, sentAt],
    );
    await maintenance.end();
    const tutorId = rows[0]?.tutorId ?? '';
    const again = (previousAttempts: number) =>
      sendMessage(app.context, { tutorId, messageId: message?.id ?? 0 }, previousAttempts);
    const state = async () =>
      (await book.log()).find(({ kind }) => kind === 'lesson_reminder')?.state;
    return { ...book, again, state };
  }

  test('and a lesson that is called off before it is tried again: the reader is told', async () => {
    const book = await unnoted();
    await book.cancel({ cancelledBy: 'tutor' });
    await book.again(1);
    expect(await book.state()).toBe('skipped');
    expect(await book.told()).toMatchObject([{ state: 'sent' }]);
  });

  test('likewise where the line was cut after the letter', async () => {
    const book = await unnoted('2026-11-16T14:00:00Z');
    await book.cancel({ cancelledBy: 'tutor' });
    await book.again(0);
    expect(await book.state()).toBe('skipped');
    expect(await book.told()).toHaveLength(1);
  });

  test('what is moved is not said again under the same name, but corrected', async () => {
    const book = await unnoted();
    await book.move('2026-11-17', '18:30', '19:30');
    await book.again(1);
    const [correction] = await book.told();
    expect(correction?.text).toContain('6:30 pm');
  });

  test('of what surely never went, nobody is told', async () => {
    const book = await unnoted();
    await book.cancel({ cancelledBy: 'tutor' });
    await book.again(0);
    expect(await book.state()).toBe('skipped');
    expect(await book.told()).toEqual([]);
  });
});
