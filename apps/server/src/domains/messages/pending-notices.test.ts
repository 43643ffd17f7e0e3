import { accounts } from '@lessonbook/contract/accounts';
import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFamily, FRIDAY_9AM } from '../../test/change-notice-fixture.ts';
import { addLesson, fetchSessionsBetween, weekly } from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendDueReminders, sendTutorReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

describe('corrections without reminders', () => {
  test('F13 move, notify, undo: the family gets a correction', async () => {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    await family.notify(moved);
    await family.browser.call(sessions.undoReschedule, { params: { id: moved } });
    await sendDueReminders(app.context);
    await sendTutorReminders(app.context, family.tutorId);
    const notices = await family.notices();
    expect(notices).toHaveLength(2);
    expect(notices[1]?.text).toContain(
      "Maya's Maths lesson on Friday 20 November at 9am is now on Tuesday 17 November, 4pm to 5pm",
    );
  });

  test('F13 cancel, notify, reopen: the family gets a correction, even days later', async () => {
    const family = await createFamily(app);
    const later = await addLesson(family.fixture, { date: '2027-02-02' });
    await family.cancel(later.sessionId);
    await family.notify(later.sessionId);
    await sendDueReminders(app.context);
    app.clock.advance({ days: 20 });
    await sendDueReminders(app.context);
    await family.reopen(later.sessionId);
    await sendDueReminders(app.context);
    await sendTutorReminders(app.context, family.tutorId);
    expect((await family.notices()).map(({ subject }) => subject)).toEqual([
      'Lesson cancelled: Maya, Tue 2 Feb 2027',
      'Lesson reinstated: Maya, Tue 2 Feb 2027',
    ]);
  });

  test('F13 a reminder is corrected even after reminders have been turned off', async () => {
    const family = await createFamily(app);
    await family.browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
    app.clock.advance({ hours: 5 });
    await sendTutorReminders(app.context, family.tutorId);
    await waitUntilMessagesProcessed(family.browser);
    await family.browser.call(reminders.stopReminders);
    await sendTutorReminders(app.context, family.tutorId);
    await family.cancel(family.sessionId);
    await sendDueReminders(app.context);
    await sendTutorReminders(app.context, family.tutorId);
    expect(await family.notices()).toMatchObject([
      { subject: 'Lesson cancelled: Maya, Tue 17 Nov' },
    ]);
  });

  test('F13 nothing is sent automatically to a family that has received no message about the lesson', async () => {
    const family = await createFamily(app);
    await family.cancel(family.sessionId);
    await sendTutorReminders(app.context, family.tutorId);
    expect(await family.notices()).toEqual([]);
  });

  test('F13 a correction that the tutor dismissed is not created again', async () => {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    const [first] = await family.notify(moved, 'whatsapp');
    await family.browser.call(messages.setMessageOutcome, {
      params: { id: first?.id ?? 0 },
      body: { outcome: 'sent' },
    });
    await family.cancel(moved);
    await sendTutorReminders(app.context, family.tutorId);
    const [draft] = (await family.browser.call(messages.outbox)).body;
    expect(draft?.subject).toBe('Lesson cancelled: Maya, Fri 20 Nov');
    await family.browser.call(messages.setMessageOutcome, {
      params: { id: draft?.id ?? 0 },
      body: { outcome: 'dismissed' },
    });
    await sendTutorReminders(app.context, family.tutorId);
    expect((await family.browser.call(messages.outbox)).body).toEqual([]);
    // The tutor can still send the notice.
    expect(await family.pending(moved)).toMatchObject([{ change: 'cancelled', wasInformed: true }]);
  });
});

describe('the list of pending notices', () => {
  test('F79 contains a change until the family is notified, whether one session or all sessions are requested', async () => {
    const family = await createFamily(app);
    expect(await family.pending()).toEqual([]);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    const notice = {
      sessionId: moved,
      change: 'moved',
      studentName: 'Maya Hale',
      toName: 'Ruth Hale',
      wasInformed: false,
      lastCommunicated: { date: '2026-11-17', startTime: '16:00', endTime: '17:00' },
      date: '2026-11-20',
      startTime: '09:00',
      endTime: '10:00',
    };
    expect(await family.pending(moved)).toEqual([notice]);
    expect(await family.pending()).toEqual([notice]);
    await family.notify(moved);
    await family.pauseJob();
    expect(await family.pending(moved)).toEqual([]);
    expect(await family.pending()).toEqual([]);
    await family.cancel(moved);
    expect(await family.pending()).toMatchObject([
      {
        sessionId: moved,
        change: 'cancelled',
        wasInformed: true,
        lastCommunicated: { date: '2026-11-20', startTime: '09:00', endTime: '10:00' },
      },
    ]);
    await family.notify(moved);
    await family.pauseJob();
    await family.reopen(moved);
    expect(await family.pending()).toMatchObject([{ change: 'restored', lastCommunicated: null }]);
  });

  test('F79 leaves out changes that need no message: past lessons, and cancellations by the family', async () => {
    const family = await createFamily(app);
    await family.browser.call(sessions.cancelSession, {
      params: { id: family.sessionId },
      body: { cancelledBy: 'carer' },
    });
    expect(await family.pending()).toEqual([]);
    expect(await family.pending(family.sessionId)).toEqual([]);
    const other = await addLesson(family.fixture, { date: '2026-11-18' });
    await family.cancel(other.sessionId);
    expect(await family.pending()).toMatchObject([{ sessionId: other.sessionId }]);
    app.clock.advance({ days: 3 });
    expect(await family.pending()).toEqual([]);
    expect(await family.pending(other.sessionId)).toEqual([]);
  });

  test('F79 contains a lesson moved from tomorrow to a date far in the future', async () => {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, ['2027-01-25', '16:00', '17:00']);
    expect(await family.pending()).toMatchObject([
      { sessionId: moved, change: 'moved', lastCommunicated: { date: '2026-11-17' } },
    ]);
  });

  test('F79 contains a change that follows more than a hundred changes already sent to families', async () => {
    const family = await createFamily(app);
    for (const date of ['2026-11-18', '2026-11-19', '2026-11-20'])
      for (const hour of ['08', '09', '10', '11', '12'])
        await addLesson(family.fixture, {
          ...weekly({ recurringEndDate: '2026-12-31' }),
          date,
          startTime: `${hour}:00`,
          endTime: `${hour}:45`,
        });
    const weeks = { fromDate: '2026-11-18', toDate: '2026-12-31' };
    const covered = await fetchSessionsBetween(family.fixture, weeks.fromDate, weeks.toDate);
    const sessionIds = covered.map(({ id }) => id);
    expect(sessionIds.length).toBeGreaterThan(100);
    await family.browser.call(timeOff.createTimeOff, {
      body: { ...weeks, cancelSessionIds: sessionIds },
    });
    await family.browser.call(messages.sendChangeNotice, {
      body: { sessionIds, channel: 'email' },
    });
    await family.pauseJob();
    const later = await addLesson(family.fixture, { date: '2027-01-04' });
    await family.cancel(later.sessionId);
    expect(await family.pending()).toMatchObject([{ sessionId: later.sessionId }]);
  });

  test('F79 leaves out lessons that were created during time off', async () => {
    const family = await createFamily(app);
    const week = { fromDate: '2026-12-21', toDate: '2026-12-27' };
    await family.browser.call(timeOff.createTimeOff, { body: { ...week, cancelSessionIds: [] } });
    await addLesson(family.fixture, weekly({ date: '2026-12-16', recurringEndDate: '2026-12-30' }));
    const [cancelled] = await fetchSessionsBetween(family.fixture, week.fromDate, week.toDate);
    expect(cancelled).toMatchObject({ date: '2026-12-23', status: 'cancelled' });
    expect(await family.pending()).toEqual([]);
    expect(await family.pending(cancelled?.id)).toEqual([]);
  });

  test('F79 is not affected by a change of time zone, because local times stay the same', async () => {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    await family.notify(moved);
    const other = await addLesson(family.fixture, { date: '2026-11-18' });
    const movedAway = await family.move(other.sessionId, ['2026-11-19', '16:00', '17:00']);
    const movedBack = await family.move(movedAway, ['2026-11-18', '16:00', '17:00']);
    await waitUntilMessagesProcessed(family.browser);
    const { name, email } = (await family.browser.call(accounts.me)).body;
    const saved = await family.browser.call(accounts.updateMe, {
      body: { name, email, timeZone: 'Europe/Paris' },
    });
    expect(saved.status).toBe(200);
    expect(await family.pending()).toEqual([]);
    for (const id of [moved, movedBack]) expect(await family.notify(id)).toEqual([]);
    await sendTutorReminders(app.context, family.tutorId);
    expect(await family.notices()).toHaveLength(1);
    const again = await family.move(moved, ['2026-11-20', '10:00', '11:00']);
    expect(await family.pending(again)).toMatchObject([
      { lastCommunicated: { date: '2026-11-20', startTime: '09:00', endTime: '10:00' } },
    ]);
  });

  test("F79 returns 404 for another tutor's session", async () => {
    const [mine, theirs] = [await createFamily(app), await createFamily(app)];
    // An id that exists only for the other tutor.
    const { sessionId } = await addLesson(theirs.fixture, { date: '2026-11-19' });
    const body = { sessionIds: [sessionId], channel: 'email' as const };
    const { browser } = mine;
    for (const response of [
      await browser.call(messages.pendingNotices, { query: { sessionId } }),
      await browser.call(messages.previewChangeNotice, { body }),
      await browser.call(messages.sendChangeNotice, { body }),
    ])
      expect(response.status).toBe(404);
  });
});
