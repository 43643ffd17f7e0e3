import type { Tx } from '../../../platform/db/database.ts';

export const studentName = (tx: Tx, tutorId: string, id: number) =>
  tx
    .selectFrom('students')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .select(['id', 'name']);

export const subjectName = (tx: Tx, tutorId: string, id: number) =>
  tx
    .selectFrom('subjects')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .select(['id', 'name']);
