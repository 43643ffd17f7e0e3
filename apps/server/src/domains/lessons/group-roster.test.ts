import { ERASED_NAME, privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { lessons } from '@lessonbook/contract/lessons';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  createGroupFixture,
  createThreeFamilies,
  formatCharges,
  formatSeats,
  issueInvoicesForAll,
  readLesson,
  readSession,
} from '../../test/group-lesson-fixture.ts';
import {
  ALL,
  addStudentToLesson,
  archiveStudent,
  balancesOf,
  cancelSeat,
  cancelSession,
  completeSession,
  formatAttendees,
  removeStudentFromLesson,
  sessionIdOn,
  thisAfternoon,
} from '../../test/group-lesson-requests.ts';
import { addLesson, fetchSessionsBetween, weekly } from '../../test/lesson-fixture.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { extendAllSeries } from './service/rolling-generation.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => app.restartClock());
afterAll(async () => {
  await assertInvariants(app);
  await app.close();
});

describe('joining in mid-series', () => {
  test('earlier sessions are unchanged; later ones, including those generated afterwards, include the student', async () => {
    const group = await createGroupFixture(app, weekly({ recurringEndDate: null }));
    const { browser, fixture, lessonId } = group;
    const noah = await createStudent(browser, { name: 'Noah Berg', carerName: 'Lea Berg' });
    const before = await fetchSessionsBetween(fixture, '2026-11-01', '2026-11-30');
    const joined = await addStudentToLesson(browser, lessonId, noah.id, '2026-12-01', 20);
    expect(joined.status).toBe(201);
    expect(joined.body.students.at(-1)).toEqual({
      studentId: noah.id,
      name: 'Noah Berg',
      fee: 20,
      fromDate: '2026-12-01',
      toDate: null,
    });
    expect(joined.body.fee).toBe(146.87);
    expect(await fetchSessionsBetween(fixture, '2026-11-01', '2026-11-30')).toEqual(before);
    const later = await sessionIdOn(fixture, '2026-12-01');
    const seats = ['Maya 3117', 'Sam 4229', 'Ida 5341', 'Noah 2000'];
    expect(formatSeats(await readSession(browser, later))).toEqual(seats);
    app.clock.advance({ days: 28 });
    await extendAllSeries(app.context);
    const generated = await sessionIdOn(fixture, '2027-12-14');
    expect(formatSeats(await readSession(browser, generated))).toEqual(seats);
  });

  test("without a fee of their own, a student pays the lesson's fee, and null means free", async () => {
    const { browser, lessonId, sessionId } = await createGroupFixture(app);
    const noah = await createStudent(browser, { name: 'Noah Berg' });
    const lea = await createStudent(browser, { name: 'Lea Berg' });
    await addStudentToLesson(browser, lessonId, noah.id, '2026-11-17');
    await addStudentToLesson(browser, lessonId, lea.id, '2026-11-17', null);
    expect(formatSeats(await readSession(browser, sessionId)).slice(3)).toEqual([
      'Noah 3117',
      'Lea free',
    ]);
  });

  test('a completed or cancelled session after the date is unchanged', async () => {
    const { browser, fixture, lessonId } = await createGroupFixture(app, weekly());
    const completed = await sessionIdOn(fixture, '2026-12-01');
    const cancelled = await sessionIdOn(fixture, '2026-12-08');
    await completeSession(browser, completed);
    await cancelSession(browser, cancelled);
    const noah = await createStudent(browser, { name: 'Noah Berg' });
    await addStudentToLesson(browser, lessonId, noah.id, '2026-11-24');
    expect(await formatAttendees(fixture)).toEqual([
      '2026-11-17: Maya, Sam, Ida',
      '2026-11-24: Maya, Sam, Ida, Noah',
      '2026-12-01: Maya, Sam, Ida',
      '2026-12-08: Maya, Sam, Ida',
      '2026-12-15: Maya, Sam, Ida, Noah',
    ]);
  });

  test('is rejected for a student who is already in the lesson and for an archived student', async () => {
    const { browser, lessonId, sam } = await createGroupFixture(app);
    const again = await addStudentToLesson(browser, lessonId, sam.id, '2026-11-17');
    expect([again.status, again.error.message]).toEqual([
      409,
      'Sam Hale is already in this lesson.',
    ]);
    const noah = await createStudent(browser, { name: 'Noah Berg' });
    await archiveStudent(browser, noah.id);
    expect((await addStudentToLesson(browser, lessonId, noah.id, '2026-11-17')).status).toBe(404);
    expect((await addStudentToLesson(browser, lessonId + 1000, sam.id, '2026-11-17')).status).toBe(
      404,
    );
  });

  test('happens once per idempotency key, even for concurrent requests', async () => {
    const { browser, lessonId, sessionId } = await createGroupFixture(app);
    const noah = await createStudent(browser, { name: 'Noah Berg' });
    const send = () =>
      browser.send(
        'POST',
        `/api/lessons/${lessonId}/students`,
        { studentId: noah.id, from: '2026-11-17' },
        { 'idempotency-key': 'join-once' },
      );
    const responses = [...(await Promise.all([send(), send()])), await send()];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await readSession(browser, sessionId)).students).toHaveLength(4);
    expect((await readLesson(browser, lessonId)).students).toHaveLength(4);
  });

  test('a second student turns a one-to-one lesson into a group', async () => {
    const { browser, fixture, maya, sam } = await createThreeFamilies(app);
    const { lessonId, sessionId } = await addLesson(fixture);
    await addStudentToLesson(browser, lessonId, sam.id, '2026-11-17', 42.29);
    expect(formatSeats(await readSession(browser, sessionId))).toEqual(['Maya 3500', 'Sam 4229']);
    await removeStudentFromLesson(browser, lessonId, maya.id, '2026-11-17');
    const session = await readSession(browser, sessionId);
    expect(session).toMatchObject({ studentId: sam.id, familyId: sam.familyId, fee: 4229 });
  });
});

describe('leaving', () => {
  test('earlier sessions are unchanged, and prepaid places after the date are credited', async () => {
    const group = await createGroupFixture(app, weekly());
    const { browser, fixture, lessonId, sam } = group;
    await issueInvoicesForAll(browser, { to: '2026-12-31' });
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${5 * fee}`));
    const before = await fetchSessionsBetween(fixture, '2026-11-01', '2026-11-30');
    const left = await removeStudentFromLesson(browser, lessonId, sam.id, '2026-12-01');
    expect(left.status).toBe(200);
    expect(left.body.students[1]).toMatchObject({ studentId: sam.id, toDate: '2026-11-30' });
    expect(left.body.studentName).toBe('Maya Reid, Ida Lund');
    expect(await fetchSessionsBetween(fixture, '2026-11-01', '2026-11-30')).toEqual(before);
    expect((await formatAttendees(fixture)).slice(2)).toEqual([
      '2026-12-01: Maya, Ida',
      '2026-12-08: Maya, Ida',
      '2026-12-15: Maya, Ida',
    ]);
    expect(await balancesOf(group)).toEqual([
      `GBP owes ${5 * 3117}`,
      `GBP owes ${2 * 4229}`,
      `GBP owes ${5 * 5341}`,
    ]);
  });

  test('a student who has left can join again; the sessions in between do not include the student', async () => {
    const { browser, fixture, lessonId, sam } = await createGroupFixture(app, weekly());
    await removeStudentFromLesson(browser, lessonId, sam.id, '2026-11-24');
    const again = await addStudentToLesson(browser, lessonId, sam.id, '2026-12-08', 20);
    expect(again.body.students.filter(({ studentId }) => studentId === sam.id)).toMatchObject([
      { fromDate: null, toDate: '2026-11-23', fee: 42.29 },
      { fromDate: '2026-12-08', toDate: null, fee: 20 },
    ]);
    expect(await formatAttendees(fixture)).toEqual([
      '2026-11-17: Maya, Sam, Ida',
      '2026-11-24: Maya, Ida',
      '2026-12-01: Maya, Ida',
      '2026-12-08: Maya, Ida, Sam',
      '2026-12-15: Maya, Ida, Sam',
    ]);
  });

  test('keeps the charge of a seat that was cancelled late', async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { browser, lessonId, sessionId, sam } = group;
    await cancelSeat(browser, sessionId, sam.id, { chargeFee: true });
    expect((await removeStudentFromLesson(browser, lessonId, sam.id, '2026-11-16')).status).toBe(
      200,
    );
    expect(await balancesOf(group)).toEqual(['', 'GBP owes 4229', '']);
    expect(formatCharges(await readSession(browser, sessionId))).toEqual(['Sam 4229']);
  });

  test('is rejected for the last student and for a student who is not in the lesson', async () => {
    const { browser, lessonId, maya, sam, ida } = await createGroupFixture(app, weekly());
    await removeStudentFromLesson(browser, lessonId, maya.id, '2026-11-17');
    expect((await removeStudentFromLesson(browser, lessonId, maya.id, '2026-11-17')).status).toBe(
      404,
    );
    await removeStudentFromLesson(browser, lessonId, sam.id, '2026-11-17');
    const last = await removeStudentFromLesson(browser, lessonId, ida.id, '2026-11-17');
    expect([last.status, last.error.message]).toEqual([
      409,
      'This is the only student left in the lesson. Please delete the lesson instead.',
    ]);
  });

  test('is rejected while a session is cancelled for all the other students, and possible once that session is cancelled', async () => {
    const { browser, fixture, lessonId, maya, sam, ida } = await createGroupFixture(app, weekly());
    const id = await sessionIdOn(fixture, '2026-12-01');
    for (const member of [maya, ida]) await cancelSeat(browser, id, member.id);
    const rejected = await removeStudentFromLesson(browser, lessonId, sam.id, '2026-11-17');
    expect([rejected.status, rejected.error.message]).toEqual([
      409,
      'On at least one date, no other student would be left. Please cancel that lesson first.',
    ]);
    expect((await readSession(browser, id)).students).toHaveLength(3);
    await cancelSession(browser, id);
    expect((await removeStudentFromLesson(browser, lessonId, sam.id, '2026-11-17')).status).toBe(
      200,
    );
  });

  test('succeeds for exactly one of the last two students if both leave concurrently', async () => {
    const { browser, fixture, lessonId, maya, sam, ida } = await createGroupFixture(app, weekly());
    await removeStudentFromLesson(browser, lessonId, maya.id, '2026-11-17');
    const responses = await Promise.all([
      removeStudentFromLesson(browser, lessonId, sam.id, '2026-11-17'),
      removeStudentFromLesson(browser, lessonId, ida.id, '2026-11-17'),
    ]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const rows = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    expect(rows.map(({ students: seats }) => seats.length)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('archiving and erasing a student in a group', () => {
  test('archiving leaves the others in the lesson and keeps past sessions', async () => {
    const group = await createGroupFixture(app, weekly({ recurringEndDate: null }));
    const { browser, fixture, lessonId, sessionId, maya } = group;
    await completeSession(browser, sessionId);
    expect((await archiveStudent(browser, maya.id)).status).toBe(200);
    expect(await formatAttendees(fixture, '2026-11-01', '2026-12-01')).toEqual([
      '2026-11-17: Maya, Sam, Ida',
      '2026-11-24: Sam, Ida',
      '2026-12-01: Sam, Ida',
    ]);
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${fee}`));
    expect(await readLesson(browser, lessonId)).toMatchObject({
      studentName: 'Sam Hale, Ida Lund',
      fee: 95.7,
    });
    app.clock.advance({ days: 28 });
    await extendAllSeries(app.context);
    expect(await formatAttendees(fixture, '2027-12-14', '2027-12-14')).toEqual([
      '2027-12-14: Sam, Ida',
    ]);
  });

  test('archiving all students on one day ends the lesson', async () => {
    const { browser, fixture, maya, sam, ida } = await createGroupFixture(app, weekly());
    for (const { id } of [maya, sam, ida])
      expect((await archiveStudent(browser, id)).status).toBe(200);
    expect((await browser.call(lessons.listLessons)).body).toEqual([]);
    const rows = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    expect(rows.filter(({ status }) => status === 'scheduled')).toEqual([]);
  });

  test("erasing keeps the group's title, place and other students, but not the erased name", async () => {
    const group = await createGroupFixture(app, weekly({ place: 'Library' }));
    const { browser, fixture, lessonId, sessionId, sam } = group;
    await cancelSeat(browser, sessionId, sam.id, { reason: 'Sam Hale is ill' });
    await archiveStudent(browser, sam.id);
    const erased = await browser.call(privacy.erasePerson, {
      body: { kind: 'student', id: sam.id, name: 'Sam Hale' },
    });
    expect(erased.status).toBe(200);
    const session = await readSession(browser, sessionId);
    expect(session).toMatchObject({ title: 'Year 11 maths', place: 'Library' });
    expect(session.studentName).toBe(`Maya Reid, ${ERASED_NAME}, Ida Lund`);
    const lesson = await readLesson(browser, lessonId);
    const rows = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    expect(lesson.title).toBe('Year 11 maths');
    expect(JSON.stringify([session, lesson, rows])).not.toContain('Sam');
  });

  test('erasing removes the name from a title that lists the students', async () => {
    const title = 'Maya Reid, Sam Hale, Ida Lund - Maths';
    const { browser, lessonId, sessionId, sam } = await createGroupFixture(app, { title });
    await archiveStudent(browser, sam.id);
    await browser.call(privacy.erasePerson, {
      body: { kind: 'student', id: sam.id, name: 'Sam Hale' },
    });
    const titles = [
      (await readSession(browser, sessionId)).title,
      (await readLesson(browser, lessonId)).title,
    ];
    for (const changed of titles) {
      expect(changed).not.toContain('Sam');
      expect(changed).toContain('Maya Reid');
      expect(changed).toContain('Ida Lund');
    }
  });
});
