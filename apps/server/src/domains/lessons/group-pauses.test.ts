import { type StudentStatusInput, studentStatus } from '@lessonbook/contract/change-student-status';
import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createGroupFixture,
  createThreeFamilies,
  formatSeats,
  type Group,
  issueInvoicesForAll,
  readSession,
} from '../../test/group-lesson-fixture.ts';
import {
  addStudentToLesson,
  archiveStudent,
  balancesOf,
  completeSession,
  moveSession,
  removeStudentFromLesson,
  restoreSeat,
  sessionIdOn,
  undoSessionMove,
} from '../../test/group-lesson-requests.ts';
import { addLesson, fetchSessionsBetween, lessonBody, weekly } from '../../test/lesson-fixture.ts';
import { markStudentsAsLeft } from '../../test/mark-students-as-left.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => assertInvariants(app));
afterAll(() => app.close());

type Tutor = Pick<Group, 'browser' | 'fixture'>;

async function setStatus({ browser }: Tutor, id: number, body: StudentStatusInput) {
  const response = await browser.call(studentStatus.changeStudentStatus, { params: { id }, body });
  if (response.status !== 200) throw new Error(response.error.message);
  return response.body;
}
const pause = (tutor: Tutor, id: number, fromDate: string, toDate: string | null = null) =>
  setStatus(tutor, id, { status: 'paused', fromDate, toDate });
const resume = (tutor: Tutor, id: number) => setStatus(tutor, id, { status: 'active' });

/** The sessions with the students who are expected, such as "11-17: Maya, Sam", or "11-24 cancelled". */
async function schedule({ fixture }: Tutor): Promise<string[]> {
  const rows = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
  return rows.map(({ date, status, students }) => {
    const expected = students.filter(({ state }) => state === 'expected');
    const names = expected.map(({ name }) => name.split(' ')[0]).join(', ');
    return status === 'scheduled' ? `${date.slice(5)}: ${names}` : `${date.slice(5)} ${status}`;
  });
}

const twoWeeks = weekly({ recurringEndDate: '2026-11-24' });

/** A group of Maya and Sam on 17 and 24 November. */
async function createPair() {
  const tutor = await createThreeFamilies(app);
  const { fixture, maya, sam } = tutor;
  const students = [{ studentId: maya.id }, { studentId: sam.id }];
  return { ...tutor, ...(await addLesson(fixture, { ...twoWeeks, students })) };
}

describe('a paused student in a group', () => {
  test('F145 only their seat is cancelled, free of charge, and it is restored when they resume', async () => {
    const group = await createGroupFixture(app, twoWeeks);
    const { browser, fixture, sam } = group;
    const { cancelled } = await pause(group, sam.id, '2026-11-20');
    expect(cancelled.map(({ date }) => date)).toEqual(['2026-11-24']);
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam, Ida', '11-24: Maya, Ida']);
    const session = await readSession(browser, await sessionIdOn(fixture, '2026-11-24'));
    expect(formatSeats(session)).toEqual(['Maya 3117', 'Sam cancelled 4229', 'Ida 5341']);
    const { restored } = await resume(group, sam.id);
    expect(restored.map(({ date }) => date)).toEqual(['2026-11-24']);
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam, Ida', '11-24: Maya, Sam, Ida']);
  });

  test('F145 a seat that was invoiced in advance is credited', async () => {
    const group = await createGroupFixture(app);
    await issueInvoicesForAll(group.browser);
    expect(await balancesOf(group)).toEqual(['GBP owes 3117', 'GBP owes 4229', 'GBP owes 5341']);
    await pause(group, group.sam.id, '2026-11-17');
    expect(await balancesOf(group)).toEqual(['GBP owes 3117', '', 'GBP owes 5341']);
    await resume(group, group.sam.id);
    await completeSession(group.browser, group.sessionId);
    expect(await balancesOf(group)).toEqual(['GBP owes 3117', 'GBP owes 4229', 'GBP owes 5341']);
  });

  test('F145 a series that is created during the pause has cancelled seats', async () => {
    const tutor = await createThreeFamilies(app);
    const { fixture, maya, sam } = tutor;
    await pause(tutor, sam.id, '2026-11-20');
    const students = [{ studentId: maya.id }, { studentId: sam.id }];
    await addLesson(fixture, { ...twoWeeks, students });
    expect(await schedule(tutor)).toEqual(['11-17: Maya, Sam', '11-24: Maya']);
    await resume(tutor, sam.id);
    expect(await schedule(tutor)).toEqual(['11-17: Maya, Sam', '11-24: Maya, Sam']);
  });

  test('F145 a seat that the tutor restored stays, even if the pause is extended', async () => {
    const group = await createPair();
    const { browser, fixture, sam } = group;
    await pause(group, sam.id, '2026-11-17', '2026-11-20');
    await restoreSeat(browser, await sessionIdOn(fixture, '2026-11-17'), sam.id);
    await pause(group, sam.id, '2026-11-17', '2026-11-30');
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24: Maya']);
  });
});

describe('when everybody in a group is paused', () => {
  test.each(['maya', 'sam'] as const)(
    'F145 the session is cancelled, and is restored when %s resumes',
    async (first) => {
      const group = await createPair();
      const second = first === 'maya' ? 'sam' : 'maya';
      await pause(group, group.maya.id, '2026-11-20');
      await pause(group, group.sam.id, '2026-11-20');
      expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24 cancelled']);
      const { restored } = await resume(group, group[first].id);
      expect(restored).toHaveLength(1);
      const name = first === 'maya' ? 'Maya' : 'Sam';
      expect(await schedule(group)).toEqual(['11-17: Maya, Sam', `11-24: ${name}`]);
      await resume(group, group[second].id);
      expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24: Maya, Sam']);
    },
  );

  test('F145 a series that is created in the meantime is cancelled, and restored for a student who resumes', async () => {
    const tutor = await createThreeFamilies(app);
    const { fixture, maya, sam } = tutor;
    await pause(tutor, maya.id, '2026-11-20');
    await pause(tutor, sam.id, '2026-11-20');
    const students = [{ studentId: maya.id }, { studentId: sam.id }];
    await addLesson(fixture, { ...twoWeeks, students });
    expect(await schedule(tutor)).toEqual(['11-17: Maya, Sam', '11-24 cancelled']);
    await resume(tutor, sam.id);
    expect(await schedule(tutor)).toEqual(['11-17: Maya, Sam', '11-24: Sam']);
  });

  test('F145 the sessions take place for a student who joins, unless that student is paused too', async () => {
    const group = await createPair();
    const { browser, lessonId, maya, sam, ida } = group;
    await pause(group, maya.id, '2026-11-20');
    await pause(group, sam.id, '2026-11-20');
    await pause(group, ida.id, '2026-11-10', '2026-11-18');
    expect((await addStudentToLesson(browser, lessonId, ida.id, '2026-11-16')).status).toBe(201);
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24: Ida']);
    await resume(group, ida.id);
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam, Ida', '11-24: Ida']);
  });
});

describe('changes to a group with a paused student', () => {
  test('F145 the seat of a paused student who leaves the group is not restored', async () => {
    const group = await createPair();
    const { browser, lessonId, maya, sam } = group;
    await pause(group, maya.id, '2026-11-20');
    await pause(group, sam.id, '2026-11-20');
    const left = await removeStudentFromLesson(browser, lessonId, maya.id, '2026-11-20');
    expect(left.status).toBe(200);
    await resume(group, maya.id);
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24 cancelled']);
    await resume(group, sam.id);
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24: Sam']);
  });

  test.each(['is archived', 'leaves'])(
    'F145 if the only other student %s, the session is cancelled, and is restored when the paused student resumes',
    async (outcome) => {
      const group = await createPair();
      const { browser, maya, sam } = group;
      await pause(group, maya.id, '2026-11-20');
      if (outcome === 'is archived') await archiveStudent(browser, sam.id);
      else await markStudentsAsLeft(browser, { studentIds: [sam.id], lastDate: '2026-11-16' });
      expect(await schedule(group)).toEqual(['11-17: Maya', '11-24 cancelled']);
      await resume(group, maya.id);
      expect(await schedule(group)).toEqual(['11-17: Maya', '11-24: Maya']);
    },
  );

  test('F145 a paused student who leaves for good does not come back with the others', async () => {
    const group = await createPair();
    const { maya, sam } = group;
    await pause(group, maya.id, '2026-11-20');
    await pause(group, sam.id, '2026-11-20');
    await markStudentsAsLeft(group.browser, { studentIds: [maya.id], lastDate: '2026-11-16' });
    await resume(group, sam.id);
    expect(await schedule(group)).toEqual(['11-17: Sam', '11-24: Sam']);
  });

  test('F145 a session that is moved out of the pause includes the student again, and the move can be undone', async () => {
    const group = await createPair();
    const { browser, fixture, sam } = group;
    await pause(group, sam.id, '2026-11-20', '2026-11-30');
    const id = await sessionIdOn(fixture, '2026-11-24');
    const moved = await moveSession(browser, id, '2026-12-02');
    expect(await schedule(group)).toEqual([
      '11-17: Maya, Sam',
      '11-24 rescheduled',
      '12-02: Maya, Sam',
    ]);
    expect((await undoSessionMove(browser, moved.body.id)).status).toBe(200);
    expect(await schedule(group)).toContain('11-24: Maya');
    const movedWithinPause = await moveSession(browser, id, '2026-11-25');
    expect(await schedule(group)).toContain('11-25: Maya');
    await resume(group, sam.id);
    expect(formatSeats(await readSession(browser, movedWithinPause.body.id))).toHaveLength(2);
    expect(await schedule(group)).toContain('11-25: Maya, Sam');
  });
});

describe('regressions found by the model-based test', () => {
  const sessionIdOn24Nov = ({ fixture }: Tutor) => sessionIdOn(fixture, '2026-11-24');
  const reopen = async ({ browser }: Tutor, id: number) => {
    const response = await browser.call(sessions.reopenSession, { params: { id }, body: {} });
    expect(response.status).toBe(200);
  };

  test('F145 a session that is cancelled during the pause includes the student again when it is reopened afterwards', async () => {
    const group = await createPair();
    const id = await sessionIdOn24Nov(group);
    await pause(group, group.sam.id, '2026-11-20');
    await group.browser.call(sessions.cancelSession, {
      params: { id },
      body: { cancelledBy: 'tutor' },
    });
    expect((await resume(group, group.sam.id)).restored).toEqual([]);
    await reopen(group, id);
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24: Maya, Sam']);
  });

  test('F145 a session that is moved back after the pause includes the student again', async () => {
    const group = await createPair();
    await pause(group, group.sam.id, '2026-11-10');
    const moved = await moveSession(group.browser, await sessionIdOn24Nov(group), '2026-11-25');
    await resume(group, group.sam.id);
    expect((await undoSessionMove(group.browser, moved.body.id)).status).toBe(200);
    expect(await schedule(group)).toContain('11-24: Maya, Sam');
  });

  test('F145 a session with two paused students still has a student if it is reopened after one of them has left', async () => {
    const group = await createPair();
    const { browser, lessonId, maya, sam } = group;
    await pause(group, maya.id, '2026-11-20');
    await pause(group, sam.id, '2026-11-20');
    expect((await removeStudentFromLesson(browser, lessonId, sam.id, '2026-11-20')).status).toBe(
      200,
    );
    await reopen(group, await sessionIdOn24Nov(group));
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24: Maya']);
  });

  test('F145 deleting time off restores the session for the others after a paused student has left the group', async () => {
    const group = await createGroupFixture(app, twoWeeks);
    const { browser, lessonId, sam, ida } = group;
    await pause(group, sam.id, '2026-11-20');
    await pause(group, ida.id, '2026-11-20');
    const off = { fromDate: '2026-11-23', toDate: '2026-11-27' };
    const { body } = await browser.call(timeOff.createTimeOff, {
      body: { ...off, cancelSessionIds: [await sessionIdOn24Nov(group)] },
    });
    expect((await removeStudentFromLesson(browser, lessonId, sam.id, '2026-11-20')).status).toBe(
      200,
    );
    await browser.call(timeOff.deleteTimeOff, {
      params: { id: body.id },
      query: { restore: 'true' },
    });
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam, Ida', '11-24: Maya']);
    await resume(group, ida.id);
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam, Ida', '11-24: Maya, Ida']);
  });

  test('F145 an edited session after the end of the series includes the student again once the pause is over', async () => {
    const group = await createPair();
    const { browser, fixture, lessonId, sessionId, sam } = group;
    await pause(group, sam.id, '2026-11-20');
    const edited = {
      scope: 'this',
      sessionId: await sessionIdOn24Nov(group),
      date: '2026-11-24',
    } as const;
    // For a group, the dialog shows the sum of the fees.
    const shortened = { scope: 'all', sessionId, recurringEndDate: '2026-11-17', fee: 70 } as const;
    for (const change of [{ ...edited, notes: 'page 12' }, shortened]) {
      const response = await browser.call(lessons.updateLesson, {
        params: { id: lessonId },
        body: { ...lessonBody(fixture, twoWeeks), title: 'Group', ...change },
      });
      expect(response.status).toBe(200);
    }
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24: Maya']);
    await resume(group, sam.id);
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24: Maya, Sam']);
  });

  test('F145 a deleted session that is reopened after the pause includes the student again', async () => {
    const group = await createPair();
    const id = await sessionIdOn24Nov(group);
    await pause(group, group.sam.id, '2026-11-20');
    await group.browser.call(lessons.deleteLesson, {
      params: { id: group.lessonId },
      query: { scope: 'following', sessionId: id },
    });
    await resume(group, group.sam.id);
    await reopen(group, id);
    expect(await schedule(group)).toEqual(['11-17: Maya, Sam', '11-24: Maya, Sam']);
  });
});
