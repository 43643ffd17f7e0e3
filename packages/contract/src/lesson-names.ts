import { firstName } from './first-name.ts';

/** A student of a session, who may have cancelled, or of a lesson, who may have left. */
interface NamedSeat {
  state?: string;
  toDate?: string | null;
}

interface LessonNames {
  title: string;
  /** For a group, all students. */
  studentName: string;
  subjectName: string;
  /** If omitted, the lesson has one student. */
  students?: readonly NamedSeat[];
}

/**
 * The part of the title that the tutor typed. The default title, 'Maya Okafor - Maths', only repeats the student and the
 * subject, so it counts as empty.
 */
export function customTitle({ title, studentName, subjectName }: LessonNames): string {
  const [firstStudent = ''] = studentName.split(', ');
  const typed = title.startsWith(`${firstStudent} - `)
    ? title.slice(firstStudent.length + 3)
    : title;
  return typed === subjectName || typed === firstStudent ? '' : typed;
}

export const isGroup = ({ students = [] }: Pick<LessonNames, 'students'>): boolean =>
  students.length > 1;

/** How many students are expected in a session, or are in a lesson now. */
export const groupSize = ({ students = [] }: Pick<LessonNames, 'students'>): number =>
  students.filter(({ state, toDate }) => state !== 'cancelled' && !toDate).length;

/** The name of the student, or the name of a group with its size: 'Year 11 maths · 4'. */
export const lessonName = (names: LessonNames): string =>
  isGroup(names) ? `${shortLessonName(names)} · ${groupSize(names)}` : names.studentName;

/** For narrow places: the first name, or the name of a group without its size. */
export const shortLessonName = (names: LessonNames): string =>
  isGroup(names) ? customTitle(names) || names.subjectName : firstName(names.studentName);

/** Shown below the name: the typed title, otherwise the subject. The name of a group is its title. */
export const lessonSubtitle = (names: LessonNames): string =>
  (!isGroup(names) && customTitle(names)) || names.subjectName;

/** Begins with the student: 'Maya Okafor - Maths', or 'Maya Okafor - Mock exam' if the tutor typed a title. */
export const lessonLabel = (names: LessonNames): string =>
  `${lessonName(names)} - ${lessonSubtitle(names)}`;
