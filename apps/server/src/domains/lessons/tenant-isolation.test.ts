import { cancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { studentStatus } from '@lessonbook/contract/change-student-status';
import { dashboard } from '@lessonbook/contract/dashboard';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { groupLessons } from '@lessonbook/contract/group-lessons';
import { lessonNotes } from '@lessonbook/contract/lesson-notes';
import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { termCalendars } from '@lessonbook/contract/term-calendars';
import { timeOff } from '@lessonbook/contract/time-off';
import { cancellationFees } from '@lessonbook/contract/waive-cancellation-fee';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutor, findTutorId } from '../../test/create-tutor.ts';
import {
  addLesson,
  fetchSessionsBetween,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import {
  callByName,
  canaryTexts,
  disableRowSecurity,
  type EndpointCall,
  type FixtureTexts,
  plainTexts,
  readAllRowsOfTutor,
  startIdsAfter,
} from '../../test/tenant-isolation-test-support.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
let maintenance: pg.Client;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  maintenance = new pg.Client(app.urls.maintenanceUrl);
  await maintenance.connect();
});
afterAll(async () => {
  await maintenance.end();
  await app.close();
});

/** Text belonging to one tutor that must never appear in a response to another. */
const CANARY = /canary|77009009|77\.77|\b7777\b/;
const endpoints: Record<string, Endpoint> = {
  ...lessons,
  ...sessions,
  ...groupLessons,
  ...lessonNotes,
  ...timeOff,
  ...termCalendars,
  ...studentStatus,
  ...cancellationFees,
  ...cancellationPolicy,
  dashboard: dashboard.dashboard,
};
const KINDS = 'student carer subject lesson session time-off term-calendar family charge'.split(
  ' ',
);

interface TutorFixture extends LessonFixture {
  tutorId: string;
  lessonId: number;
  /** Sessions scheduled on 1, 8 and 15 December. Earlier sessions are completed or cancelled with a fee. */
  sessionIds: number[];
  timeOffId: number;
  termCalendarId: number;
  /** A group on 2 and 9 December with the student and the member. The joiner is not in the group. */
  groupLessonId: number;
  groupSessionIds: number[];
  memberId: number;
  joinerId: number;
}

/** Creates a tutor whose records have a value in every field. Ids start after `from`. */
async function createTutorFixture(
  texts: FixtureTexts,
  fee: number,
  from = 0,
): Promise<TutorFixture> {
  const { browser, input } = await createTutor(app);
  const tutorId = await findTutorId(app, input);
  await startIdsAfter(maintenance, tutorId, KINDS, from);
  const student = await createStudent(browser, {
    name: texts.name,
    phone: texts.phone,
    email: texts.email,
    subject: texts.subject,
    notes: texts.notes,
    carerName: texts.carer,
    carerRelationship: texts.carer,
    carerPhone: texts.phone,
    carerEmail: texts.email,
  });
  const subject = await createSubject(browser, {
    name: texts.subject,
    description: texts.notes,
    defaultFee: fee,
  });
  const fixture: LessonFixture = { browser, studentId: student.id, subjectId: subject.id };
  const { title, place, notes } = texts;
  const { lessonId } = await addLesson(fixture, { ...weekly(), title, place, notes, fee });
  const rows = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
  const [completed = 0, cancelled = 0, ...sessionIds] = rows.map((row) => row.id);
  await browser.call(sessions.completeSession, { params: { id: completed }, body: { notes } });
  await browser.call(cancellationPolicy.updatePolicy, {
    body: { tiers: [{ noticeHours: 700, feePercent: 100 }] },
  });
  await browser.call(sessions.cancelSession, {
    params: { id: cancelled },
    body: { cancelledBy: 'carer', reason: texts.reason, chargeFee: true },
  });
  const created = await browser.call(timeOff.createTimeOff, {
    body: { fromDate: '2026-12-20', toDate: '2026-12-24', reason: texts.reason },
  });
  const calendar = await browser.call(termCalendars.createTermCalendar, {
    body: termCalendarBody(texts.reason),
  });
  const group = await createGroup(fixture, texts, fee);
  return {
    ...fixture,
    tutorId,
    lessonId,
    sessionIds,
    timeOffId: created.body.id,
    termCalendarId: calendar.body.id,
    ...group,
  };
}

const termCalendarBody = (name: string) => ({
  name,
  terms: [{ name, fromDate: '2026-11-01', toDate: '2026-12-18' }],
});

async function createGroup(fixture: LessonFixture, texts: FixtureTexts, fee: number) {
  const { id: memberId } = await createStudent(fixture.browser, { name: texts.name });
  const { id: joinerId } = await createStudent(fixture.browser, { name: texts.name });
  const { lessonId: groupLessonId } = await addLesson(fixture, {
    ...weekly({ recurringEndDate: '2026-12-09' }),
    date: '2026-12-02',
    startTime: '18:00',
    endTime: '19:00',
    title: texts.title,
    students: [{ studentId: fixture.studentId }, { studentId: memberId, fee }],
  });
  const rows = await fetchSessionsBetween(fixture, '2026-12-01', '2026-12-31');
  const groupSessionIds = rows.filter((row) => row.lessonId === groupLessonId).map((row) => row.id);
  return { groupLessonId, groupSessionIds, memberId, joinerId };
}

const send = callByName(endpoints);
const readRows = (tutorId: string) => readAllRowsOfTutor(maintenance, tutorId);

const dateRange = { from: '2026-11-01', to: '2026-12-31' };

/** Calls that read data and have no ids in the request. */
const READS_WITHOUT_IDS: EndpointCall[] = [
  ['listLessons', {}],
  ['listSessions', { query: dateRange }],
  ['sessionsByDate', { params: { date: '2026-11-17' } }],
  ['dueSessions', {}],
  ['listTimeOff', {}],
  ['listTermCalendars', {}],
  ['policy', {}],
  ['dashboard', {}],
];

/** Every call that takes ids. `owner` owns the ids under test; `mine` is the caller. */
function callsWithIds(owner: TutorFixture, mine: TutorFixture): EndpointCall[] {
  const [first = 0, second = 0, third = 0] = owner.sessionIds;
  const [ownSessionId = 0] = mine.sessionIds;
  const body = lessonBody(mine, weekly());
  const oneOff = lessonBody(mine, { date: '2027-02-02' });
  const change = { ...body, date: '2026-12-01', scope: 'this', sessionId: first };
  const scope = { scope: 'this', sessionId: String(first) };
  const session = { params: { id: first } };
  const pause = { status: 'paused', fromDate: '2026-12-01' };
  return [
    ...groupCalls(owner, mine),
    ['lesson', { params: { id: owner.lessonId } }],
    ['session', session],
    ['sessionStudents', session],
    ['updateSessionNotes', { ...session, body: { notes: 'Changed' } }],
    ['waiveCancellationFee', session],
    ['cancellationProposal', { ...session, query: { cancelledBy: 'carer' } }],
    ['createLesson', { body: { ...oneOff, studentId: owner.studentId } }],
    ['createLesson', { body: { ...oneOff, subjectId: owner.subjectId, date: '2027-03-03' } }],
    ['previewNewLesson', { body: { ...body, studentId: owner.studentId } }],
    ['previewNewLesson', { body: { ...body, subjectId: owner.subjectId } }],
    ['previewLessonChange', { params: { id: owner.lessonId }, body: change }],
    ['previewLessonChange', { params: { id: mine.lessonId }, body: change }],
    ['previewLessonDelete', { params: { id: owner.lessonId }, query: scope }],
    ['previewLessonDelete', { params: { id: mine.lessonId }, query: scope }],
    [
      'updateLesson',
      {
        params: { id: mine.lessonId },
        body: { ...change, sessionId: ownSessionId, studentId: owner.studentId },
      },
    ],
    [
      'updateLesson',
      {
        params: { id: mine.lessonId },
        body: { ...change, sessionId: ownSessionId, subjectId: owner.subjectId },
      },
    ],
    ['updateLesson', { params: { id: owner.lessonId }, body: { ...change, scope: 'all' } }],
    ['updateLesson', { params: { id: mine.lessonId }, body: change }],
    ['completeSessions', { body: { sessions: [{ id: first }] } }],
    ['reopenSessions', { body: { ids: [first] } }],
    ['completeSessions', { body: { sessions: [{ id: first }] } }],
    ['reopenSession', { ...session, body: {} }],
    ['undoReschedule', session],
    [
      'rescheduleSession',
      { ...session, body: { date: '2027-01-05', startTime: '09:00', endTime: '10:00' } },
    ],
    ['completeSession', { params: { id: second }, body: {} }],
    [
      'createTimeOff',
      { body: { fromDate: '2026-12-14', toDate: '2026-12-16', cancelSessionIds: [third] } },
    ],
    ['cancelSession', { params: { id: third }, body: { cancelledBy: 'carer', chargeFee: true } }],
    ['deleteTimeOff', { params: { id: owner.timeOffId }, query: { restore: 'true' } }],
    ['createLesson', { body: { ...body, termCalendarId: owner.termCalendarId } }],
    [
      'updateLesson',
      {
        params: { id: mine.lessonId },
        body: {
          ...change,
          scope: 'all',
          sessionId: ownSessionId,
          termCalendarId: owner.termCalendarId,
        },
      },
    ],
    [
      'previewTermCalendar',
      { params: { id: owner.termCalendarId }, body: termCalendarBody('Changed') },
    ],
    [
      'updateTermCalendar',
      { params: { id: owner.termCalendarId }, body: termCalendarBody('Changed') },
    ],
    ['deleteTermCalendar', { params: { id: owner.termCalendarId } }],
    ['deleteLesson', { params: { id: mine.lessonId }, query: scope }],
    ['deleteLesson', { params: { id: owner.lessonId }, query: { ...scope, scope: 'all' } }],
    ['previewStudentStatus', { params: { id: owner.studentId }, body: pause }],
    ['changeStudentStatus', { params: { id: owner.studentId }, body: pause }],
    ['changeStudentStatus', { params: { id: owner.studentId }, body: { status: 'active' } }],
  ];
}

function groupCalls(owner: TutorFixture, mine: TutorFixture): EndpointCall[] {
  const [first = 0, second = 0] = owner.groupSessionIds;
  const [ownFirst = 0, ownSecond = 0] = mine.groupSessionIds;
  const from = '2026-12-01';
  const seat = { params: { id: first, studentId: owner.memberId } };
  const cancellation = { cancelledBy: 'carer' };
  const list = [{ studentId: mine.studentId }, { studentId: owner.joinerId }];
  const group = lessonBody(mine, { date: '2027-04-06', students: list });
  const attendance = { students: [{ studentId: owner.memberId, attendance: 'late' }] };
  return [
    ['createLesson', { body: group }],
    ['previewNewLesson', { body: group }],
    [
      'joinLesson',
      { params: { id: owner.groupLessonId }, body: { studentId: mine.joinerId, from } },
    ],
    [
      'joinLesson',
      { params: { id: mine.groupLessonId }, body: { studentId: owner.joinerId, from } },
    ],
    ['sessionNotes', { params: { id: first } }],
    ['saveNote', { ...seat, body: { homework: 'Changed', share: true } }],
    ['saveNote', { params: { id: ownFirst, studentId: owner.memberId }, body: { did: 'Changed' } }],
    ['withdrawNote', seat],
    ['noteVersions', seat],
    ['setHomeworkDone', { ...seat, body: { isDone: true } }],
    ['studentNotes', { params: { id: owner.memberId } }],
    ['seatCancellationProposal', { ...seat, query: cancellation }],
    [
      'seatCancellationProposal',
      { params: { id: ownFirst, studentId: owner.memberId }, query: cancellation },
    ],
    ['cancelSeat', { ...seat, body: cancellation }],
    ['cancelSeat', { params: { id: ownFirst, studentId: owner.joinerId }, body: cancellation }],
    ['restoreSeat', seat],
    ['restoreSeat', { params: { id: ownFirst, studentId: owner.joinerId } }],
    ['completeSession', { params: { id: ownSecond }, body: attendance }],
    ['completeSession', { params: { id: second }, body: attendance }],
    [
      'leaveLesson',
      { params: { id: owner.groupLessonId, studentId: mine.memberId }, query: { from } },
    ],
    [
      'leaveLesson',
      { params: { id: mine.groupLessonId, studentId: owner.joinerId }, query: { from } },
    ],
  ];
}

const otherCalls: EndpointCall[] = [
  ['previewTimeOff', { body: { fromDate: '2026-11-01', toDate: '2026-12-31' } }],
  ['updatePolicy', { body: { tiers: [{ noticeHours: 12, feePercent: 50 }] } }],
  ['deletePlannedPolicy', {}],
  ['createTermCalendar', { body: termCalendarBody('Another') }],
];

test('every endpoint for lessons, sessions, time off, the policy and the dashboard is covered', async () => {
  const placeholder = {
    studentId: 1,
    subjectId: 1,
    sessionIds: [1, 2, 3],
    lessonId: 1,
    timeOffId: 1,
    termCalendarId: 1,
    groupSessionIds: [1, 2],
  };
  const fixture = placeholder as unknown as TutorFixture;
  const used = [...READS_WITHOUT_IDS, ...callsWithIds(fixture, fixture), ...otherCalls].map(
    ([name]) => name,
  );
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

describe("another tutor's lessons", () => {
  test('[AUTH-45, V8.2.2, V8.4.1, T06] ids that exist only for the other tutor return 404 and change nothing', async () => {
    const theirs = await createTutorFixture(canaryTexts, 77.77, 1_000_000);
    const mine = await createTutorFixture(plainTexts, 35);
    expect([theirs.lessonId, theirs.studentId, theirs.timeOffId]).toEqual(
      Array.from({ length: 3 }, () => 1_000_001),
    );
    const [before, ownBefore] = [await readRows(theirs.tutorId), await readRows(mine.tutorId)];
    expect(JSON.stringify(before)).toMatch(CANARY);
    for (const attempt of callsWithIds(theirs, mine)) {
      const response = await send(mine.browser, attempt);
      const status = attempt[0] === 'createTimeOff' ? 409 : 404;
      expect([attempt[0], response.status]).toEqual([attempt[0], status]);
      expect(JSON.stringify(response.body)).not.toMatch(CANARY);
    }
    expect(await readRows(mine.tutorId)).toEqual(ownBefore);
    for (const attempt of [...READS_WITHOUT_IDS, ...otherCalls]) {
      const response = await send(mine.browser, attempt);
      const status = attempt[0] === 'createTermCalendar' ? 201 : 200;
      expect([attempt[0], response.status]).toEqual([attempt[0], status]);
      expect(JSON.stringify(response.body)).not.toMatch(CANARY);
    }
    expect(await readRows(theirs.tutorId)).toEqual(before);
  });

  test("[AUTH-45] a list containing both tutors' ids is rejected as a whole", async () => {
    const theirs = await createTutorFixture(canaryTexts, 77.77, 1_000_000);
    const mine = await createTutorFixture(plainTexts, 35);
    const ids = [mine.sessionIds[0] ?? 0, theirs.sessionIds[0] ?? 0];
    const before = await readRows(mine.tutorId);
    const batch = await send(mine.browser, [
      'completeSessions',
      { body: { sessions: ids.map((id) => ({ id })) } },
    ]);
    const created = await send(mine.browser, [
      'createTimeOff',
      { body: { fromDate: '2026-11-01', toDate: '2026-12-31', cancelSessionIds: ids } },
    ]);
    expect([batch.status, created.status]).toEqual([404, 409]);
    expect(await readRows(mine.tutorId)).toEqual(before);
  });

  test('[AUTH-45, V8.2.2] with identical ids, a tutor reads and changes only their own data', async () => {
    const theirs = await createTutorFixture(canaryTexts, 77.77);
    const mine = await createTutorFixture(plainTexts, 35);
    const idsOf = ({ studentId, subjectId, lessonId, sessionIds, timeOffId }: TutorFixture) => ({
      studentId,
      subjectId,
      lessonId,
      sessionIds,
      timeOffId,
    });
    expect(idsOf(mine)).toEqual(idsOf(theirs));
    const before = await readRows(theirs.tutorId);
    const mySessions = JSON.stringify((await readRows(mine.tutorId))['sessions']);
    const responses: [string, number][] = [];
    for (const attempt of [
      ...READS_WITHOUT_IDS,
      ...callsWithIds(theirs, mine),
      ...otherCalls,
      ...READS_WITHOUT_IDS,
    ]) {
      const response = await send(mine.browser, attempt);
      responses.push([attempt[0], response.status]);
      expect(JSON.stringify(response.body)).not.toMatch(CANARY);
    }
    // Earlier calls have already cancelled or moved the caller's sessions.
    expect(responses.filter(([, status]) => status >= 400)).toEqual([
      // The student is already in the group, and the session of the group is already completed.
      ['joinLesson', 409],
      ['completeSession', 409],
      // This session was never moved.
      ['undoReschedule', 409],
      ['cancelSession', 409],
      // The earlier calls have made the caller's series follow the calendar.
      ['deleteTermCalendar', 409],
      ['deleteLesson', 409],
    ]);
    const after = await readRows(mine.tutorId);
    expect(JSON.stringify(after['sessions'])).not.toBe(mySessions);
    expect(JSON.stringify(after)).not.toMatch(CANARY);
    expect(await readRows(theirs.tutorId)).toEqual(before);
  });

  test("[AUTH-45] another tutor's lessons cause no overlaps, and their time off cancels nothing", async () => {
    const theirs = await createTutorFixture(canaryTexts, 77.77);
    const mine = await createTutorFixture(plainTexts, 35);
    const preview = await mine.browser.call(lessons.previewNewLesson, {
      body: lessonBody(mine, { date: '2026-12-22', startTime: '08:00', endTime: '09:00' }),
    });
    expect(preview.body.overlaps).toEqual([]);
    await theirs.browser.call(timeOff.createTimeOff, {
      body: { fromDate: '2027-01-04', toDate: '2027-01-10', reason: 'canary holiday' },
    });
    await addLesson(mine, { ...weekly({ recurringEndDate: '2027-01-12' }), date: '2027-01-05' });
    const rows = await fetchSessionsBetween(mine, '2027-01-01', '2027-01-31');
    expect(rows.map((row) => row.status)).toEqual(['scheduled', 'scheduled']);
  });

  test('[AUTH-45] idempotency keys are not shared between tutors', async () => {
    const theirs = await createTutorFixture(canaryTexts, 77.77);
    const mine = await createTutorFixture(plainTexts, 35);
    const add = (fixture: TutorFixture, title: string) =>
      fixture.browser.send(
        'POST',
        '/api/lessons',
        lessonBody(fixture, { title, date: '2027-02-02' }),
        {
          'idempotency-key': 'the-very-same-key',
        },
      );
    const first = await add(theirs, 'canary lesson');
    const second = await add(mine, 'Maya - Maths');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await fetchSessionsBetween(mine, '2027-02-02', '2027-02-02')).toMatchObject([
      { title: 'Maya - Maths' },
    ]);
  });

  test('[API-51] every call returns 401 without a login', async () => {
    const mine = await createTutorFixture(plainTexts, 35);
    const before = await readRows(mine.tutorId);
    for (const attempt of [...READS_WITHOUT_IDS, ...callsWithIds(mine, mine), ...otherCalls]) {
      const response = await send(app.browser(), attempt);
      expect([attempt[0], response.status]).toEqual([attempt[0], 401]);
      expect(response.error.message).not.toBe('');
    }
    expect(await readRows(mine.tutorId)).toEqual(before);
  });
});

describe('with row-level security disabled', () => {
  beforeAll(() => disableRowSecurity(app.urls.ownerUrl));

  test.each([0, 1_000_000])(
    "[AUTH-45] the server's own checks prevent access if the other tutor's ids start after %d",
    async (from) => {
      const theirs = await createTutorFixture(canaryTexts, 77.77, from);
      const mine = await createTutorFixture(plainTexts, 35);
      const before = await readRows(theirs.tutorId);
      for (const attempt of [
        ...READS_WITHOUT_IDS,
        ...callsWithIds(theirs, mine),
        ...otherCalls,
        ...READS_WITHOUT_IDS,
      ]) {
        const response = await send(mine.browser, attempt);
        expect(JSON.stringify([attempt[0], response.body])).not.toMatch(CANARY);
        expect([attempt[0], response.status]).not.toEqual([attempt[0], 500]);
      }
      expect(JSON.stringify(await readRows(mine.tutorId))).not.toMatch(CANARY);
      expect(await readRows(theirs.tutorId)).toEqual(before);
    },
  );
});
