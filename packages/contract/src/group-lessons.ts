import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { LessonDetails } from './lessons.ts';
import { acceptFull, date, IdParams, id, idParam, optionalFee } from './schema-fields.ts';
import { CANCELLING_PARTIES, CancelInput, CancellationProposal, Session } from './sessions.ts';

const StudentParams = z.object({ id: idParam, studentId: idParam });

export const JoinInput = z.object({
  studentId: id('Student is required'),
  /** The student's own fee in major units; null means free. If omitted, the lesson's fee applies. */
  fee: optionalFee,
  /** The first date on which the student takes part. */
  from: date('Date is required'),
  acceptFull,
});
export type JoinInput = z.infer<typeof JoinInput>;

/** Adding and removing students of a lesson, and cancelling a session for one of them. */
export const groupLessons = defineEndpoints({
  joinLesson: {
    method: 'POST',
    path: '/api/lessons/:id/students',
    access: 'login',
    summary:
      'Add a student to a lesson, starting from a given date; earlier sessions are not changed',
    params: IdParams,
    body: JoinInput,
    reply: LessonDetails,
    status: 201,
    idempotent: true,
  },
  leaveLesson: {
    method: 'DELETE',
    path: '/api/lessons/:id/students/:studentId',
    access: 'login',
    summary:
      'Remove a student from a lesson, starting from a given date; earlier sessions are not changed',
    params: StudentParams,
    query: z.object({ from: date() }),
    reply: LessonDetails,
  },
  seatCancellationProposal: {
    method: 'GET',
    path: '/api/sessions/:id/students/:studentId/cancellation',
    access: 'login',
    summary:
      'The fee for cancelling a session of a group for one student, under the cancellation policy',
    params: StudentParams,
    query: z.object({ cancelledBy: z.enum(CANCELLING_PARTIES) }),
    reply: CancellationProposal,
  },
  cancelSeat: {
    method: 'POST',
    path: '/api/sessions/:id/students/:studentId/cancel',
    access: 'login',
    summary: 'Cancel a session of a group for one student; it takes place for the others',
    params: StudentParams,
    body: CancelInput,
    reply: Session,
  },
  restoreSeat: {
    method: 'POST',
    path: '/api/sessions/:id/students/:studentId/restore',
    access: 'login',
    summary:
      'Undo the cancellation of a session of a group for one student; its charge is reversed',
    params: StudentParams,
    reply: Session,
  },
});
