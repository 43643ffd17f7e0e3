import type { StudentDeletionPreview } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import { countUpcomingSessions } from '../../lessons/service/read.ts';
import { dryRun } from '../../lessons/service/schedule-transaction.ts';
import { removeStudentInTx } from '../../students/service/students.ts';
import { outstandingForStudent } from '../queries/family-balances.ts';
import { toBalance } from '../rules/balances-and-suggested-currency.ts';

/** Deletes the student in a dry run, because the deletion credits invoices for upcoming sessions and so changes balances. */
export const previewStudentDeletion = (
  context: Context,
  tutorId: string,
  studentId: number,
): Promise<StudentDeletionPreview> =>
  dryRun(context, tutorId, async ({ tx, now }) => {
    const sessions = await countUpcomingSessions(tx, tutorId, studentId, now);
    await removeStudentInTx(context, tx, tutorId, studentId);
    const outstanding = await outstandingForStudent(tx, tutorId, studentId).execute();
    return {
      sessions,
      balances: outstanding.map((amount) => toBalance({ ...amount, credit: 0 })),
    };
  });
