import { groupLessons } from '@lessonbook/contract/group-lessons';
import { type CancelInput, type CompleteInput, sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import type { Browser } from './browser-client.ts';
import type { Group } from './group-lesson-fixture.ts';
import { fetchSessionsBetween, type LessonFixture } from './lesson-fixture.ts';
import { formatBalances, readFamily } from './payment-fixture.ts';

/* Requests for a group lesson, and its state as text. */

export const completeSession = (browser: Browser, id: number, body: Partial<CompleteInput> = {}) =>
  browser.call(sessions.completeSession, { params: { id }, body });
export const cancelSession = (browser: Browser, id: number, body: Partial<CancelInput> = {}) =>
  browser.call(sessions.cancelSession, {
    params: { id },
    body: { cancelledBy: 'carer', ...body },
  });
export const cancelSeat = (
  browser: Browser,
  id: number,
  studentId: number,
  body: Partial<CancelInput> = {},
) =>
  browser.call(groupLessons.cancelSeat, {
    params: { id, studentId },
    body: { cancelledBy: 'carer', ...body },
  });
export const restoreSeat = (browser: Browser, id: number, studentId: number) =>
  browser.call(groupLessons.restoreSeat, { params: { id, studentId } });
export const reopenSession = (browser: Browser, id: number) =>
  browser.call(sessions.reopenSession, { params: { id }, body: {} });
export const moveSession = (browser: Browser, id: number, date: string) =>
  browser.call(sessions.rescheduleSession, {
    params: { id },
    body: { date, startTime: '10:00', endTime: '11:00' },
  });
export const undoSessionMove = (browser: Browser, id: number) =>
  browser.call(sessions.undoReschedule, { params: { id } });
export const addStudentToLesson = (
  browser: Browser,
  id: number,
  studentId: number,
  from: string,
  fee?: number | null,
) =>
  browser.call(groupLessons.joinLesson, {
    params: { id },
    body: { studentId, from, ...(fee === undefined ? {} : { fee }) },
  });
export const removeStudentFromLesson = (
  browser: Browser,
  id: number,
  studentId: number,
  from: string,
) => browser.call(groupLessons.leaveLesson, { params: { id, studentId }, query: { from } });
export const archiveStudent = (browser: Browser, id: number) =>
  browser.call(students.deleteStudent, { params: { id } });

export const balancesOf = async ({ browser, maya, sam, ida }: Group) => {
  const families = [maya, sam, ida].map(({ familyId }) => readFamily(browser, familyId));
  return (await Promise.all(families)).map((family) => formatBalances(family).join());
};

/** The seats of the sessions in a period, such as "2026-11-17: Maya, Sam". */
export async function formatAttendees(
  fixture: LessonFixture,
  from = '2026-11-01',
  to = '2027-01-31',
) {
  const rows = await fetchSessionsBetween(fixture, from, to);
  return rows.map(({ date, students: seats }) => {
    const names = seats.map(({ name }) => name.split(' ')[0]);
    return `${date}: ${names.join(', ')}`;
  });
}

export async function sessionIdOn(fixture: LessonFixture, date: string): Promise<number> {
  const [row] = await fetchSessionsBetween(fixture, date, date);
  if (!row) throw new Error(`no session on ${date}`);
  return row.id;
}

/** Monday 16 November at 14:00, two hours after the test clock starts. */
export const thisAfternoon = { date: '2026-11-16', startTime: '14:00', endTime: '15:00' };
export const ALL = [3117, 4229, 5341] as const;
export const SUM = 12_687;
