import * as z from 'zod/mini';
import { MAX_GROUP_STUDENTS } from './sessions.ts';

/** The minimum or maximum number of students in a group; null means no limit. */
export const groupSize = z.optional(
  z.nullable(
    z
      .number('Please enter a number')
      .check(
        z.int('Please enter a whole number'),
        z.minimum(1, 'Please enter at least 1'),
        z.maximum(MAX_GROUP_STUDENTS, `A group can have up to ${MAX_GROUP_STUDENTS} students`),
      ),
  ),
);

export const minimumNotAboveMaximum = z.refine<{
  minStudents?: number | null | undefined;
  maxStudents?: number | null | undefined;
}>(({ minStudents, maxStudents }) => !minStudents || !maxStudents || minStudents <= maxStudents, {
  error: 'The maximum must not be below the minimum',
  path: ['maxStudents'],
});
