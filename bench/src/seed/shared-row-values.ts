/** One table's rows in PostgreSQL's text format for COPY. */
export interface TableRows {
  table: string;
  columns: string;
  lines: (tutors: number) => Generator<string>;
}

export const SQL_NULL = '\\N';

/** Keeps the public ids of different tables distinct. */
export const ID_KIND = {
  tutor: 11,
  carer: 12,
  student: 13,
  session: 14,
  family: 15,
  charge: 16,
  login: 17,
  payment: 18,
};

export const STUDENT_NAMES = [
  'Maya Okafor',
  'Leo Whitfield',
  'Anika Raman',
  'Isla Hargreaves',
  'Tobi Okafor',
  'Freya Whitfield',
  'Dev Raman',
  'Oscar Hargreaves',
];
export const SUBJECT_NAMES = ['Maths', 'Physics', 'English'];

/** A group lesson is named after its first student. */
export const lessonTitle = (lesson: { studentIds: readonly number[]; subjectId: number }): string =>
  `${STUDENT_NAMES[(lesson.studentIds[0] ?? 0) - 1] ?? ''} - ${SUBJECT_NAMES[lesson.subjectId - 1] ?? ''}`;
