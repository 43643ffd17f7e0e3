import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { date, IdParams, idParam, optionalText, paginationFields } from './schema-fields.ts';

/*
 * The tutor's notes for the family about a lesson, one for each student. Only the tutor sees a draft. A shared version never
 * changes: a correction is a new version. The family sees the last shared version, unless it was withdrawn.
 */

/** The private notes of a session, which only the tutor sees. */
export const SessionNotesInput = z.object({ notes: optionalText(4000) });
export type SessionNotesInput = z.infer<typeof SessionNotesInput>;

/** Saving an empty draft deletes it. */
export const SaveNoteInput = z.object({
  did: optionalText(2000),
  nextTime: optionalText(1000),
  homework: optionalText(1000),
  /** Null if there is no date. If omitted, defaults to the date of the student's next lesson. */
  dueOn: z.optional(z.nullable(date())),
  /** True shares the note; false saves it as a draft. */
  share: z._default(z.boolean(), false),
});
export type SaveNoteInput = z.infer<typeof SaveNoteInput>;

/** An empty string means that the tutor left the field blank. */
export const NoteText = z.object({
  did: z.string(),
  nextTime: z.string(),
  homework: z.string(),
  dueOn: z.nullable(z.string()),
});
export type NoteText = z.infer<typeof NoteText>;

export const SharedVersion = z.extend(NoteText, {
  version: z.number(),
  sharedAt: z.string(),
  withdrawnAt: z.nullable(z.string()),
});
export type SharedVersion = z.infer<typeof SharedVersion>;

/** The note about a lesson for one student, as the tutor sees it. */
export const LessonNote = z.object({
  sessionId: z.number(),
  studentId: z.number(),
  date: z.string(),
  startTime: z.string(),
  subjectName: z.string(),
  /** Null if everything was shared. */
  draft: z.nullable(NoteText),
  /** The last shared version, which may have been withdrawn. */
  shared: z.nullable(SharedVersion),
  /** `name` is the contact who marked the homework as done; null if it was the tutor. */
  homeworkDone: z.nullable(z.object({ at: z.string(), name: z.nullable(z.string()) })),
});
export type LessonNote = z.infer<typeof LessonNote>;

/** Everything that is needed to write the notes about a lesson. */
export const SessionNotes = z.object({
  isPortalOpen: z.boolean(),
  students: z.array(
    z.object({
      studentId: z.number(),
      studentName: z.string(),
      note: z.nullable(LessonNote),
      /** The note about the student's last lesson in this subject that has one; a draft counts too. */
      previous: z.nullable(
        z.object({
          sessionId: z.number(),
          date: z.string(),
          nextTime: z.string(),
          homework: z.string(),
          isHomeworkDone: z.boolean(),
        }),
      ),
      /** The date of the student's next lesson, for homework. */
      nextLessonOn: z.nullable(z.string()),
      /** The names of those who can read a shared note. */
      readers: z.array(z.string()),
    }),
  ),
});
export type SessionNotes = z.infer<typeof SessionNotes>;

const SeatParams = z.object({ id: idParam, studentId: idParam });

export const lessonNotes = defineEndpoints({
  sessionNotes: {
    method: 'GET',
    path: '/api/sessions/:id/family-notes',
    access: 'login',
    summary: 'The notes for the families of a session, with what was planned last time',
    params: IdParams,
    reply: SessionNotes,
  },
  saveNote: {
    method: 'PUT',
    path: '/api/sessions/:id/students/:studentId/family-note',
    access: 'login',
    summary: 'Save the note for the family of one student as a draft, or share it',
    params: SeatParams,
    body: SaveNoteInput,
    reply: SessionNotes,
  },
  withdrawNote: {
    method: 'POST',
    path: '/api/sessions/:id/students/:studentId/family-note/withdraw',
    access: 'login',
    summary:
      'Hide a shared note from the family; emails that have already been sent are not affected',
    params: SeatParams,
    reply: SessionNotes,
  },
  noteVersions: {
    method: 'GET',
    path: '/api/sessions/:id/students/:studentId/family-note/versions',
    access: 'login',
    summary: 'The shared versions of a note, newest first',
    params: SeatParams,
    reply: z.array(SharedVersion),
  },
  setHomeworkDone: {
    method: 'PUT',
    path: '/api/sessions/:id/students/:studentId/homework',
    access: 'login',
    summary: 'Mark homework as done or not done',
    params: SeatParams,
    body: z.object({ isDone: z.boolean() }),
    reply: SessionNotes,
  },
  studentNotes: {
    method: 'GET',
    path: '/api/students/:id/family-notes',
    access: 'login',
    summary: "The notes for a student's family, latest lesson first",
    params: IdParams,
    query: z.object(paginationFields),
    reply: z.array(LessonNote),
  },
});
