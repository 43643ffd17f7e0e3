import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Overlap } from './errors.ts';
import { date, IdParams } from './schema-fields.ts';
import { SessionRow } from './sessions.ts';
import { Student } from './students.ts';

/** The statuses that a tutor can choose; the `departures` endpoints are for students who leave. */
const SELECTABLE_STATUSES = ['trial', 'active', 'paused'] as const;
export type ChosenStatus = (typeof SELECTABLE_STATUSES)[number];

/** A pause has a first day and, unless it is open-ended, a last day. The other statuses end a pause or a departure. */
export const StudentStatusInput = z
  .object({
    status: z.enum(SELECTABLE_STATUSES, { error: 'Please choose a status' }),
    fromDate: z.optional(z.nullable(date())),
    toDate: z.optional(z.nullable(date())),
  })
  .check(
    z.refine((input) => input.status !== 'paused' || Boolean(input.fromDate), {
      error: 'First day is required',
      path: ['fromDate'],
    }),
    z.refine((input) => !input.fromDate || !input.toDate || input.toDate >= input.fromDate, {
      error: "The last day can't be before the first day",
      path: ['toDate'],
    }),
  );
export type StudentStatusInput = z.infer<typeof StudentStatusInput>;

export const StudentStatusChange = z.object({
  student: Student,
  /** Sessions that are cancelled without a fee. A group session still takes place for the other students. */
  cancelled: z.array(SessionRow),
  /** Sessions that were cancelled by a pause or a departure and now take place again. */
  restored: z.array(SessionRow),
  /** Other sessions that the restored ones overlap; the overlaps are accepted. */
  overlaps: z.array(Overlap),
});
export type StudentStatusChange = z.infer<typeof StudentStatusChange>;

export const studentStatus = defineEndpoints({
  previewStudentStatus: {
    method: 'POST',
    path: '/api/students/:id/status/preview',
    access: 'login',
    summary: 'Preview a change of status: the sessions that are cancelled or restored',
    params: IdParams,
    body: StudentStatusInput,
    reply: StudentStatusChange,
  },
  changeStudentStatus: {
    method: 'PUT',
    path: '/api/students/:id/status',
    access: 'login',
    summary: 'Change the status of a student, and cancel or restore their sessions',
    params: IdParams,
    body: StudentStatusInput,
    reply: StudentStatusChange,
  },
});
