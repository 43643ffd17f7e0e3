import { type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
  fetchSessionsBetween,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const scheduledOn = (dates: string[], time = '16:00') =>
  dates.map((date) => `${date} ${time} scheduled`);

async function sessionIdOn(fixture: LessonFixture, date: string): Promise<number> {
  const [row] = await fetchSessionsBetween(fixture, date, date);
  if (!row) throw new Error(`no session on ${date}`);
  return row.id;
}

/** The request body for updating the weekly lesson. */
function lessonChange(
  fixture: LessonFixture,
  sessionId: number,
  scope: LessonUpdate['scope'],
  date: string,
  change: Partial<LessonUpdate> = {},
) {
  return { ...lessonBody(fixture, weekly()), date, scope, sessionId, ...change };
}

const updateLesson = (
  fixture: LessonFixture,
  lessonId: number,
  body: ReturnType<typeof lessonChange>,
) => fixture.browser.call(lessons.updateLesson, { params: { id: lessonId }, body });

describe('scope "this"', () => {
  test('a reschedule links the old and new sessions and changes no others', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    const id = await sessionIdOn(fixture, '2026-11-24');
    const saved = await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, id, 'this', '2026-11-26'),
    );
    expect(saved.status).toBe(200);
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-24 16:00 rescheduled',
      '2026-11-26 16:00 scheduled',
      ...scheduledOn(['2026-12-01', '2026-12-08', '2026-12-15']),
    ]);
    const newId = saved.body.sessionId ?? 0;
    const old = (await fixture.browser.call(sessions.session, { params: { id } })).body;
    const moved = (await fixture.browser.call(sessions.session, { params: { id: newId } })).body;
    expect(old.rescheduledToSessionId).toBe(newId);
    expect(moved.rescheduledFromSessionId).toBe(id);
  });

  test('an edited session keeps its edit when the series changes, unless includeEdited is set', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    const id = await sessionIdOn(fixture, '2026-11-24');
    await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, id, 'this', '2026-11-24', { fee: 50 }),
    );
    const first = await sessionIdOn(fixture, '2026-11-17');
    const all = await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, first, 'all', '2026-11-17', { fee: 40 }),
    );
    expect(all.body.consequences).toMatchObject({
      changed: 4,
      unchanged: [{ reason: 'edited', count: 1 }],
    });
    const fees = async () =>
      (await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31')).map((row) => row.fee);
    expect(await fees()).toEqual([4000, 5000, 4000, 4000, 4000]);
    await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, first, 'all', '2026-11-17', { fee: 45, includeEdited: true }),
    );
    expect(await fees()).toEqual([4500, 4500, 4500, 4500, 4500]);
  });
});

describe('scope "following"', () => {
  test('ends the old lesson and starts a linked lesson on the new day', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    const id = await sessionIdOn(fixture, '2026-12-01');
    const saved = await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, id, 'following', '2026-12-03', {
        startTime: '17:00',
        endTime: '18:00',
        recurringEndDate: '2026-12-17',
      }),
    );
    expect(saved.body.consequences).toMatchObject({ changed: 3, created: 0, removed: 0 });
    expect(await fetchSessionsAsText(fixture)).toEqual([
      ...scheduledOn(['2026-11-17', '2026-11-24']),
      ...scheduledOn(['2026-12-03', '2026-12-10', '2026-12-17'], '17:00'),
    ]);
    const old = (await fixture.browser.call(lessons.lesson, { params: { id: lessonId } })).body;
    const continuation = (
      await fixture.browser.call(lessons.lesson, { params: { id: saved.body.lessonId } })
    ).body;
    expect(old.recurringEndDate).toBe('2026-11-30');
    expect(continuation).toMatchObject({
      continuesLessonId: lessonId,
      date: '2026-12-03',
      startTime: '17:00',
      recurringDay: 4,
    });
  });

  test('has the same effect as "all" when applied from the first session', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    const saved = await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, sessionId, 'following', '2026-11-18', {
        recurringEndDate: '2026-12-16',
      }),
    );
    expect(saved.body.lessonId).toBe(lessonId);
    expect(await fetchSessionsAsText(fixture)).toEqual(
      scheduledOn(['2026-11-18', '2026-11-25', '2026-12-02', '2026-12-09', '2026-12-16']),
    );
  });

  test('does not change completed, cancelled or moved sessions and does not refill their dates', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    const moved = await sessionIdOn(fixture, '2026-12-01');
    const cancelled = await sessionIdOn(fixture, '2026-12-08');
    await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: moved },
      body: { date: '2026-12-04', startTime: '09:00', endTime: '10:00' },
    });
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: cancelled },
      body: { cancelledBy: 'carer' },
    });
    const id = await sessionIdOn(fixture, '2026-11-24');
    const saved = await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, id, 'following', '2026-11-26', { recurringEndDate: '2026-12-17' }),
    );
    expect(saved.body.consequences.unchanged).toEqual([
      { reason: 'moved', count: 1 },
      { reason: 'cancelled', count: 1 },
    ]);
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-26 16:00 scheduled',
      '2026-12-01 16:00 rescheduled',
      '2026-12-04 09:00 scheduled',
      '2026-12-08 16:00 cancelled',
      '2026-12-17 16:00 scheduled',
    ]);
  });
});

describe('scope "all"', () => {
  test('leaves past sessions unchanged and moves the rest', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    app.clock.advance({ days: 9 });
    const id = await sessionIdOn(fixture, '2026-12-01');
    const saved = await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, id, 'all', '2026-12-02', { recurringEndDate: '2026-12-16' }),
    );
    await app.restartClock();
    expect(saved.body.consequences.unchanged).toEqual([{ reason: 'past', count: 2 }]);
    expect(await fetchSessionsAsText(fixture)).toEqual([
      ...scheduledOn(['2026-11-17', '2026-11-24']),
      ...scheduledOn(['2026-12-02', '2026-12-09', '2026-12-16']),
    ]);
  });

  test('an earlier end date removes sessions, and a later end date adds sessions', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    const shorter = await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, sessionId, 'all', '2026-11-17', { recurringEndDate: '2026-12-01' }),
    );
    expect(shorter.body.consequences).toMatchObject({ changed: 3, removed: 2 });
    expect(await fetchSessionsAsText(fixture)).toEqual(
      scheduledOn(['2026-11-17', '2026-11-24', '2026-12-01']),
    );
    const longer = await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, sessionId, 'all', '2026-11-17', { recurringEndDate: '2026-12-08' }),
    );
    expect(longer.body.consequences).toMatchObject({ changed: 3, created: 1 });
    expect(await fetchSessionsAsText(fixture)).toEqual(
      scheduledOn(['2026-11-17', '2026-11-24', '2026-12-01', '2026-12-08']),
    );
  });

  test('a weekly lesson becomes biweekly', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, sessionId, 'all', '2026-11-17', { recurringPattern: 'biweekly' }),
    );
    expect(await fetchSessionsAsText(fixture)).toEqual(
      scheduledOn(['2026-11-17', '2026-12-01', '2026-12-15']),
    );
  });

  test('a one-off lesson becomes recurring', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture);
    await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, sessionId, 'all', '2026-11-17', { recurringEndDate: '2026-12-01' }),
    );
    expect(await fetchSessionsAsText(fixture)).toEqual(
      scheduledOn(['2026-11-17', '2026-11-24', '2026-12-01']),
    );
  });

  test('the preview shows the overlaps, and the change returns 409 until they are accepted', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    await addLesson(fixture, { date: '2026-11-26', startTime: '16:30', endTime: '17:30' });
    const body = lessonChange(fixture, sessionId, 'all', '2026-11-19', {
      recurringEndDate: '2026-12-17',
    });
    const preview = await fixture.browser.call(lessons.previewLessonChange, {
      params: { id: lessonId },
      body,
    });
    expect(preview.body).toMatchObject({
      changed: 5,
      firstDate: '2026-11-19',
      lastDate: '2026-12-17',
    });
    expect(preview.body.overlaps).toHaveLength(1);
    expect((await updateLesson(fixture, lessonId, body)).status).toBe(409);
    expect(await fetchSessionsAsText(fixture)).toContain('2026-11-17 16:00 scheduled');
    expect((await updateLesson(fixture, lessonId, { ...body, acceptOverlaps: true })).status).toBe(
      200,
    );
  });
});

describe('deleteLesson', () => {
  test('scope "this" cancels the session without a fee and keeps the row', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    const id = await sessionIdOn(fixture, '2026-11-24');
    await fixture.browser.call(lessons.deleteLesson, {
      params: { id: lessonId },
      query: { scope: 'this', sessionId: id },
    });
    expect(await fetchSessionsAsText(fixture)).toContain('2026-11-24 16:00 cancelled');
  });

  test('scope "following" ends the lesson and scope "all" removes it from the lists', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    const id = await sessionIdOn(fixture, '2026-12-01');
    const deleted = await fixture.browser.call(lessons.deleteLesson, {
      params: { id: lessonId },
      query: { scope: 'following', sessionId: id },
    });
    expect(deleted.body.removed).toBe(3);
    const { body } = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(body).toMatchObject({
      recurringEndDate: '2026-11-30',
      counts: { scheduled: 2, cancelled: 3 },
    });
    await fixture.browser.call(lessons.deleteLesson, {
      params: { id: lessonId },
      query: { scope: 'all', sessionId },
    });
    expect((await fixture.browser.call(lessons.listLessons)).body).toEqual([]);
    expect(await fetchSessionsAsText(fixture)).toEqual([]);
  });
});

describe('F112 undoing a move of the series', () => {
  /** Moves the weekly lesson and then moves it back, with the same requests as Undo in the browser. */
  async function moveAndUndo(fixture: LessonFixture, scope: LessonUpdate['scope']) {
    const { lessonId } = await addLesson(fixture, weekly());
    const id = await sessionIdOn(fixture, '2026-11-24');
    const before = await fetchSessionsAsText(fixture);
    const moved = await updateLesson(
      fixture,
      lessonId,
      lessonChange(fixture, id, scope, '2026-11-26', { startTime: '17:00', endTime: '18:00' }),
    );
    expect(moved.status).toBe(200);
    expect(await fetchSessionsAsText(fixture)).not.toEqual(before);
    const undone = await updateLesson(
      fixture,
      moved.body.lessonId,
      lessonChange(fixture, id, scope, '2026-11-24', {
        acceptOverlaps: true,
        restoreSessionIds: moved.body.consequences.skipped.map(({ sessionId }) => sessionId),
      }),
    );
    expect(undone.status).toBe(200);
    return { before, after: await fetchSessionsAsText(fixture), moved: moved.body };
  }

  test.each(['following', 'all'] as const)(
    'restores the times, and the lesson that the move removed because it would have been after the end date, for "%s"',
    async (scope) => {
      const fixture = await createTutorWithStudentAndSubject(app);
      const { before, after, moved } = await moveAndUndo(fixture, scope);
      expect(moved.consequences.removed).toBe(1);
      expect(after).toEqual(before);
    },
  );

  test('restores the sessions that the move cancelled because of time off', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const day = { fromDate: '2026-12-03', toDate: '2026-12-03' };
    await fixture.browser.call(timeOff.createTimeOff, { body: day });
    const { before, after, moved } = await moveAndUndo(fixture, 'following');
    expect(moved.consequences.skipped.map(({ date }) => date)).toEqual(['2026-12-03']);
    expect(after).toEqual(before);
  });

  test('does not restore a session that the tutor cancelled', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    const id = await sessionIdOn(fixture, '2026-11-24');
    const cancelledId = await sessionIdOn(fixture, '2026-12-01');
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: cancelledId },
      body: { cancelledBy: 'tutor' },
    });
    const change = { restoreSessionIds: [cancelledId], startTime: '17:00', endTime: '18:00' };
    const body = lessonChange(fixture, id, 'following', '2026-11-24', change);
    expect((await updateLesson(fixture, lessonId, body)).status).toBe(200);
    expect(await fetchSessionsAsText(fixture)).toContain('2026-12-01 16:00 cancelled');
  });
});
