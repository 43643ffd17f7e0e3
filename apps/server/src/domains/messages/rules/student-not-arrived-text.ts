import { isOnlinePlace } from '@lessonbook/contract/detect-online-place';
import { firstName } from '@lessonbook/contract/first-name';
import { formatStart, type LessonText, type Reader } from './format-dates-and-lessons.ts';

/** The tutor can change the text before it is sent. In a group, the lesson has usually begun without the student. */
export function writeStudentNotArrivedMessage(
  lesson: LessonText,
  to: { name: string; reader: Reader },
  { isGroup, signature }: { isGroup: boolean; signature: string },
): { subject: string; text: string } {
  const { name, reader } = to;
  const isReader = lesson.studentId === reader.studentId;
  const student = firstName(lesson.studentName);
  const who = isReader ? 'you' : student;
  const start = formatStart(lesson, reader);
  const isOnline = isOnlinePlace(lesson.place);
  const missing = isOnline
    ? `${isReader ? "you haven't" : `${who} hasn't`} joined`
    : `${isReader ? "you aren't" : `${who} isn't`} here`;
  const whose = isReader ? 'Your' : `${student}'s`;
  const situation = isGroup
    ? `${whose} lesson started at ${start}, but ${missing} yet.`
    : `${whose} lesson at ${start} hasn't started yet because ${missing}${isOnline ? ' the call' : ''}.`;
  const question = `Please let me know whether ${isReader ? "you're" : `${who} is`} ${isOnline ? 'about to join' : 'on the way'}.`;
  return {
    subject: `${isReader ? "You haven't" : `${who} hasn't`} ${isOnline ? 'joined' : 'arrived for'} the lesson at ${start}`,
    text: `Hi ${firstName(name)},\n\n${situation} ${question}\n\n${signature}`,
  };
}
