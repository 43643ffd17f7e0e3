import { type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { messages } from '@lessonbook/contract/messages';
import { dayChanges } from '@lessonbook/contract/move-online-or-cancel-days';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDayFixture, LINK } from '../../test/day-change-fixture.ts';
import {
  addLesson,
  fetchSessionsAsText,
  fetchSessionsBetween,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { sendTutorReminders } from '../messages/service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => app.restartClock());
afterAll(async () => {
  await assertInvariants(app);
  await app.close();
});

const createFixture = () => createDayFixture(app);
const all = (ids: Record<string, number>) => Object.values(ids);

describe('the preview', () => {
  test('lists the lessons to change, the unchanged ones and one message per family, and saves nothing', async () => {
    const tutor = await createFixture();
    const { browser, ids, ruth } = tutor;
    await browser.call(sessions.cancelSession, {
      params: { id: ids.sam },
      body: { cancelledBy: 'tutor' },
    });
    const before = await fetchSessionsAsText(tutor.fixture);
    const { body } = await browser.call(dayChanges.previewDayChange, {
      body: {
        action: 'online',
        fromDate: '2026-11-17',
        toDate: '2026-11-17',
        note: 'The roads are icy.',
      },
    });
    expect(body.sessions.map(({ id, place }) => [id, place])).toEqual([
      [ids.maya, 'At Ada’s'],
      [ids.leo, 'At Ada’s'],
      [ids.ida, 'At Ada’s'],
    ]);
    expect(body.unchanged).toEqual([{ reason: 'cancelled', count: 1 }]);
    expect(body).toMatchObject({ needsLink: true, offersGoogleMeet: false, suggestedLink: null });
    expect(body.notices).toMatchObject([
      {
        toName: 'Ruth Hale',
        students: ['Maya', 'Leo'],
        address: ruth,
        problem: null,
        subject: 'Lessons moved online: Maya, Tue 17 Nov; Leo, Tue 17 Nov',
      },
      { toName: 'Eva Lund', students: ['Ida'], address: null },
    ]);
    expect(body.notices[1]?.problem).toContain('no email address');
    expect(body.notices[0]?.text).toMatch(/^Hi Ruth,\n\nThe roads are icy\.\n\nThese lessons/);
    expect(await fetchSessionsAsText(tutor.fixture)).toEqual(before);
    expect((await browser.call(dayChanges.listDayChanges)).body).toEqual([]);
  });

  test('leaves out lessons that are over or already online, and sends no messages about lessons that are kept', async () => {
    const { browser, tutorId, ids } = await createFixture();
    app.clock.set('2026-11-17T16:05:00Z');
    const preview = async (action: 'online' | 'cancel') =>
      (
        await browser.call(dayChanges.previewDayChange, {
          body: {
            action,
            fromDate: '2026-11-17',
            toDate: '2026-11-17',
            keptSessionIds: [ids.leo, ids.ida],
          },
        })
      ).body;
    const cancel = await preview('cancel');
    expect(cancel.sessions.map(({ id }) => id)).toEqual([ids.leo, ids.sam, ids.ida]);
    expect(cancel.unchanged).toEqual([{ reason: 'over', count: 1 }]);
    expect(cancel.notices.map(({ toName }) => toName)).toEqual(['Tom Reid']);
    await app.admin.query(`update sessions set place = 'Zoom' where tutor_id = $1 and id = $2`, [
      tutorId,
      ids.sam,
    ]);
    expect((await preview('online')).unchanged).toEqual([
      { reason: 'over', count: 1 },
      { reason: 'online', count: 1 },
    ]);
  });

  test('rejects dates in the past and ranges that are reversed or too long', async () => {
    const { browser } = await createFixture();
    const preview = async (fromDate: string, toDate: string) =>
      (
        await browser.call(dayChanges.previewDayChange, {
          body: { action: 'cancel', fromDate, toDate },
        })
      ).status;
    expect(await preview('2026-11-15', '2026-11-17')).toBe(400);
    expect(await preview('2026-11-18', '2026-11-17')).toBe(400);
    expect(await preview('2026-11-17', '2026-12-18')).toBe(400);
    expect(await preview('2026-11-17', '2026-12-17')).toBe(200);
  });
});

describe('moving online', () => {
  test('sets the link of the chosen lessons only and emails each family once about its own children', async () => {
    const { ids, ruth, tom, change, emailsTo, read, browser } = await createFixture();
    const response = await change('online', [ids.maya, ids.leo, ids.ida]);
    expect(response.body).toMatchObject({ sessionCount: 3, emailed: 1, toSend: 0, notSent: 1 });
    expect(await read(ids.maya)).toMatchObject({ place: LINK, status: 'scheduled', fee: 3500 });
    expect(await read(ids.sam)).toMatchObject({ place: 'At Ada’s' });
    const [mail, ...others] = await emailsTo(ruth);
    expect(others).toEqual([]);
    expect(mail?.text).toContain(`Tue 17 Nov, Maya: Maths, 3pm to 4pm, ${LINK}`);
    expect(mail?.text).toContain(`Tue 17 Nov, Leo: Maths, 4pm to 5pm, ${LINK}`);
    expect(mail?.text).not.toMatch(/Ida|Sam|Lund|Reid/);
    expect(await emailsTo(tom)).toEqual([]);
    expect((await browser.call(messages.pendingNotices, { query: {} })).body).toEqual([]);
  });

  test('requires a link, except for a lesson that has its own', async () => {
    const { tutorId, ids, change, read } = await createFixture();
    const missing = await change('online', [ids.maya], { link: null });
    expect(missing.error.fields).toEqual({ link: 'Please enter the link for the lessons' });
    const invalidLink = await change('online', [ids.maya], { link: 'my Zoom' });
    expect(invalidLink.status).toBe(400);
    await app.admin.query(
      `update lessons set place = 'https://own.example/maya' where tutor_id = $1
       and id = (select lesson_id from sessions where tutor_id = $1 and id = $2)`,
      [tutorId, ids.maya],
    );
    expect((await change('online', [ids.maya], { link: null })).status).toBe(201);
    expect((await read(ids.maya)).place).toBe('https://own.example/maya');
  });

  test('a one-time lesson gets the link too, and undoing restores both', async () => {
    const { fixture, tutorId, change, read, browser } = await createFixture();
    const { sessionId, lessonId } = await addLesson(fixture, {
      startTime: '19:00',
      endTime: '20:00',
      place: 'Library',
    });
    const { body } = await change('online', [sessionId]);
    const placeOfLesson = async () =>
      (
        await app.admin.query('select place from lessons where tutor_id = $1 and id = $2', [
          tutorId,
          lessonId,
        ])
      ).rows[0].place;
    expect(await placeOfLesson()).toBe(LINK);
    await browser.call(dayChanges.undoDayChange, { params: { id: body.id } });
    expect(await placeOfLesson()).toBe('Library');
    expect((await read(sessionId)).place).toBe('Library');
  });
});

describe('cancelling', () => {
  test('charges nothing and adds time off', async () => {
    const { browser, ids, ruth, change, emailsTo, read } = await createFixture();
    const response = await change('cancel', all(ids));
    expect(response.body).toMatchObject({ action: 'cancel', sessionCount: 4, emailed: 2 });
    expect(await read(ids.maya)).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'tutor',
      charged: null,
    });
    const [mail] = await emailsTo(ruth);
    expect(mail?.subject).toBe('Lessons cancelled: Maya, Tue 17 Nov; Leo, Tue 17 Nov');
    expect(mail?.text).toContain("You won't be charged.");
    expect((await browser.call(timeOff.listTimeOff)).body).toMatchObject([
      { fromDate: '2026-11-17', toDate: '2026-11-17', restorableSessions: 4 },
    ]);
  });

  test('a family whose place in a group had already been cancelled gets no message', async () => {
    const { browser, tutorId, fixture, students, change, tom, ruth, emailsTo } =
      await createFixture();
    const group = await addLesson(fixture, {
      startTime: '19:00',
      endTime: '20:00',
      students: [{ studentId: students.maya.id }, { studentId: students.sam.id }],
    });
    await app.admin.query(
      `update session_students set state = 'cancelled', cancelled_by = 'carer'
       where tutor_id = $1 and session_id = $2 and student_id = $3`,
      [tutorId, group.sessionId, students.sam.id],
    );
    await change('cancel', [group.sessionId]);
    expect(await emailsTo(ruth)).toHaveLength(1);
    expect(await emailsTo(tom)).toEqual([]);
    expect((await browser.call(dayChanges.listDayChanges)).body).toHaveLength(1);
  });

  test('takes effect once if requested three times concurrently', async () => {
    const { ids, ruth, change, emailsTo, browser } = await createFixture();
    const responses = await Promise.all([1, 2, 3].map(() => change('cancel', all(ids))));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409,
    ]);
    expect(await emailsTo(ruth)).toHaveLength(1);
    expect((await browser.call(timeOff.listTimeOff)).body).toHaveLength(1);
  });

  test('is rejected if a family has cancelled one of the lessons in the meantime', async () => {
    const { browser, ids, change, emailsTo, tom } = await createFixture();
    await browser.call(sessions.cancelSession, {
      params: { id: ids.maya },
      body: { cancelledBy: 'carer' },
    });
    expect((await change('cancel', all(ids))).status).toBe(409);
    expect(await emailsTo(tom)).toEqual([]);
  });

  test('sends no emails if the tutor chooses not to notify families', async () => {
    const { ids, ruth, change, emailsTo } = await createFixture();
    expect((await change('cancel', all(ids), { notify: false })).body).toMatchObject({
      emailed: 0,
      notSent: 0,
    });
    expect(await emailsTo(ruth)).toEqual([]);
  });

  test('another tutor cannot change these lessons, or extend or undo the change', async () => {
    const { ids, fixture, change } = await createFixture();
    const { body } = await change('cancel', [ids.maya]);
    const other = await createFixture();
    // Ids are per tutor, so this lesson gets an id that only the first tutor has.
    const { sessionId } = await addLesson(fixture, { startTime: '20:00', endTime: '21:00' });
    const foreign = await other.change('cancel', [sessionId]);
    expect(foreign.status).toBe(409);
    const undo = await other.browser.call(dayChanges.undoDayChange, { params: { id: body.id } });
    expect(undo.status).toBe(404);
    const extension = await other.change('cancel', [other.ids.maya], {
      extendsId: body.id,
      fromDate: '2026-11-18',
      toDate: '2026-11-18',
    });
    expect(extension.status).toBe(404);
  });
});

describe('extending', () => {
  test('families are emailed about the new days only', async () => {
    const { browser, fixture, students, ids, ruth, tom, change, emailsTo, read } =
      await createFixture();
    const wednesday = await addLesson(fixture, {
      studentId: students.maya.id,
      date: '2026-11-18',
      place: 'At Ada’s',
    });
    const first = await change('online', [ids.maya, ids.sam]);
    // Emails that are sent at the same time may arrive in any order.
    await emailsTo(ruth);
    const extension = {
      extendsId: first.body.id,
      fromDate: '2026-11-18',
      toDate: '2026-11-18',
      link: null,
    };
    const second = await change('online', [wednesday.sessionId], extension);
    expect(second.body).toMatchObject({
      id: first.body.id,
      fromDate: '2026-11-17',
      toDate: '2026-11-18',
      sessionCount: 3,
      emailed: 1,
    });
    expect((await read(wednesday.sessionId)).place).toBe(LINK);
    const emails = await emailsTo(ruth);
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Lesson moved online: Maya, Tue 17 Nov',
      'Lesson moved online: Maya, Wed 18 Nov',
    ]);
    expect(emails[1]?.text).not.toContain('17 Nov');
    expect(await emailsTo(tom)).toHaveLength(1);
    expect((await change('online', [wednesday.sessionId], extension)).status).toBe(409);
    expect((await browser.call(dayChanges.listDayChanges)).body).toHaveLength(1);
  });

  test('the time off for cancelled days is extended', async () => {
    const { browser, fixture, students, ids, change } = await createFixture();
    const wednesday = await addLesson(fixture, {
      studentId: students.sam.id,
      date: '2026-11-18',
    });
    const first = await change('cancel', [ids.maya]);
    await change('cancel', [wednesday.sessionId], {
      extendsId: first.body.id,
      fromDate: '2026-11-18',
      toDate: '2026-11-19',
    });
    expect((await browser.call(timeOff.listTimeOff)).body).toMatchObject([
      { fromDate: '2026-11-17', toDate: '2026-11-19', restorableSessions: 2 },
    ]);
  });
});

describe('undoing', () => {
  test('restores online lessons that have not changed since, and emails their families once', async () => {
    const { browser, tutorId, ids, ruth, tom, change, emailsTo, read } = await createFixture();
    const { body } = await change('online', [ids.maya, ids.sam]);
    await emailsTo(ruth);
    await app.admin.query(`update sessions set place = 'Zoom' where tutor_id = $1 and id = $2`, [
      tutorId,
      ids.sam,
    ]);
    const undo = () => browser.call(dayChanges.undoDayChange, { params: { id: body.id } });
    expect((await undo()).body).toMatchObject({ restored: 1, emailed: 1 });
    expect((await undo()).body).toMatchObject({ restored: 0, emailed: 0 });
    expect((await read(ids.maya)).place).toBe('At Ada’s');
    expect((await read(ids.sam)).place).toBe('Zoom');
    expect((await emailsTo(ruth)).map(({ subject }) => subject)).toEqual([
      'Lesson moved online: Maya, Tue 17 Nov',
      'Lesson no longer online: Maya, Tue 17 Nov',
    ]);
    expect(await emailsTo(tom)).toHaveLength(1);
    expect((await browser.call(dayChanges.listDayChanges)).body).toEqual([]);
  });

  test('restores cancelled lessons, and no correction is sent afterwards', async () => {
    const { browser, tutorId, fixture, ids, ruth, change, emailsTo } = await createFixture();
    const before = await fetchSessionsAsText(fixture);
    const { body } = await change('cancel', all(ids));
    await emailsTo(ruth);
    const undo = await browser.call(dayChanges.undoDayChange, { params: { id: body.id } });
    expect(undo.body).toMatchObject({ restored: 4, emailed: 2, notSent: 0 });
    expect(await fetchSessionsAsText(fixture)).toEqual(before);
    await sendTutorReminders(app.context, tutorId);
    expect((await emailsTo(ruth)).map(({ subject }) => subject)).toEqual([
      'Lessons cancelled: Maya, Tue 17 Nov; Leo, Tue 17 Nov',
      'Lessons reinstated: Maya, Tue 17 Nov; Leo, Tue 17 Nov',
    ]);
    expect((await browser.call(timeOff.listTimeOff)).body).toEqual([]);
  });

  describe('a lesson whose series was changed in the meantime', () => {
    /**
     * Moves one of Maya's lessons online. `update` changes all of her lessons by default; `updateThis` changes only the
     * one that was moved online.
     */
    async function createOnlineLesson() {
      const tutor = await createFixture();
      const { browser, fixture, ids, change, read } = tutor;
      const { body } = await change('online', [ids.maya]);
      const [next] = await fetchSessionsBetween(fixture, '2026-11-24', '2026-11-24');
      const { lessonId } = await read(ids.maya);
      const times = { startTime: '15:00', endTime: '16:00', place: 'At Ada’s' };
      const update = async (changed: Partial<LessonUpdate>) => {
        const saved = await browser.call(lessons.updateLesson, {
          params: { id: lessonId },
          body: {
            ...lessonBody(fixture, weekly({ date: '2026-11-24', ...times })),
            scope: 'all',
            sessionId: next?.id ?? 0,
            ...changed,
          },
        });
        expect(saved.status).toBe(200);
      };
      const updateThis = (changed: Partial<LessonUpdate>) =>
        update({
          scope: 'this',
          sessionId: ids.maya,
          date: '2026-11-17',
          place: LINK,
          ...changed,
        });
      const undo = async () =>
        (await browser.call(dayChanges.undoDayChange, { params: { id: body.id } })).body;
      const readPlace = async () => (await read(ids.maya)).place;
      return { ...tutor, update, updateThis, undo, readPlace };
    }

    test('gets the current place of the series, and follows the series again', async () => {
      const { update, undo, readPlace } = await createOnlineLesson();
      await update({ place: 'At Leo’s' });
      expect(await readPlace()).toBe(LINK);
      expect(await undo()).toMatchObject({ restored: 1, emailed: 1 });
      expect(await readPlace()).toBe('At Leo’s');
      await update({ place: 'The library' });
      expect(await readPlace()).toBe('The library');
    });

    test.each([
      ['title', { title: 'Mock exam' }],
      ['fee', { fee: 50 }],
    ])('remains individually edited if its %s was changed', async (_, edit) => {
      const { update, updateThis, undo, readPlace } = await createOnlineLesson();
      await updateThis(edit);
      await undo();
      expect(await readPlace()).toBe('At Ada’s');
      await update({ place: 'The library' });
      expect(await readPlace()).toBe('At Ada’s');
    });

    test('stays online if the series is online now, and its family is not emailed', async () => {
      const { update, undo, readPlace } = await createOnlineLesson();
      await update({ place: LINK });
      expect(await undo()).toMatchObject({ restored: 0, emailed: 0 });
      expect(await readPlace()).toBe(LINK);
    });
  });

  test('families are emailed only about days that they had been notified of', async () => {
    const { browser, fixture, students, ids, ruth, tom, change, emailsTo } = await createFixture();
    const wednesday = await addLesson(fixture, {
      studentId: students.maya.id,
      date: '2026-11-18',
      place: 'At Ada’s',
    });
    const { body } = await change('online', [ids.maya, ids.sam], { notify: false });
    const day = { fromDate: '2026-11-18', toDate: '2026-11-18' };
    await change('online', [wednesday.sessionId], { extendsId: body.id, ...day });
    await emailsTo(ruth);
    const undo = await browser.call(dayChanges.undoDayChange, { params: { id: body.id } });
    expect(undo.body).toMatchObject({ restored: 3, emailed: 1, notSent: 0 });
    expect((await emailsTo(ruth)).map(({ subject }) => subject)).toEqual([
      'Lesson moved online: Maya, Wed 18 Nov',
      'Lesson no longer online: Maya, Wed 18 Nov',
    ]);
    expect(await emailsTo(tom)).toEqual([]);
  });

  test('days that have passed stay cancelled', async () => {
    const { browser, fixture, students, ids, change, read } = await createFixture();
    const wednesday = await addLesson(fixture, { studentId: students.sam.id, date: '2026-11-18' });
    const { body } = await change('cancel', [ids.maya, wednesday.sessionId], {
      toDate: '2026-11-18',
    });
    app.clock.set('2026-11-18T09:00:00Z');
    const undo = await browser.call(dayChanges.undoDayChange, { params: { id: body.id } });
    expect(undo.body.restored).toBe(1);
    expect((await read(ids.maya)).status).toBe('cancelled');
    expect((await read(wednesday.sessionId)).status).toBe('scheduled');
  });
});
