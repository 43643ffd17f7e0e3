import type { EndpointReply } from '@lessonbook/contract/endpoint';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import type {
  StudentListItem,
  StudentOverview,
  studentOverview,
  TimelineFilter,
} from '@lessonbook/contract/student-overview-and-timeline';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { getSessionRowsByIds } from '../../lessons/service/read.ts';
import { getFamiliesByIds } from '../../payments/service/families.ts';
import { getStudentOrThrow } from '../../students/service/students.ts';
import {
  lastPaymentForStudent,
  overviewOfStudent,
  studentListPage,
} from '../queries/student-list-and-overview.ts';
import { studentTimeline } from '../queries/student-timeline.ts';

export async function listStudentItems(
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<StudentListItem[]> {
  const now = context.clock.now();
  const [items] = await context.db.tutorRead(tutorId, (tx) => [
    studentListPage(tx, tutorId, now, page),
  ]);
  return items;
}

export async function readStudentOverview(
  context: Context,
  tutorId: string,
  id: number,
): Promise<StudentOverview> {
  const now = context.clock.now();
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const student = await getStudentOrThrow(tx, tutorId, id);
    const { nextSessionId, ...overview } = await readOverview(tx, tutorId, id, now);
    const [nextSession = null] = await getSessionRowsByIds(
      tx,
      tutorId,
      nextSessionId === null ? [] : [nextSessionId],
    );
    const [lastPayment = null] = await lastPaymentForStudent(tx, tutorId, id).execute();
    const familyIds = student.familyId === null ? [] : [student.familyId];
    const [family] = await getFamiliesByIds(tx, tutorId, familyIds);
    return {
      ...overview,
      student,
      nextSession,
      lastPayment,
      family: family ? { id: family.id, name: family.name, balances: family.balances } : null,
    };
  });
}

async function readOverview(tx: Tx, tutorId: string, id: number, now: Date) {
  const [overview] = await overviewOfStudent(tx, tutorId, id, now).execute();
  if (!overview) throw new Error('No overview for a student who was read in the same snapshot');
  return overview;
}

export async function readStudentTimeline(
  context: Context,
  tutorId: string,
  id: number,
  { show, limit, offset }: { show: TimelineFilter; limit: number; offset: number },
): Promise<EndpointReply<typeof studentOverview.studentTimeline>> {
  const now = context.clock.now();
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    await getStudentOrThrow(tx, tutorId, id);
    const today = dateInZone(await getTimeZone(tx, tutorId), now);
    const { nextSessionId } = await readOverview(tx, tutorId, id, now);
    const by = { tutorId, studentId: id, today, nextId: nextSessionId };
    // One extra entry shows whether there is another page.
    const rows = await studentTimeline(tx, by, { show, limit: limit + 1, offset }).execute();
    return {
      entries: rows.slice(0, limit).map(({ entry }) => entry),
      hasMore: rows.length > limit,
    };
  });
}
