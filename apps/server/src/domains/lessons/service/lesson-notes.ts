import { firstName } from '@lessonbook/contract/first-name';
import type {
  LessonNote,
  NoteText,
  SaveNoteInput,
  SessionNotes,
  SharedVersion,
} from '@lessonbook/contract/lesson-notes';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { redactTextColumns } from '../../../platform/db/redact-text-columns.ts';
import type { ErasedPerson } from '../../students/service/erase.ts';
import { getStudentOrThrow } from '../../students/service/students.ts';
import { notesShared } from '../events.ts';
import { deleteHomeworkDone, hasHomework, insertHomeworkDone } from '../queries/homework-done.ts';
import {
  deleteDrafts,
  eraseNotesOf,
  type NoteRow,
  type NoteSeatRow,
  notesOfSession,
  notesOfStudent,
  portalOpenedAt,
  type SavedNote,
  saveNoteVersions,
  seatsForNotes,
  sharedVersions,
  storedNotes,
  withdrawLastVersion,
} from '../queries/lesson-notes.ts';
import {
  keepCompletionNotes,
  withdrawCompletionNotes,
} from '../queries/withdraw-or-keep-completion-notes.ts';
import {
  currentNote,
  isEmptyNote,
  keepExistingWhereEmpty,
  type NoteFields,
  planNoteChange,
  toNoteFields,
} from '../rules/plan-lesson-note-change.ts';
import { type SeatRef, seatKey } from '../rules/seat-fees-and-rosters.ts';
import { getSessionOrThrow, sessionNotFound, studentNotInSessionError } from './guards.ts';

/* Notes for families. The `portal` domain decides which parts a family sees. */

export async function readSessionNotes(
  context: Context,
  tutorId: string,
  sessionId: number,
): Promise<SessionNotes> {
  const now = context.clock.now();
  const [[tutor], seats, notes] = await context.db.tutorRead(tutorId, (tx) => [
    portalOpenedAt(tx, tutorId),
    seatsForNotes(tx, tutorId, sessionId, now),
    notesOfSession(tx, tutorId, sessionId),
  ]);
  if (seats.length === 0) throw sessionNotFound();
  const byStudent = new Map(notes.map((note) => [note.studentId, toLessonNote(note)]));
  return {
    isPortalOpen: Boolean(tutor?.openedAt),
    students: seats.map((seat) => ({
      studentId: seat.studentId,
      studentName: seat.studentName,
      note: byStudent.get(seat.studentId) ?? null,
      previous: toPrevious(seat),
      nextLessonOn: seat.nextLessonOn,
      readers: seat.readers.map(firstName),
    })),
  };
}

const toPrevious = (seat: NoteSeatRow): SessionNotes['students'][number]['previous'] =>
  seat.previousId === null || seat.previousDate === null
    ? null
    : {
        sessionId: seat.previousId,
        date: seat.previousDate,
        nextTime: seat.previousNextTime ?? '',
        homework: seat.previousHomework ?? '',
        isHomeworkDone: seat.isPreviousDone,
      };

export async function listStudentNotes(
  context: Context,
  tutorId: string,
  studentId: number,
  page: { limit: number; offset: number },
): Promise<LessonNote[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    await getStudentOrThrow(tx, tutorId, studentId);
    return (await notesOfStudent(tx, tutorId, studentId, page).execute()).map(toLessonNote);
  });
}

const toLessonNote = ({ draft, shared, doneAt, doneByName, ...note }: NoteRow): LessonNote => ({
  ...note,
  draft: draft && toNoteText(draft),
  shared: shared && toSharedVersion(shared),
  homeworkDone: doneAt && { at: doneAt.toISOString(), name: doneByName },
});

const toNoteText = ({ did, nextTime, homework, dueOn }: NoteFields): NoteText => ({
  did: did ?? '',
  nextTime: nextTime ?? '',
  homework: homework ?? '',
  dueOn,
});

const toSharedVersion = (
  row: NoteFields & {
    version: number;
    sharedAt: Date | string;
    withdrawnAt: Date | string | null;
  },
): SharedVersion => ({
  ...toNoteText(row),
  version: row.version,
  sharedAt: new Date(row.sharedAt).toISOString(),
  withdrawnAt: row.withdrawnAt && new Date(row.withdrawnAt).toISOString(),
});

export async function listNoteVersions(
  context: Context,
  tutorId: string,
  seat: SeatRef,
): Promise<SharedVersion[]> {
  const [versions] = await context.db.tutorRead(tutorId, (tx) => [
    sharedVersions(tx, tutorId, seat),
  ]);
  if (versions.length === 0) throw noteNotSharedError();
  return versions.map(toSharedVersion);
}

const noteNotSharedError = (): AppError =>
  new AppError('not_found', "This note hasn't been shared yet.");

/** A cancelled lesson can have a note too, for example with homework. */
export async function saveNote(
  context: Context,
  tutorId: string,
  seat: SeatRef,
  input: SaveNoteInput,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const session = await getSessionOrThrow(tx, tutorId, seat.sessionId);
    if (session.status === 'rescheduled')
      throw new AppError(
        'conflict',
        'This lesson was moved. Please write the note for its new time.',
      );
    if (!session.seats.some(({ studentId }) => studentId === seat.studentId))
      throw studentNotInSessionError();
    await saveNotes(context, tx, tutorId, [{ ...seat, input, existing: 'replace' }]);
  });
}

interface NoteToSave extends SeatRef {
  input: SaveNoteInput;
  /**
   * What happens to a note that the student already has. Only saving the note form replaces it; completing a session
   * does not.
   */
  existing: 'replace' | 'keep-empty-lines' | 'keep';
}

/** For callers that have checked the seats. */
export async function saveNotes(
  context: Context,
  tx: Tx,
  tutorId: string,
  inputs: readonly NoteToSave[],
): Promise<void> {
  if (inputs.length === 0) return;
  const now = context.clock.now();
  const sessionIds = [...new Set(inputs.map(({ sessionId }) => sessionId))];
  const stored = new Map(
    (await storedNotes(tx, tutorId, sessionIds).execute()).map((each) => [seatKey(each), each]),
  );
  const saved: SavedNote[] = [];
  const discarded: SeatRef[] = [];
  const changedHomework: SeatRef[] = [];
  for (const { input, existing, ...seat } of inputs) {
    const current = stored.get(seatKey(seat));
    if (!current) throw studentNotInSessionError();
    if (existing === 'keep' && currentNote(current)) continue;
    const fields = toNoteFields(
      existing === 'keep-empty-lines' ? keepExistingWhereEmpty(input, current) : input,
      current.nextLessonOn,
    );
    if (input.share && isEmptyNote(fields)) throw emptyNoteError();
    const change = planNoteChange(current, fields);
    if (change.kind === 'delete-draft') discarded.push(seat);
    if (change.kind === 'save') {
      const publishedAt = input.share ? now : null;
      const isSharedByCompletion = input.share && existing !== 'replace';
      saved.push({
        ...seat,
        ...fields,
        version: change.version,
        publishedAt,
        isSharedByCompletion,
      });
      if (input.share && current.shared && current.shared.homework !== fields.homework)
        changedHomework.push(seat);
    }
  }
  await deleteDrafts(tx, tutorId, discarded);
  await saveNoteVersions(tx, tutorId, saved, now);
  for (const seat of changedHomework) await deleteHomeworkDone(tx, tutorId, seat);
  if (saved.some(({ publishedAt }) => publishedAt !== null))
    await context.events.publish(tx, notesShared, { tutorId });
}

function emptyNoteError(): AppError {
  const message = 'Please write something to share first.';
  return new AppError('invalid', message, { fields: { did: message } });
}

/** Idempotent. */
export async function withdrawNote(
  context: Context,
  tutorId: string,
  seat: SeatRef,
): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const wasVisible = await withdrawLastVersion(tx, tutorId, seat, now);
    if (wasVisible === undefined) throw noteNotSharedError();
    if (wasVisible) await recordWithdrawal(tx, tutorId, seat, now);
  });
}

const recordWithdrawal = (
  tx: Tx,
  tutorId: string,
  { sessionId, studentId }: SeatRef,
  now: Date,
): Promise<void> =>
  recordAudit(tx, tutorId, {
    action: 'note_withdrawn',
    at: now,
    metadata: { sessionId, studentId },
  });

/**
 * Called when sessions are reopened. With `withdraw`, notes that were shared by completing the sessions are withdrawn;
 * otherwise they stay shared.
 */
export async function reopenNotes(
  { clock }: Context,
  tx: Tx,
  tutorId: string,
  { sessionIds, withdraw }: { sessionIds: readonly number[]; withdraw: boolean },
): Promise<void> {
  const now = clock.now();
  const withdrawn = withdraw ? await withdrawCompletionNotes(tx, tutorId, sessionIds, now) : [];
  await keepCompletionNotes(tx, tutorId, sessionIds);
  for (const seat of withdrawn) await recordWithdrawal(tx, tutorId, seat, now);
}

export async function setHomeworkDone(
  context: Context,
  tutorId: string,
  seat: SeatRef,
  isDone: boolean,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    if (!(await hasHomework(tx, tutorId, seat))) throw homeworkNotFound();
    await markHomework(tx, tutorId, seat, { isDone, contactId: null, at: context.clock.now() });
  });
}

export const homeworkNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that homework. It may have been changed.");

/** Idempotent. `contactId` is null if the tutor marks the homework. The caller has checked that there is homework. */
export async function markHomework(
  tx: Tx,
  tutorId: string,
  { sessionId, studentId }: SeatRef,
  { isDone, contactId, at }: { isDone: boolean; contactId: number | null; at: Date },
): Promise<void> {
  const seat = { sessionId, studentId };
  if (isDone) await insertHomeworkDone(tx, tutorId, { ...seat, contactId, at });
  else await deleteHomeworkDone(tx, tutorId, seat);
}

/** Must run after messages are erased, because messages are found by the notes that they contain. */
export async function eraseNotes(tx: Tx, tutorId: string, person: ErasedPerson): Promise<void> {
  await eraseNotesOf(tx, tutorId, person);
  const columns = ['did', 'next_time', 'homework'];
  await redactTextColumns(tx, tutorId, 'lesson_notes', columns, person.identifiers);
}
