import { toMajor, toMinor } from '@lessonbook/contract/money';
import { MAX_SUBJECTS, type Subject, type SubjectInput } from '@lessonbook/contract/subjects';
import type { Context } from '../../context.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db/database.ts';
import { nextIdsForKind } from '../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../platform/idempotency.ts';
import { subjectChanged } from './events.ts';
import {
  activeSubjects,
  archiveSubject,
  countActiveSubjects,
  insertSubject,
  type SubjectDetails,
  type SubjectRow,
  subjectById,
  updateSubject,
  usedColors,
} from './queries.ts';
import { leastUsedColor } from './rules/least-used-color.ts';
import { compareByName } from './rules/name-collation.ts';

export async function listSubjects(context: Context, tutorId: string): Promise<Subject[]> {
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [activeSubjects(tx, tutorId)]);
  return rows.toSorted(compareByName).map(toSubject);
}

export async function getSubjects(tx: Tx, tutorId: string): Promise<Subject[]> {
  return (await activeSubjects(tx, tutorId).execute()).map(toSubject);
}

export async function addSubject(
  context: Context,
  tutorId: string,
  input: SubjectInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<Subject> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      if ((await countActiveSubjects(tx, tutorId)) >= MAX_SUBJECTS) {
        throw new AppError(
          'conflict',
          `You can have up to ${MAX_SUBJECTS} subjects. Please delete one first.`,
        );
      }
      const [id] = (await nextIdsForKind(tx, tutorId, 'subject')) as [number];
      const color = input.color ?? leastUsedColor(await usedColors(tx, tutorId));
      const subject = { id, ...toDetails(input), color };
      await insertSubject(tx, tutorId, subject, now);
      return toSubject(subject);
    }),
  );
}

/** A new fee applies only to lessons added later; existing lessons and charges keep theirs. */
export async function changeSubject(
  context: Context,
  tutorId: string,
  id: number,
  input: SubjectInput,
): Promise<Subject> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const { name: previousName } = await getSubjectOrThrow(tx, tutorId, id);
    const subject = await updateSubject(tx, tutorId, id, toDetails(input));
    if (!subject) throw subjectNotFound();
    const { name } = subject;
    await context.events.publish(tx, subjectChanged, {
      tutorId,
      subjectId: id,
      previousName,
      name,
    });
    return toSubject(subject);
  });
}

/** Archives the subject, because past lessons and totals refer to it. */
export async function removeSubject(context: Context, tutorId: string, id: number): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    if (!(await archiveSubject(tx, tutorId, id, context.clock.now()))) throw subjectNotFound();
  });
}

/** Finds active subjects only; the fee is in minor units. */
export async function getSubjectOrThrow(tx: Tx, tutorId: string, id: number): Promise<SubjectRow> {
  const [subject] = (await tx.executeQuery(subjectById(tx, tutorId, id))).rows;
  if (!subject) throw subjectNotFound();
  return subject;
}

export const subjectNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that subject.");

const toDetails = (input: SubjectInput): SubjectDetails => ({
  name: input.name,
  description: input.description || null,
  defaultFee: toMinor(input.defaultFee),
  currency: input.currency,
  color: input.color,
});

const toSubject = (row: SubjectRow): Subject => ({ ...row, defaultFee: toMajor(row.defaultFee) });
