import { dateFromDayNumber, dayNumber, weekday } from '@lessonbook/contract/dates';
import { firstName } from '@lessonbook/contract/first-name';
import type { TemplateKind } from '@lessonbook/contract/messages';

/** The default templates; the tutor can replace any of them. */
export const DEFAULT_TEMPLATES: Record<TemplateKind, { subject: string; text: string }> = {
  lesson_reminder: {
    subject: '{when}: {short}',
    text: 'Hello {name},\n\nA reminder of {day}:\n\n{lessons}\n\nIf anything has changed, just reply to this message.\n\n{tutor}',
  },
  lesson_change: {
    subject: '{what}: {short}',
    text: 'Hello {name},\n\n{news}\n\n{lessons}\n\nIf you have a question, just reply to this message.\n\n{tutor}',
  },
  payment_reminder: {
    subject: 'Lessons to pay: {amount}',
    text: 'Hello {name},\n\n{amount} is to be paid for:\n\n{lessons}\n\nWhat it is for and how to pay: {link}\n\nIf you have just paid, thank you, and please ignore this.\n\n{tutor}',
  },
  invoice: {
    subject: 'Invoice {number}: {amount}',
    text: 'Hello {name},\n\nHere is invoice {number} for {amount}, due on {due}.\n\nThe invoice and how to pay: {link}\n\nThank you,\n{tutor}',
  },
  receipt: {
    subject: 'Receipt {number}: {amount} received with thanks',
    text: "Hello {name},\n\nThank you, I've received your {amount} ({method}, {date}) for:\n\n{lessons}\n\n{rest}\n\nReceipt {number}\n\n{tutor}",
  },
};

export type TemplateValues = Readonly<Record<string, string>>;

/** Fills in {placeholders}. Unknown ones are left as typed, so that the tutor notices them. */
export const fillTemplate = (template: string, values: TemplateValues): string =>
  template.replaceAll(/\{(\w+)\}/g, (match, name: string) => values[name] ?? match).trim();

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const DAYS = 'Mon Tue Wed Thu Fri Sat Sun'.split(' ');

/** 'Tue 17 Nov', with the year added if it is not the current year. */
export function formatShortDate(date: string, today: string): string {
  const month = MONTHS[Number(date.slice(5, 7)) - 1];
  const day = `${DAYS[weekday(date) - 1]} ${Number(date.slice(8))} ${month}`;
  return date.slice(0, 4) === today.slice(0, 4) ? day : `${day} ${date.slice(0, 4)}`;
}

/** 'Today', 'Tomorrow' or the date. */
export function formatRelativeDate(date: string, today: string): string {
  if (date === today) return 'Today';
  if (date === dateFromDayNumber(dayNumber(today) + 1)) return 'Tomorrow';
  return formatShortDate(date, today);
}

/** '4:00 pm' */
export function formatTime(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 === 0 ? 12 : hour % 12}:${time.slice(3)} ${hour < 12 ? 'am' : 'pm'}`;
}

export interface LessonText {
  studentName: string;
  subjectName: string;
  date: string;
  startTime: string;
  endTime: string;
  place: string | null;
}

/** 'Maya: Maths, 4:00 pm to 5:00 pm, Library' */
export function formatLessonLine(lesson: LessonText): string {
  const time = `${formatTime(lesson.startTime)} to ${formatTime(lesson.endTime)}`;
  const place = lesson.place ? `, ${lesson.place}` : '';
  return `${firstName(lesson.studentName)}: ${lesson.subjectName}, ${time}${place}`;
}

/** 'Maya 4:00 pm, Leo 5:00 pm' */
export const formatLessonSummary = (lessons: readonly LessonText[]): string =>
  lessons
    .map((lesson) => `${firstName(lesson.studentName)} ${formatTime(lesson.startTime)}`)
    .join(', ');
