import * as z from 'zod/mini';
import { SessionRow } from './sessions.ts';

/** A date of a lesson. A series can have over a thousand, so each has only the fields that the list of dates shows. */
export const LessonDate = z.pick(SessionRow, {
  id: true,
  date: true,
  startTime: true,
  endTime: true,
  status: true,
});
export type LessonDate = z.infer<typeof LessonDate>;
