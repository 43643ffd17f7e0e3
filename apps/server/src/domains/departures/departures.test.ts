import { accounts } from '@lessonbook/contract/accounts';
import { type StudentStatusInput, studentStatus } from '@lessonbook/contract/change-student-status';
import { lessons } from '@lessonbook/contract/lessons';
import { messages } from '@lessonbook/contract/messages';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { sessions } from '@lessonbook/contract/sessions';
import { type DepartureInput, departures } from '@lessonbook/contract/student-departures';
import { studentStatusOn, students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from '../../test/create-tutor.ts';
import {
  addLesson,
  fetchSessionsAsText,
  fetchSessionsBetween,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { assertInvariants, createPayment } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { extendAllSeries } from '../lessons/service/rolling-generation.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(async () => {
  await assertInvariants(app);
  await app.restartClock();
});
afterAll(() => app.close());

/** Maya and Leo Hale, who share a carer, and Sam Reid. Weekly lessons on Tuesdays, the last on 15 December. */
async function createFamilies() {
  const { browser, input: tutor } = await createTutorWhoCanEmailFamilies(app);
  const tutorId = await findTutorId(app, tutor);
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const maya = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: 'ruth@leaving.example',
  });
  const leo = await createStudent(browser, { name: 'Leo Hale', carerId: maya.carerId });
  const sam = await createStudent(browser, {
    name: 'Sam Reid',
    carerName: 'Tom Reid',
    carerEmail: 'tom@leaving.example',
  });
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId: subject.id };
  const input = (overrides: Partial<DepartureInput> = {}) => ({
    studentIds: [maya.id],
    lastDate: '2026-11-24',
    portalEndsOn: '2026-12-24',
    ...overrides,
  });
  const preview = (overrides: Partial<DepartureInput> = {}) =>
    browser.call(departures.previewDeparture, { body: input(overrides) });
  const save = (fingerprint: string, overrides: Partial<DepartureInput> = {}) =>
    browser.call(departures.saveDeparture, { body: { ...input(overrides), fingerprint } });
  const saveWithKey = (fingerprint: string) =>
    browser.send(
      'POST',
      '/api/departures',
      { ...input(), fingerprint },
      { 'idempotency-key': 'maya-leaves' },
    );
  async function leave(overrides: Partial<DepartureInput> = {}) {
    const shown = await preview(overrides);
    if (shown.status !== 200) throw new Error(shown.error.message);
    const saved = await save(shown.body.fingerprint, overrides);
    if (saved.status !== 201) throw new Error(saved.error.message);
    return { ...shown.body, saved: saved.body };
  }
  const setStatus = async (body: StudentStatusInput, id = maya.id) =>
    (await browser.call(studentStatus.changeStudentStatus, { params: { id }, body })).body;
  const read = async (id = maya.id) =>
    (await browser.call(students.listStudents)).body.find((student) => student.id === id);
  const drafts = async () =>
    (await browser.call(messages.outbox)).body.filter(({ kind }) => kind === 'custom');
  return {
    browser,
    tutorId,
    fixture,
    maya,
    leo,
    sam,
    preview,
    save,
    saveWithKey,
    leave,
    setStatus,
    read,
    drafts,
  };
}

const datesOf = (rows: readonly { date: string }[]) => rows.map(({ date }) => date.slice(5));
const readScheduledDates = async (fixture: LessonFixture) =>
  (await fetchSessionsAsText(fixture))
    .filter((line) => line.endsWith('scheduled'))
    .map((line) => line.slice(5, 10));

describe('one student', () => {
  test('the preview shows what is saved, and changes nothing', async () => {
    const { fixture, preview, save, read, drafts } = await createFamilies();
    await addLesson(fixture, weekly());
    const { body } = await preview();
    expect(datesOf(body.students[0]?.cancelled ?? [])).toEqual(['12-01', '12-08', '12-15']);
    expect(body.students[0]?.cancelled[0]).toMatchObject({
      startTime: '16:00',
      label: 'Maya Okafor - Maths',
      isGroup: false,
    });
    expect(body.families).toMatchObject([
      { name: 'Ruth Hale', students: ['Maya'], balances: [], message: { problem: null } },
    ]);
    expect(await readScheduledDates(fixture)).toHaveLength(5);
    expect((await read())?.status).toBe('active');
    expect(await drafts()).toEqual([]);

    const saved = await save(body.fingerprint);
    expect(saved.body).toEqual({ students: 1, cancelled: 3, chargedSessions: 0, messages: 1 });
    expect(await readScheduledDates(fixture)).toEqual(['11-17', '11-24']);
    expect(await read()).toMatchObject({
      status: 'left',
      leftOn: '2026-11-24',
      portalEndsOn: '2026-12-24',
      pause: null,
    });
    const [draft] = await drafts();
    expect(draft).toMatchObject({ state: 'draft', subject: "Maya's lessons" });
    expect(draft?.text).toBe(body.families[0]?.message?.text);
    expect(draft?.text).toContain("Maya's lessons with me will end on Tuesday 24 November");
    // The portal was never opened.
    expect(draft?.text).not.toContain('family portal');
  });

  test('the message mentions the family portal once it is open', async () => {
    const { browser, preview } = await createFamilies();
    await browser.call(portalSettings.openPortal);
    const { body } = await preview();
    expect(body.families[0]?.message?.text).toContain(
      'in the family portal until Thursday 24 December',
    );
  });

  test('an outdated preview is rejected and changes nothing, and only one of three concurrent requests succeeds', async () => {
    const { browser, fixture, preview, save, drafts } = await createFamilies();
    const { sessionId } = await addLesson(fixture, { date: '2026-12-01' });
    const first = (await preview()).body.fingerprint;
    await browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: 'tutor' },
    });
    expect((await save(first)).status).toBe(409);
    const second = (await preview()).body.fingerprint;
    const answers = await Promise.all([save(second), save(second), save(second)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(await drafts()).toHaveLength(1);
  });

  test('requests with the same key get the same reply, even if they are concurrent', async () => {
    const { fixture, preview, saveWithKey, drafts } = await createFamilies();
    await addLesson(fixture, weekly());
    const { fingerprint } = (await preview()).body;
    const answers = await Promise.all([1, 2, 3].map(() => saveWithKey(fingerprint)));
    answers.push(await saveWithKey(fingerprint));
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => answers[0]?.body));
    expect(answers[0]?.body).toMatchObject({ cancelled: 3, messages: 1 });
    expect(await drafts()).toHaveLength(1);
  });

  test('the student is active until the last day; after that day, new lessons are rejected', async () => {
    const { browser, fixture, leave, read } = await createFamilies();
    await leave();
    const student = await read();
    expect(
      ['2026-11-24', '2026-11-25'].map((day) => student && studentStatusOn(student, day)),
    ).toEqual(['active', 'left']);
    await addLesson(fixture, { date: '2026-11-20' });
    await addLesson(fixture, weekly({ startTime: '08:00', endTime: '09:00' }));
    expect(await readScheduledDates(fixture)).toEqual(['11-17', '11-20', '11-24']);
    app.clock.set('2026-11-25T00:01:00Z');
    const refused = await browser.call(lessons.createLesson, { body: lessonBody(fixture) });
    expect([refused.status, refused.error.message]).toEqual([
      409,
      'This student has left. Please change their status first.',
    ]);
  });

  test('coming back restores the lessons from that day on, and access to the portal', async () => {
    const { fixture, leave, setStatus, read } = await createFamilies();
    await addLesson(fixture, weekly());
    await leave();
    app.clock.set('2026-12-03T12:00:00Z');
    const { restored } = await setStatus({ status: 'active' });
    expect(datesOf(restored)).toEqual(['12-08', '12-15']);
    expect(await readScheduledDates(fixture)).toEqual(['11-17', '11-24', '12-08', '12-15']);
    expect(await read()).toMatchObject({ status: 'active', leftOn: null, portalEndsOn: null });
    expect((await setStatus({ status: 'active' })).restored).toEqual([]);
  });

  test('a later last day restores the lessons in between, and an earlier one cancels them', async () => {
    const { fixture, leave } = await createFamilies();
    await addLesson(fixture, weekly());
    await leave();
    const later = await leave({ lastDate: '2026-12-08' });
    expect(datesOf(later.students[0]?.restored ?? [])).toEqual(['12-01', '12-08']);
    expect(later.students[0]?.cancelled).toEqual([]);
    const earlier = await leave({ lastDate: '2026-11-17' });
    expect(datesOf(earlier.students[0]?.cancelled ?? [])).toEqual(['11-24', '12-01', '12-08']);
    expect(await readScheduledDates(fixture)).toEqual(['11-17']);
  });

  test('a pause ends on the last day and is not restored', async () => {
    const { fixture, leave, setStatus, read } = await createFamilies();
    await addLesson(fixture, weekly());
    await setStatus({ status: 'paused', fromDate: '2026-11-20', toDate: '2026-12-10' });
    const { students: shown } = await leave();
    expect(datesOf(shown[0]?.cancelled ?? [])).toEqual(['12-15']);
    expect((await read())?.pause).toEqual({ fromDate: '2026-11-20', toDate: '2026-11-24' });
    await setStatus({ status: 'active' });
    expect(await readScheduledDates(fixture)).toEqual([
      '11-17',
      '11-24',
      '12-01',
      '12-08',
      '12-15',
    ]);
  });

  test('undoing the departure restores the lessons and the pause that the student had before', async () => {
    const { fixture, leave, setStatus, read } = await createFamilies();
    await addLesson(fixture, weekly());
    const pause = { fromDate: '2026-11-16', toDate: '2026-11-20' };
    await setStatus({ status: 'paused', ...pause });
    const before = await fetchSessionsAsText(fixture);
    await leave();
    await setStatus({ status: 'paused', ...pause });
    expect(await fetchSessionsAsText(fixture)).toEqual(before);
    expect(await read()).toMatchObject({ status: 'active', leftOn: null, pause });
  });

  test('lessons cancelled after the last day need no notice, unless the family was sent a message about them', async () => {
    const { browser, fixture, leave, maya, sam } = await createFamilies();
    await addLesson(fixture, weekly());
    await addLesson(fixture, {
      ...weekly(),
      startTime: '17:00',
      endTime: '18:00',
      students: [{ studentId: maya.id }, { studentId: sam.id }],
    });
    const moved = await addLesson(fixture, { date: '2026-12-02' });
    const { body } = await browser.call(sessions.rescheduleSession, {
      params: { id: moved.sessionId },
      body: { date: '2026-12-03', startTime: '10:00', endTime: '11:00' },
    });
    const pending = async () =>
      (await browser.call(messages.pendingNotices, { query: {} })).body.map(({ date }) => date);
    expect(await pending()).toEqual(['2026-12-03']);
    await leave();
    expect(await pending()).toEqual([]);
    await leave({ lastDate: '2026-12-08' });
    await browser.call(messages.sendChangeNotice, {
      body: { sessionIds: [body.id], channel: 'email' },
    });
    await leave();
    expect(await pending()).toEqual(['2026-12-03']);
  });

  test('a series is not extended after its student has left, and continues once the student comes back', async () => {
    const { browser, fixture, leave, setStatus } = await createFamilies();
    const { lessonId } = await addLesson(fixture, weekly({ recurringEndDate: null }));
    await leave();
    const count = async () =>
      Number(
        (
          await app.admin.query<{ count: string }>(
            'select count(*) from sessions where lesson_id = $1 and date > $2',
            [lessonId, '2027-11-20'],
          )
        ).rows[0]?.count,
      );
    const before = await count();
    app.clock.advance({ days: 28 });
    await extendAllSeries(app.context);
    expect(await count()).toBe(before);
    await setStatus({ status: 'active' });
    app.clock.advance({ days: 8 });
    await extendAllSeries(app.context);
    expect(await count()).toBeGreaterThan(before);
    expect((await browser.call(lessons.lesson, { params: { id: lessonId } })).status).toBe(200);
  });

  test('lessons keep their local time across a clock change and in another time zone', async () => {
    const { browser, fixture, leave, setStatus } = await createFamilies();
    const dates = { date: '2027-03-23', recurringEndDate: '2027-04-06' };
    await addLesson(fixture, weekly({ ...dates, startTime: '06:45', endTime: '07:45' }));
    // The clocks change on the last day.
    const { students: shown } = await leave({ lastDate: '2027-03-28', portalEndsOn: '2027-03-28' });
    expect(datesOf(shown[0]?.cancelled ?? [])).toEqual(['03-30', '04-06']);
    const { body: profile } = await browser.call(accounts.me);
    const { name, email } = profile;
    await browser.call(accounts.updateMe, { body: { name, email, timeZone: 'Europe/Berlin' } });
    await setStatus({ status: 'active' });
    const { rows } = await app.admin.query<{ starts_at: Date }>(
      "select starts_at from sessions where start_time = '06:45' and status = 'scheduled' order by date",
    );
    expect(rows.map(({ starts_at }) => starts_at.toISOString())).toEqual([
      '2027-03-23T05:45:00.000Z',
      '2027-03-30T04:45:00.000Z',
      '2027-04-06T04:45:00.000Z',
    ]);
  });
});

describe('the notice period', () => {
  const notice = { lastDate: '2026-11-17', noticeUntil: '2026-12-01' } as const;

  test('its lessons are charged in full, those after it are free, and coming back reverses the charges', async () => {
    const { browser, fixture, leave, setStatus } = await createFamilies();
    await addLesson(fixture, weekly());
    const { students: shown, families, saved } = await leave(notice);
    expect(shown[0]?.charged.map(({ session, amount }) => [session.date, amount])).toEqual([
      ['2026-11-24', 3500],
      ['2026-12-01', 3500],
    ]);
    expect(datesOf(shown[0]?.cancelled ?? [])).toEqual(['12-08', '12-15']);
    expect(families[0]).toMatchObject({
      balances: [{ currency: 'GBP', owed: 7000 }],
      uninvoiced: [{ currency: 'GBP', amount: 7000, lessons: 2 }],
    });
    expect(families[0]?.message?.text).toContain('Tuesday 24 November (£35');
    expect(saved).toMatchObject({ cancelled: 2, chargedSessions: 2 });
    // Charged lessons stay in the schedule.
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-24 16:00 cancelled',
      '2026-12-01 16:00 cancelled',
    ]);
    await createPayment(browser, families[0]?.familyId ?? 0, 3500);
    expect((await leave(notice)).families[0]?.uninvoiced).toEqual([
      { currency: 'GBP', amount: 3500, lessons: 1 },
    ]);
    expect(datesOf((await setStatus({ status: 'active' })).restored)).toHaveLength(4);
    expect((await browser.call(students.listStudents)).body[0]?.balances).toEqual([]);
  });

  test('a shorter notice period reverses the charges that no longer apply', async () => {
    const { fixture, leave } = await createFamilies();
    await addLesson(fixture, weekly());
    await leave(notice);
    const { families } = await leave({ ...notice, noticeUntil: '2026-11-24' });
    expect(families[0]?.balances).toMatchObject([{ owed: 3500 }]);
    expect((await leave({ lastDate: '2026-11-17' })).families[0]?.balances).toEqual([]);
  });

  test('its lessons can take place as usual', async () => {
    const { fixture, leave, read } = await createFamilies();
    await addLesson(fixture, weekly());
    const { students: shown } = await leave({ ...notice, inNotice: 'keep' });
    expect(shown[0]?.charged).toEqual([]);
    expect(await readScheduledDates(fixture)).toEqual(['11-17', '11-24', '12-01']);
    expect((await read())?.leftOn).toBe('2026-12-01');
  });

  test('in a group, only the student who leaves is charged, and the others have their lesson', async () => {
    const { fixture, preview, leave, setStatus, maya, sam } = await createFamilies();
    await addLesson(fixture, {
      ...weekly({ recurringEndDate: '2026-11-24' }),
      students: [{ studentId: maya.id }, { studentId: sam.id }],
      title: 'Year 11',
    });
    const { body } = await preview({ lastDate: '2026-11-17' });
    expect(body.students[0]?.cancelled).toMatchObject([
      { date: '2026-11-24', label: 'Year 11 · 2 - Maths', isGroup: true },
    ]);
    await leave({ lastDate: '2026-11-17', noticeUntil: '2026-11-24' });
    const seats = async () => {
      const rows = await fetchSessionsBetween(fixture, '2026-11-24', '2026-11-24');
      return rows.flatMap(({ students: each }) =>
        each.map(({ state, charged }) => [state, charged]),
      );
    };
    expect(await seats()).toEqual([
      ['cancelled', 3500],
      ['expected', null],
    ]);
    await setStatus({ status: 'active' });
    expect(await seats()).toEqual([
      ['expected', null],
      ['expected', null],
    ]);
  });

  test.each(['leaving again', 'coming back'])(
    '%s on the day of a group lesson that took place changes no charge',
    async (again) => {
      const { browser, tutorId, fixture, leave, setStatus, maya, sam } = await createFamilies();
      await addLesson(fixture, {
        ...weekly({ recurringEndDate: '2026-12-01' }),
        students: [{ studentId: maya.id }, { studentId: sam.id }],
        travelFee: 5,
        place: '12 High Street',
      });
      await leave(notice);
      app.clock.set('2026-11-24T18:00:00Z');
      const [group] = await fetchSessionsBetween(fixture, '2026-11-24', '2026-11-24');
      const params = { id: group?.id as number };
      await browser.call(sessions.completeSession, { params, body: {} });
      const readCharges = async () => {
        const { rows } = await app.admin.query(
          'select id, student_id, kind, amount, outstanding, reversed from charges where tutor_id = $1 and session_id = $2 order by id',
          [tutorId, group?.id],
        );
        return rows;
      };
      const before = await readCharges();
      expect(before.map(({ kind, amount }) => [kind, amount])).toEqual([
        ['cancellation', 3500],
        ['lesson', 3500],
        ['travel', 500],
      ]);
      if (again === 'leaving again') await leave({ ...notice, portalEndsOn: '2027-01-24' });
      else await setStatus({ status: 'active' });
      expect(await readCharges()).toEqual(before);
      await setStatus({ status: 'active' });
      expect(await readCharges()).toEqual(before);
    },
  );
});

describe('several students', () => {
  test('each family gets one message, which covers all the siblings', async () => {
    const { fixture, leave, leo, maya, sam, drafts } = await createFamilies();
    await addLesson(fixture, weekly());
    await addLesson(fixture, {
      ...weekly(),
      studentId: leo.id,
      startTime: '17:00',
      endTime: '18:00',
    });
    await addLesson(fixture, {
      ...weekly(),
      studentId: sam.id,
      startTime: '18:00',
      endTime: '19:00',
    });
    const { saved } = await leave({ studentIds: [sam.id, maya.id, leo.id, maya.id] });
    expect(saved).toEqual({ students: 3, cancelled: 9, chargedSessions: 0, messages: 2 });
    expect((await drafts()).map(({ subject }) => subject).toSorted()).toEqual([
      "Maya and Leo's lessons",
      "Sam's lessons",
    ]);
    expect(await readScheduledDates(fixture)).toHaveLength(6);
  });

  test("no student leaves if one of them is another tutor's or has been deleted", async () => {
    const own = await createFamilies();
    const other = await createFamilies();
    for (let i = 0; i < 5; i++) await createStudent(other.browser, { name: `Other ${i}` });
    const foreignId = other.maya.id + 7;
    await addLesson(own.fixture, weekly());
    const studentIds = [own.maya.id, foreignId];
    expect((await own.preview({ studentIds })).status).toBe(404);
    expect((await own.save('made-up', { studentIds })).status).toBe(404);
    await own.browser.call(students.deleteStudent, { params: { id: own.sam.id } });
    expect((await own.preview({ studentIds: [own.maya.id, own.sam.id] })).status).toBe(404);
    expect(await readScheduledDates(own.fixture)).toHaveLength(5);
    expect((await own.read())?.status).toBe('active');
  });
});

test.each([
  [{ studentIds: [] }, 'studentIds'],
  [{ noticeUntil: '2026-11-24' }, 'noticeUntil'],
  [{ portalEndsOn: '2026-11-23' }, 'portalEndsOn'],
  [{ lastDate: '2026-02-30' }, 'lastDate'],
])('rejects %o', async (overrides, field) => {
  const { preview } = await createFamilies();
  const response = await preview(overrides);
  expect([response.status, Object.keys(response.error.fields ?? {})]).toEqual([400, [field]]);
});
