import type { StudentOverview } from '@lessonbook/contract/student-overview-and-timeline';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getSessionRowsByIds } from '../../lessons/service/read.ts';
import { getFamiliesByIds } from '../../payments/service/families.ts';
import { getStudentOrThrow } from '../../students/service/students.ts';
import { lastPaymentForStudent, overviewOfStudent } from '../queries/student-list-and-overview.ts';

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

export async function readOverview(tx: Tx, tutorId: string, id: number, now: Date) {
  const [overview] = await overviewOfStudent(tx, tutorId, id, now).execute();
  if (!overview) throw new Error('No overview for a student who was read in the same snapshot');
  return overview;
}
