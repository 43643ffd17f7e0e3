import { groupLessons } from '@lessonbook/contract/group-lessons';
import { invoices } from '@lessonbook/contract/invoices';
import { type LessonInput, type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { MAX_GROUP_STUDENTS } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  createGroupFixture,
  formatSeats,
  type Group,
  issueInvoicesForAll,
  readLesson,
  readSession,
} from '../../test/group-lesson-fixture.ts';
import {
  addStudentToLesson,
  cancelSeat,
  completeSession,
  removeStudentFromLesson,
  sessionIdOn,
  thisAfternoon,
} from '../../test/group-lesson-requests.ts';
import { addLesson, lessonBody, weekly } from '../../test/lesson-fixture.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => app.restartClock());
afterAll(async () => {
  await assertInvariants(app);
  await app.close();
});

const FULL_MESSAGE = 'This group has 3 places, and this would make 4 students.';

describe('the maximum size of a group', () => {
  test('adding a student to a full group is rejected unless the tutor accepts one more', async () => {
    const { browser, lessonId, sessionId } = await createGroupFixture(app, { maxStudents: 3 });
    const noah = await createStudent(browser, { name: 'Noah Berg' });
    const refused = await addStudentToLesson(browser, lessonId, noah.id, '2026-11-17');
    expect([refused.status, refused.error.code, refused.error.message]).toEqual([
      409,
      'group_full',
      FULL_MESSAGE,
    ]);
    expect((await readSession(browser, sessionId)).students).toHaveLength(3);
    const accepted = await browser.call(groupLessons.joinLesson, {
      params: { id: lessonId },
      body: { studentId: noah.id, from: '2026-11-17', acceptFull: true },
    });
    expect(accepted.status).toBe(201);
    expect((await readSession(browser, sessionId)).students).toHaveLength(4);
  });

  test('when two students join concurrently and one place is left, exactly one is accepted', async () => {
    const { browser, lessonId } = await createGroupFixture(app, { maxStudents: 4 });
    const noah = await createStudent(browser, { name: 'Noah Berg' });
    const lea = await createStudent(browser, { name: 'Lea Berg' });
    const joins = await Promise.all(
      [noah, lea].map(({ id }) => addStudentToLesson(browser, lessonId, id, '2026-11-17')),
    );
    expect(joins.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  test('a place becomes free when a student leaves, and a new student needs a place on every later date', async () => {
    const { browser, lessonId, sam } = await createGroupFixture(app, {
      ...weekly(),
      maxStudents: 3,
    });
    await removeStudentFromLesson(browser, lessonId, sam.id, '2026-12-01');
    const noah = await createStudent(browser, { name: 'Noah Berg' });
    expect((await addStudentToLesson(browser, lessonId, noah.id, '2026-11-24')).status).toBe(409);
    expect((await addStudentToLesson(browser, lessonId, noah.id, '2026-12-01')).status).toBe(201);
    const lea = await createStudent(browser, { name: 'Lea Berg' });
    expect((await addStudentToLesson(browser, lessonId, lea.id, '2026-11-24')).error.code).toBe(
      'group_full',
    );
  });

  test('a new group with more students than places is rejected, unless the tutor accepts it', async () => {
    const { browser, fixture, maya, sam } = await createGroupFixture(app);
    const create = (overrides: Partial<LessonInput>) =>
      browser.call(lessons.createLesson, {
        body: lessonBody(fixture, {
          date: '2026-11-20',
          students: [{ studentId: maya.id }, { studentId: sam.id }],
          ...overrides,
        }),
      });
    const refused = await create({ maxStudents: 1 });
    expect([refused.status, refused.error.message]).toEqual([
      409,
      'This group has 1 place, and this would make 2 students.',
    ]);
    expect((await create({ maxStudents: 1, acceptFull: true })).status).toBe(201);
    const above = await create({ minStudents: 3, maxStudents: 2 });
    expect([above.status, above.error.fields]).toEqual([
      400,
      { maxStudents: 'The maximum must not be below the minimum' },
    ]);
    expect((await create({ maxStudents: 61 })).status).toBe(400);
  });
});

const update = (
  { browser, fixture, lessonId }: Group,
  sessionId: number,
  change: Partial<LessonUpdate>,
) =>
  browser.call(lessons.updateLesson, {
    params: { id: lessonId },
    body: {
      ...lessonBody(fixture, weekly()),
      title: 'Year 11 maths',
      fee: 126.87,
      date: '2026-11-24',
      scope: 'this',
      sessionId,
      ...change,
    },
  });

describe('changing the size and the price per place', () => {
  test('the minimum and maximum apply to the whole group whatever the scope, and stay the same if omitted', async () => {
    const group = await createGroupFixture(app, { ...weekly(), minStudents: 2, maxStudents: 5 });
    const { browser, fixture, lessonId } = group;
    const id = await sessionIdOn(fixture, '2026-11-24');
    await update(group, id, { maxStudents: 6 });
    const size = { minStudents: 2, maxStudents: 6 };
    expect(await readLesson(browser, lessonId)).toMatchObject(size);
    const split = await update(group, id, { scope: 'following', place: 'Library' });
    expect(split.body.lessonId).not.toBe(lessonId);
    expect(await readLesson(browser, split.body.lessonId)).toMatchObject(size);
  });

  test('a new price per place applies from the chosen session onwards to seats without their own price', async () => {
    const group = await createGroupFixture(app, weekly());
    const { browser, fixture } = group;
    const id = await sessionIdOn(fixture, '2026-12-01');
    const readSeatsOn = async (date: string) =>
      formatSeats(await readSession(browser, await sessionIdOn(fixture, date)));
    const date = '2026-12-01';
    const saved = await update(group, id, { scope: 'following', date, fee: 1, seatFee: 33 });
    expect(saved.status).toBe(200);
    expect(await readSeatsOn('2026-11-24')).toEqual(['Maya 3117', 'Sam 4229', 'Ida 5341']);
    expect(await readSeatsOn('2026-12-01')).toEqual(['Maya 3300', 'Sam 4229', 'Ida 5341']);
    expect(await readSeatsOn('2026-12-15')).toEqual(['Maya 3300', 'Sam 4229', 'Ida 5341']);
    expect(await readLesson(browser, saved.body.lessonId)).toMatchObject({ seatFee: 33 });
  });

  test('a price entered for a single session has the source "session" on its seats', async () => {
    const group = await createGroupFixture(app, weekly());
    const { browser, fixture, lessonId } = group;
    const id = await sessionIdOn(fixture, '2026-11-24');
    await update(group, id, { seatFee: null });
    const { students } = await readSession(browser, id);
    expect(students.map(({ fee, feeSource }) => [fee, feeSource])).toEqual([
      [null, 'session'],
      [4229, 'student'],
      [5341, 'student'],
    ]);
    expect((await readLesson(browser, lessonId)).seatFee).toBe(31.17);
  });

  test('a cancelled seat keeps its price, and a session on an invoice is not changed', async () => {
    const group = await createGroupFixture(app, weekly());
    const { browser, fixture, maya } = group;
    const cancelledId = await sessionIdOn(fixture, '2026-12-08');
    await cancelSeat(browser, cancelledId, maya.id);
    await issueInvoicesForAll(browser);
    const invoiced = await sessionIdOn(fixture, '2026-11-24');
    const refused = await update(group, invoiced, { seatFee: 33 });
    expect([refused.status, refused.error.message]).toEqual([
      409,
      "This lesson is on an invoice, so its student and fee can't change. Create a credit note first.",
    ]);
    const id = await sessionIdOn(fixture, '2026-12-01');
    await update(group, id, { scope: 'all', date: '2026-12-01', seatFee: 33 });
    expect(formatSeats(await readSession(browser, invoiced))[0]).toBe('Maya 3117');
    expect(formatSeats(await readSession(browser, cancelledId))[0]).toBe('Maya cancelled 3117');
    expect(formatSeats(await readSession(browser, id))[0]).toBe('Maya 3300');
  });
});

/** The goal is 2 s for each step. The test allows three times as long, because the machine may be busy. */
const MAX_STEP_MS = 6_000;

test(`a group of ${MAX_GROUP_STUDENTS} is created, completed and invoiced in time`, async () => {
  const { browser, fixture } = await createGroupFixture(app);
  const ids: number[] = [];
  for (let number = 1; number <= MAX_GROUP_STUDENTS; number += 1) {
    const student = await createStudent(browser, {
      name: `Student ${number}`,
      carerName: `Carer ${number}`,
    });
    ids.push(student.id);
  }
  const times: Record<string, number> = {};
  const timed = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    times[step] = Math.round(performance.now() - start);
    return result;
  };
  const { sessionId } = await timed('create', () =>
    addLesson(fixture, {
      ...thisAfternoon,
      studentId: ids[0] as number,
      students: ids.map((studentId) => ({ studentId })),
    }),
  );
  await timed('complete', () => completeSession(browser, sessionId));
  const drafts = await timed('draft', () =>
    browser.call(invoices.draftAllInvoices, {
      body: { from: '2026-11-16', to: '2026-11-16', includeUpcoming: false },
    }),
  );
  expect(drafts.body).toHaveLength(MAX_GROUP_STUDENTS);
  const issued = await timed('issue', () =>
    browser.call(invoices.issueInvoices, { body: { ids: drafts.body.map(({ id }) => id) } }),
  );
  expect(issued.body).toHaveLength(MAX_GROUP_STUDENTS);
  process.stdout.write(`group of ${MAX_GROUP_STUDENTS}, milliseconds: ${JSON.stringify(times)}\n`);
  for (const [step, milliseconds] of Object.entries(times))
    expect(milliseconds, step).toBeLessThan(MAX_STEP_MS);
});
