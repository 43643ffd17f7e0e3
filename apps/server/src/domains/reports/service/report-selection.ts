import { chosenRange, previousChosenRange } from '@lessonbook/contract/report-periods';
import type { ReportQuery } from '@lessonbook/contract/reports';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { studentName, subjectName } from '../queries/report-names.ts';

/** The dates of a report in the tutor's time zone, and the student or subject it is limited to, even if archived. */
export async function selectForReport(
  context: Context,
  tx: Tx,
  tutorId: string,
  query: ReportQuery,
) {
  const { studentId, subjectId } = query;
  const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
  const [[student], [subject]] = await executeBatch(tx, [
    studentId === undefined ? null : studentName(tx, tutorId, studentId),
    subjectId === undefined ? null : subjectName(tx, tutorId, subjectId),
  ]);
  if (studentId !== undefined && !student)
    throw new AppError('not_found', "We couldn't find that student.");
  if (subjectId !== undefined && !subject)
    throw new AppError('not_found', "We couldn't find that subject.");
  const range = chosenRange(query, today);
  return {
    today,
    range,
    previousRange: previousChosenRange(query, today),
    selection: { tutorId, range, studentId, subjectId },
    /** The fields that both reports return. */
    head: { period: query.period, ...range, student: student ?? null, subject: subject ?? null },
  };
}
