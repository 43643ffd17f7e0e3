import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { publicId } from './portal.ts';
import { id, idParam, paginationFields } from './schema-fields.ts';

/* The notes and homework that the tutor has shared, as the family sees them. */

/** Who marked homework as done; the names of other contacts are not shown. */
export const HOMEWORK_DONE_BY = ['you', 'student', 'family', 'tutor'] as const;

export const PortalHomework = z.object({
  sessionId: z.number(),
  studentId: z.number(),
  text: z.string(),
  dueOn: z.nullable(z.string()),
  /** The date of the lesson. */
  date: z.string(),
  subjectName: z.string(),
  /** The date is in the tutor's time zone. */
  done: z.nullable(z.object({ on: z.string(), by: z.enum(HOMEWORK_DONE_BY) })),
});
export type PortalHomework = z.infer<typeof PortalHomework>;

export const PortalNotes = z.object({
  tutorName: z.string(),
  /** In the tutor's time zone. */
  today: z.string(),
  /** The students whose notes this person may see, with their first names. */
  students: z.array(z.object({ id: z.number(), name: z.string() })),
  /** Homework that is not done, by date, followed by the homework that was done last. */
  homework: z.array(PortalHomework),
  /** Latest lesson first. */
  notes: z.array(
    z.object({
      sessionId: z.number(),
      studentId: z.number(),
      date: z.string(),
      subjectName: z.string(),
      did: z.string(),
      nextTime: z.string(),
    }),
  ),
  /** Whether there are earlier notes. */
  hasMore: z.boolean(),
});
export type PortalNotes = z.infer<typeof PortalNotes>;

export const PORTAL_NOTES_PAGE = 20;

export const portalNotes = defineEndpoints({
  portalNotes: {
    method: 'GET',
    path: '/api/portal/tutors/:publicId/notes',
    access: 'contact',
    summary: 'The notes and homework of the students whose notes this person may see',
    params: z.object({ publicId }),
    query: z.object({
      /** If omitted, the notes of all students are returned. */
      studentId: z.optional(idParam),
      offset: paginationFields.offset,
    }),
    reply: PortalNotes,
  },
  setPortalHomeworkDone: {
    method: 'PUT',
    path: '/api/portal/tutors/:publicId/homework',
    access: 'contact',
    summary: 'Mark homework as done or not done',
    params: z.object({ publicId }),
    body: z.object({
      sessionId: id('Please choose some homework'),
      studentId: id('Please choose some homework'),
      isDone: z.boolean(),
    }),
    reply: z.object({}),
  },
});
