import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Balance } from './payments.ts';
import {
  IdParams,
  id,
  minorUnits,
  optionalEmail,
  optionalFee,
  optionalLine,
  optionalText,
  PageQuery,
  requiredLine,
} from './schema-fields.ts';
import { DeleteReply } from './subjects.ts';

/**
 * The form includes the carer's details. With `carerId`, the student is linked to an existing carer, and any carer fields that
 * are set update that carer for all their students. If it is omitted, a carer name creates a new carer.
 */
export const StudentInput = z.object({
  name: requiredLine('Name is required', 100),
  phone: optionalLine(40),
  email: optionalEmail,
  subject: optionalLine(200),
  notes: optionalText(4000),
  school: optionalLine(100),
  schoolYear: optionalLine(40),
  /** The school terms that are suggested for a new series. If omitted, an update leaves the calendar as it is. */
  termCalendarId: z.optional(z.nullable(id('Please choose school terms'))),
  /** In major units: the travel fee of the student's new lessons. Null means none; if omitted, an update leaves it as it is. */
  travelFee: optionalFee,
  carerId: z.optional(z.nullable(id('Please choose a carer'))),
  carerName: optionalLine(100),
  carerRelationship: optionalLine(60),
  carerPhone: optionalLine(40),
  carerEmail: optionalEmail,
});
export type StudentInput = z.infer<typeof StudentInput>;

/** What a contact may see about a student, and do for them. */
export const ContactAccess = z.object({
  seesLessons: z.boolean(),
  seesPlace: z.boolean(),
  seesNotes: z.boolean(),
  seesMoney: z.boolean(),
  mayCancel: z.boolean(),
  mayRequestMoves: z.boolean(),
});
export type ContactAccess = z.infer<typeof ContactAccess>;

export const Contact = z.object({
  id: z.number(),
  name: z.string(),
  relationship: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** Null means the tutor's time zone. */
  timeZone: z.nullable(z.string()),
  isMain: z.boolean(),
  /** Whether the contact is the student, who pays or has paid for themselves. */
  isStudent: z.boolean(),
  access: ContactAccess,
});
export type Contact = z.infer<typeof Contact>;

/** A payer from a date until the next date that has payers. */
export const StudentPayer = z.object({
  familyId: z.number(),
  contactId: z.number(),
  percent: z.number(),
  from: z.string(),
});
export type StudentPayer = z.infer<typeof StudentPayer>;

export type StudentStatus = 'trial' | 'active' | 'paused' | 'left';

/** Both days are inclusive; if there is no last day, the pause is open-ended. */
export const StudentPause = z.object({ fromDate: z.string(), toDate: z.nullable(z.string()) });

export const Student = z.object({
  id: z.number(),
  name: z.string(),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** The names of subjects, separated by commas. */
  subject: z.nullable(z.string()),
  /** The subjects of the student's lessons, excluding deleted ones. */
  subjectIds: z.array(z.number()),
  notes: z.nullable(z.string()),
  school: z.nullable(z.string()),
  schoolYear: z.nullable(z.string()),
  /** The school terms that are suggested for a new series. */
  termCalendarId: z.nullable(z.number()),
  /** The travel fee of new lessons, in their currency. */
  travelFee: z.nullable(minorUnits),
  /** Does not depend on the date; `studentStatusOn` takes the pause and the last day into account. */
  status: z.enum(['trial', 'active', 'left']),
  /** The last day of a student who has left or is leaving; it may be in the future. */
  leftOn: z.nullable(z.string()),
  /** The last day on which the contacts see the student in the family portal; null if there is no end date. */
  portalEndsOn: z.nullable(z.string()),
  /** Whether only the student's own contact sees the shared notes. */
  notesForStudentOnly: z.boolean(),
  /** The latest pause, which may be over or not have started. */
  pause: z.nullable(StudentPause),
  carerId: z.nullable(z.number()),
  carerName: z.nullable(z.string()),
  carerRelationship: z.nullable(z.string()),
  carerPhone: z.nullable(z.string()),
  carerEmail: z.nullable(z.string()),
  /** The payer's account. */
  familyId: z.nullable(z.number()),
  /** What is outstanding for this student; the account may owe more for siblings, or have credit. */
  balances: z.array(Balance),
  /** The main contact first, then by id. */
  contacts: z.array(Contact),
  /** Sorted by date; the first payer of each date pays the odd pennies. */
  payers: z.array(StudentPayer),
});
export type Student = z.infer<typeof Student>;

/** The status of a student on a date in the tutor's time zone. */
export function studentStatusOn(
  { status, pause, leftOn }: Pick<Student, 'status' | 'pause' | 'leftOn'>,
  date: string,
): StudentStatus {
  const isPaused =
    pause !== null && pause.fromDate <= date && (pause.toDate === null || date <= pause.toDate);
  if (status === 'left' && (leftOn === null || date > leftOn)) return 'left';
  if (isPaused) return 'paused';
  return status === 'left' ? 'active' : status;
}

export const Carer = z.object({
  id: z.number(),
  name: z.string(),
  relationship: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** Helps the tutor distinguish between carers. */
  students: z.array(z.string()),
});
export type Carer = z.infer<typeof Carer>;

export const StudentDeletionPreview = z.object({
  /** How many upcoming sessions will be cancelled, or will go ahead without the student if they are in a group. */
  sessions: z.number(),
  /** What is outstanding for the student afterwards. It stays on the account. */
  balances: z.array(Balance),
});
export type StudentDeletionPreview = z.infer<typeof StudentDeletionPreview>;

/** The maximum number of students, not counting archived ones. It also limits carers, families and reports. */
export const MAX_STUDENTS = 10_000;

export const students = defineEndpoints({
  listStudents: {
    method: 'GET',
    path: '/api/students',
    access: 'login',
    summary: 'Students who are not archived, sorted by id',
    query: PageQuery,
    reply: z.array(Student),
  },
  createStudent: {
    method: 'POST',
    path: '/api/students',
    access: 'login',
    summary: 'Add a student',
    body: StudentInput,
    reply: Student,
    status: 201,
    idempotent: true,
  },
  updateStudent: {
    method: 'PUT',
    path: '/api/students/:id',
    access: 'login',
    summary: 'Change a student',
    params: IdParams,
    body: StudentInput,
    reply: Student,
  },
  deleteStudent: {
    method: 'DELETE',
    path: '/api/students/:id',
    access: 'login',
    summary: 'Archive a student and cancel their future sessions',
    params: IdParams,
    reply: DeleteReply,
  },
  previewStudentDeletion: {
    method: 'GET',
    path: '/api/students/:id/delete-preview',
    access: 'login',
    summary: 'Preview deleting a student: upcoming sessions and the amount owed',
    params: IdParams,
    reply: StudentDeletionPreview,
  },
  listCarers: {
    method: 'GET',
    path: '/api/carers',
    access: 'login',
    summary: 'Carers of current students, sorted by id',
    query: PageQuery,
    reply: z.array(Carer),
  },
});
