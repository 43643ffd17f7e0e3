import { formatTime12 } from '@lessonbook/contract/format-time';
import type { LessonStart } from '@lessonbook/contract/move-requests';
import { formatShortDate, formatStart, type Reader } from './format-dates-and-lessons.ts';

export interface MovedLesson {
  studentId: number;
  studentName: string;
  date: string;
  startTime: string;
}

/** 'Tue 24 Nov, 4:30pm' */
export const formatForTutor = ({ date, startTime }: LessonStart, today: string): string =>
  `${formatShortDate(date, today)}, ${formatTime12(startTime)}`;

/** "Leo's lesson on Tue 24 Nov, 4:30pm" */
export const describeForTutor = (lesson: MovedLesson, today: string): string =>
  `${lesson.studentName}'s lesson on ${formatForTutor(lesson, today)}`;

/** "Ruth has asked to move Leo's lesson from Tue 24 Nov, 4:30pm to Fri 27 Nov, 5pm or Sat 28 Nov, 12:30pm." */
export function describeMoveRequest(
  contactName: string,
  lesson: MovedLesson,
  choices: readonly LessonStart[],
  today: string,
): string {
  const request = `${contactName} has asked to move`;
  if (choices.length === 0)
    return `${request} ${describeForTutor(lesson, today)}. Open the request to see which times would suit them.`;
  const to = choices.map((choice) => formatForTutor(choice, today)).join(' or ');
  return `${request} ${lesson.studentName}'s lesson from ${formatForTutor(lesson, today)} to ${to}.`;
}

/** 'Tue 24 Nov, 4:30pm' */
export const formatForReader = (start: LessonStart, today: string, reader: Reader): string =>
  `${formatShortDate(start.date, today)}, ${formatStart({ ...start, endTime: start.startTime }, reader)}`;

/** "Leo's lesson on Tue 24 Nov, 4:30pm", or 'your lesson on …' for the student. */
export const describeForReader = (lesson: MovedLesson, today: string, reader: Reader): string =>
  `${whoseLesson(lesson, reader)} on ${formatForReader(lesson, today, reader)}`;

/** "Leo's lesson", or 'your lesson' for the student. */
export const whoseLesson = (lesson: MovedLesson, reader: Reader): string =>
  reader.studentId === lesson.studentId ? 'your lesson' : `${lesson.studentName}'s lesson`;
