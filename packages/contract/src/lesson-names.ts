interface LessonNames {
  title: string;
  /** For a group, all students. */
  studentName: string;
  subjectName: string;
}

/**
 * The part of the title that the tutor typed. The default title, 'Maya Okafor - Maths', only repeats student and subject, so
 * it is empty.
 */
export function customTitle({ title, studentName, subjectName }: LessonNames): string {
  const [firstStudent = ''] = studentName.split(', ');
  const typed = title.startsWith(`${firstStudent} - `)
    ? title.slice(firstStudent.length + 3)
    : title;
  return typed === subjectName || typed === firstStudent ? '' : typed;
}

/** Shown below the student: the typed title, otherwise the subject. */
export const lessonSubtitle = (names: LessonNames): string =>
  customTitle(names) || names.subjectName;

/** The student first: 'Maya Okafor - Maths', or 'Maya Okafor - Mock exam' if the tutor typed a title. */
export const lessonLabel = (names: LessonNames): string =>
  `${names.studentName} - ${lessonSubtitle(names)}`;
