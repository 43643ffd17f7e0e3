import { lessons } from '@lessonbook/contract/lessons';
import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createFamily,
  FRIDAY_9AM,
  SATURDAY_11AM,
  type Slot,
  TUESDAY_4PM,
} from '../../test/change-notice-fixture.ts';
import { parseIcs } from '../../test/ics-reader.ts';
import { addLesson, lessonBody, weekly } from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendTutorReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

describe('a notice is based on the last message to the family', () => {
  test('F12 move, notify, move back, move elsewhere, notify: the notice names the time last sent', async () => {
    const family = await createFamily(app);
    const second = await family.move(family.sessionId, FRIDAY_9AM);
    expect(await family.notify(second)).toHaveLength(1);
    await family.pauseJob();
    const back = await family.move(second, TUESDAY_4PM);
    const elsewhere = await family.move(back, SATURDAY_11AM);
    const [notice] = await family.notify(elsewhere);
    expect(notice?.subject).toBe('Lesson moved: Maya to Sat 21 Nov, 11am');
    expect(notice?.text).toContain(
      "Maya's Maths lesson on Friday 20 November at 9am is now on Saturday 21 November, 11am to 12 noon.",
    );
    expect(await family.notices()).toHaveLength(2);
  });

  test('F12 cancel, notify, reopen, cancel, notify: the family gets only new information', async () => {
    const family = await createFamily(app);
    await family.cancel(family.sessionId);
    expect(await family.notify(family.sessionId)).toHaveLength(1);
    await family.pauseJob();
    await family.reopen(family.sessionId);
    await family.cancel(family.sessionId);
    // The last message to the family already says that the lesson is cancelled.
    expect(await family.notify(family.sessionId)).toEqual([]);
    await family.reopen(family.sessionId);
    expect(await family.notify(family.sessionId)).toMatchObject([
      { subject: 'Lesson reinstated: Maya, Tue 17 Nov' },
    ]);
    await family.pauseJob();
    await family.cancel(family.sessionId);
    expect(await family.notify(family.sessionId)).toMatchObject([
      { subject: 'Lesson cancelled: Maya, Tue 17 Nov' },
    ]);
  });

  test('F12 cancel, notify, reopen, automatic correction, cancel, notify: the family gets three messages', async () => {
    const family = await createFamily(app);
    await family.cancel(family.sessionId);
    await family.notify(family.sessionId);
    await family.reopen(family.sessionId);
    await sendTutorReminders(app.context, family.tutorId);
    await family.pauseJob();
    await family.cancel(family.sessionId);
    expect(await family.notify(family.sessionId)).toHaveLength(1);
    expect((await family.notices()).map(({ subject }) => subject)).toEqual([
      'Lesson cancelled: Maya, Tue 17 Nov',
      'Lesson reinstated: Maya, Tue 17 Nov',
      'Lesson cancelled: Maya, Tue 17 Nov',
    ]);
  });

  test('F12 notifying after each move back and forth sends a message each time', async () => {
    const family = await createFamily(app);
    let id = family.sessionId;
    for (const slot of [FRIDAY_9AM, TUESDAY_4PM, FRIDAY_9AM, TUESDAY_4PM]) {
      id = await family.move(id, slot);
      expect(await family.notify(id)).toHaveLength(1);
      await family.pauseJob();
    }
    expect((await family.notices()).map(({ subject }) => subject)).toEqual([
      'Lesson moved: Maya to Fri 20 Nov, 9am',
      'Lesson moved: Maya to Tue 17 Nov, 4pm',
      'Lesson moved: Maya to Fri 20 Nov, 9am',
      'Lesson moved: Maya to Tue 17 Nov, 4pm',
    ]);
  });

  test('F12 an automatic correction is sent each time a lesson is moved back and forth', async () => {
    const family = await createFamily(app);
    await family.browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
    app.clock.advance({ hours: 5 });
    await sendTutorReminders(app.context, family.tutorId);
    await waitUntilMessagesProcessed(family.browser);
    let id = family.sessionId;
    for (const slot of [FRIDAY_9AM, TUESDAY_4PM, FRIDAY_9AM]) {
      id = await family.move(id, slot);
      await sendTutorReminders(app.context, family.tutorId);
      await sendTutorReminders(app.context, family.tutorId);
      await waitUntilMessagesProcessed(family.browser);
    }
    expect((await family.notices()).map(({ subject }) => subject)).toEqual([
      'Lesson moved: Maya to Fri 20 Nov, 9am',
      'Lesson moved: Maya to Tue 17 Nov, 4pm',
      'Lesson moved: Maya to Fri 20 Nov, 9am',
    ]);
  });

  test('F79 after three moves and one notice, the notice names the original time', async () => {
    const family = await createFamily(app);
    let id = family.sessionId;
    const monday: Slot = ['2026-11-23', '18:00', '19:00'];
    for (const slot of [FRIDAY_9AM, SATURDAY_11AM, monday]) id = await family.move(id, slot);
    const [notice] = await family.notify(id);
    expect(notice?.text).toContain(
      "Maya's Maths lesson on Tuesday 17 November at 4pm is now on Monday 23 November, 6pm to 7pm",
    );
    await family.pauseJob();
    await family.cancel(id);
    const [cancelled] = await family.notify(id);
    expect(cancelled?.text).toContain('Mon 23 Nov, Maya: Maths, 6pm to 7pm');
  });

  test('F79 nothing is sent for a lesson that was moved and then moved back before the family was notified', async () => {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    expect(await family.pending(moved)).toHaveLength(1);
    const back = await family.move(moved, TUESDAY_4PM);
    expect(await family.pending(back)).toEqual([]);
    expect(await family.notify(back)).toEqual([]);
    const preview = await family.browser.call(messages.previewChangeNotice, {
      body: { sessionIds: [back], channel: 'email' },
    });
    expect(preview.body).toEqual([]);
  });

  test('F79 a longer lesson with the same start time counts as a change', async () => {
    const family = await createFamily(app);
    const longer = await family.move(family.sessionId, ['2026-11-17', '16:00', '17:30']);
    const [notice] = await family.notify(longer);
    expect(notice?.text).toContain('is now from 4pm to 5:30pm (it was 4pm to 5pm)');
  });

  test('F12 a notice of a move across the end of daylight saving time uses local times', async () => {
    app.clock.set('2026-10-20T12:00:00Z');
    const family = await createFamily(app);
    const lesson = await addLesson(family.fixture, { date: '2026-10-24' });
    const winter = await family.move(lesson.sessionId, ['2026-10-25', '16:00', '17:00']);
    const [notice] = await family.notify(winter);
    expect(notice?.text).toContain(
      "Maya's Maths lesson on Saturday 24 October at 4pm is now on Sunday 25 October, 4pm to 5pm",
    );
    await family.pauseJob();
    const summer = await family.move(winter, ['2026-10-24', '16:00', '17:00']);
    expect(await family.pending(summer)).toMatchObject([
      { lastCommunicated: { date: '2026-10-25', startTime: '16:00', endTime: '17:00' } },
    ]);
    const starts = (await family.calendarFiles()).map((file) => parseIcs(file).events[0]?.start);
    expect(starts).toEqual([new Date('2026-10-25T16:00:00Z')]);
  });

  test('F12 notifying from two tabs at the same time sends one message', async () => {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    // Makes all the requests wait for the tutor's lock before any of them continues.
    const lockingClient = await app.admin.connect();
    await lockingClient.query('begin');
    await lockingClient.query('select from tutors where tutor_id = $1 for update', [
      family.tutorId,
    ]);
    const calls = [1, 2, 3, 4].map(() => family.notify(moved));
    await lockingClient.query('commit');
    lockingClient.release();
    expect((await Promise.all(calls)).flat()).toHaveLength(1);
    expect(await family.notices()).toHaveLength(1);
  });

  test('F12 an email notice is based on an earlier WhatsApp notice', async () => {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    const [draft] = await family.notify(moved, 'whatsapp');
    expect(draft).toMatchObject({ state: 'draft' });
    await family.browser.call(messages.markMessageOpened, { params: { id: draft?.id ?? 0 } });
    expect(await family.notify(moved)).toEqual([]);
    await family.pauseJob();
    const again = await family.move(moved, SATURDAY_11AM);
    const [notice] = await family.notify(again);
    expect(notice?.text).toContain(
      "Maya's Maths lesson on Friday 20 November at 9am is now on Saturday 21",
    );
  });
});

test('F12 a failed notice is pending again, and is not sent again once the lesson has changed', async () => {
  const family = await createFamily(app);
  const moved = await family.move(family.sessionId, FRIDAY_9AM);
  const [failed] = await family.notify(moved);
  await family.notices();
  await app.admin.query(`update messages set state = 'failed' where tutor_id = $1 and id = $2`, [
    family.tutorId,
    failed?.id,
  ]);
  expect(await family.pending(moved)).toMatchObject([{ change: 'moved', wasInformed: false }]);
  const again = await family.move(moved, SATURDAY_11AM);
  const retried = await family.browser.call(messages.retryMessage, {
    params: { id: failed?.id ?? 0 },
  });
  expect(retried.status).toBe(409);
  const [notice] = await family.notify(again);
  expect(notice?.text).toContain(
    "Maya's Maths lesson on Tuesday 17 November at 4pm is now on Saturday 21 November",
  );
});

describe('the calendar file', () => {
  test('F87 of a cancelled lesson has no meeting link', async () => {
    const family = await createFamily(app);
    const place = 'https://meet.example/maya';
    const { sessionId } = await addLesson(family.fixture, { date: '2026-11-19', place });
    const moved = await family.move(sessionId, FRIDAY_9AM);
    await family.notify(moved);
    await family.notices();
    await family.pauseJob();
    await family.cancel(moved);
    await family.notify(moved);
    const files = await family.calendarFiles();
    expect(
      files.map((file) => [/METHOD:(\w+)/.exec(file)?.[1], file.includes('meet.example')]),
    ).toEqual([
      ['PUBLISH', true],
      ['CANCEL', false],
    ]);
  });

  test('F79 keeps one UID and an increasing sequence through all moves and a cancellation', async () => {
    const family = await createFamily(app);
    // Waits for each email, because the worker may send several in any order.
    const notify = async (id: number) => {
      await family.notify(id);
      await family.notices();
      await family.pauseJob();
    };
    const second = await family.move(family.sessionId, FRIDAY_9AM);
    await notify(second);
    const third = await family.move(second, SATURDAY_11AM);
    await notify(third);
    await family.cancel(third);
    await notify(third);
    await family.reopen(third);
    await notify(third);
    const files = await family.calendarFiles();
    expect(files.map((file) => /METHOD:(\w+)/.exec(file)?.[1])).toEqual([
      'PUBLISH',
      'PUBLISH',
      'CANCEL',
      'PUBLISH',
    ]);
    const events = files.flatMap((file) => parseIcs(file).events);
    expect(events.map(({ start }) => start.toISOString())).toEqual([
      '2026-11-20T09:00:00.000Z',
      '2026-11-21T11:00:00.000Z',
      '2026-11-21T11:00:00.000Z',
      '2026-11-21T11:00:00.000Z',
    ]);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(1);
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
  });
});

describe('F112 a moved series', () => {
  const thursdays = { date: '2026-11-19', startTime: '17:00', endTime: '18:00' };

  async function moveSeries(family: Awaited<ReturnType<typeof createFamily>>) {
    const series = await addLesson(
      family.fixture,
      weekly({ startTime: '18:00', endTime: '19:00', recurringEndDate: '2026-12-15' }),
    );
    const { body } = await family.browser.call(lessons.updateLesson, {
      params: { id: series.lessonId },
      body: {
        ...lessonBody(family.fixture, weekly({ recurringEndDate: '2026-12-17' })),
        ...thursdays,
        scope: 'all',
        sessionId: series.sessionId,
      },
    });
    return body.moved;
  }

  const noticeBody = (moved: Awaited<ReturnType<typeof moveSeries>>) => ({
    sessionIds: moved.map(({ sessionId }) => sessionId),
    previousTimes: moved,
    channel: 'email' as const,
  });

  test('is described to the family in one sentence, and the notice is sent once', async () => {
    const family = await createFamily(app);
    const moved = await moveSeries(family);
    expect(moved.map(({ date, startTime }) => `${date} ${startTime}`)).toEqual(
      ['17', '24', '01', '08', '15'].map((day, index) =>
        index < 2 ? `2026-11-${day} 18:00` : `2026-12-${day} 18:00`,
      ),
    );
    const preview = await family.browser.call(messages.previewChangeNotice, {
      body: noticeBody(moved),
    });
    expect(preview.body).toHaveLength(1);
    expect(preview.body[0]?.text).toContain(
      "Maya's Maths lessons on Tuesdays at 6pm are now on Thursdays, 5pm to 6pm. The first is on Thursday 19 November.",
    );
    const sent = await family.browser.call(messages.sendChangeNotice, { body: noticeBody(moved) });
    expect(sent.body.messages).toHaveLength(1);
    const again = await family.browser.call(messages.previewChangeNotice, {
      body: noticeBody(moved),
    });
    expect(again.body).toEqual([]);
  });

  test('returns 404 if it belongs to another tutor', async () => {
    const family = await createFamily(app);
    const moved = await moveSeries(family);
    const other = await createFamily(app);
    // Ids are per tutor. The other tutor has fewer lessons, so these ids exist only for the first tutor.
    const reply = await other.browser.call(messages.previewChangeNotice, {
      body: noticeBody(moved),
    });
    expect(reply.status).toBe(404);
  });
});
