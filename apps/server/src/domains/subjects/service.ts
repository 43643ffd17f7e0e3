import { toMajor, toMinor } from '@lessonbook/contract/money';
import type { Subject, SubjectInput } from '@lessonbook/contract/subjects';
import type { Context } from '../../context.ts';
import { AppError } from '../../platform/app-error.ts';
import { takeIds } from '../../platform/counters.ts';
import type { Tx } from '../../platform/db.ts';
import { once, type Repeatable } from '../../platform/idempotency.ts';
import { subjectChanged } from './events.ts';
import {
  archiveSubject,
  insertSubject,
  liveSubject,
  liveSubjects,
  type SubjectDetails,
  type SubjectRow,
  updateSubject,
  wornTones,
} from './queries.ts';
import { byName } from './rules/by-name.ts';
import { nextTone } from './rules/tone.ts';

export async function listSubjects(context: Context, tutorId: string): Promise<Subject[]> {
  const [rows] = await context.db.readTutor(tutorId, (tx) => [liveSubjects(tx, tutorId)]);
  return rows.toSorted(byName).map(asSubject);
}

/** The same inside a transaction. */
export async function subjectsIn(tx: Tx, tutorId: string): Promise<Subject[]> {
  return (await liveSubjects(tx, tutorId).execute()).map(asSubject);
}

export async function addSubject(
  context: Context,
  tutorId: string,
  input: SubjectInput,
  repeat: Repeatable | null,
): Promise<Subject> {
  const now = context.clock.now();
  return context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, now, async () => {
      const [id] = (await takeIds(tx, tutorId, 'subject')) as [number];
      const tone = nextTone(await wornTones(tx, tutorId));
      const subject = { id, tone, ...detailsOf(input) };
      await insertSubject(tx, tutorId, subject, now);
      return asSubject(subject);
    }),
  );
}

/** Lessons and charges keep the fee they were made with: this one is for lessons to come. */
export async function changeSubject(
  context: Context,
  tutorId: string,
  id: number,
  input: SubjectInput,
): Promise<Subject> {
  return context.db.withTutor(tutorId, async (tx) => {
    const subject = await updateSubject(tx, tutorId, id, detailsOf(input));
    if (!subject) throw noSuchSubject();
    await context.events.publish(tx, subjectChanged, { tutorId, subjectId: id });
    return asSubject(subject);
  });
}

/** Always archived: lessons and totals of the past go on naming it. */
export async function removeSubject(context: Context, tutorId: string, id: number): Promise<void> {
  await context.db.withTutor(tutorId, async (tx) => {
    if (!(await archiveSubject(tx, tutorId, id, context.clock.now()))) throw noSuchSubject();
  });
}

/** The subject of a lesson that is being written down, its fee in minor units. An archived one takes no new lessons. */
export async function subjectForLesson(tx: Tx, tutorId: string, id: number): Promise<SubjectRow> {
  const subject = await liveSubject(tx, tutorId, id);
  if (!subject) throw noSuchSubject();
  return subject;
}

const noSuchSubject = (): AppError =>
  new AppError('not_found', 'That subject is not in your book.');

const detailsOf = (input: SubjectInput): SubjectDetails => ({
  name: input.name,
  description: input.description || null,
  defaultFee: toMinor(input.defaultFee),
  currency: input.currency,
});

const asSubject = (row: SubjectRow): Subject => ({ ...row, defaultFee: toMajor(row.defaultFee) });
