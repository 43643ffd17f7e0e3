import type { Lesson } from '@lessonbook/contract/lessons';
import { clock, plainDate, shortDate, weekday } from '../../lib/format.ts';

type Repeating = Pick<
  Lesson,
  'date' | 'startTime' | 'endTime' | 'isRecurring' | 'recurringPattern' | 'recurringEndDate'
>;

/** 'Every Tuesday, 16:00 to 17:00, until 15 Dec 2026' */
export function recurrenceInWords(lesson: Repeating, today: string): string {
  const time = `${clock(lesson.startTime)} to ${clock(lesson.endTime)}`;
  if (!lesson.isRecurring) return `${shortDate(lesson.date, today)}, ${time}`;
  const until = lesson.recurringEndDate ? `, until ${plainDate(lesson.recurringEndDate)}` : '';
  return `${rhythms[lesson.recurringPattern](lesson.date)}, ${time}${until}`;
}

const rhythms: Record<Lesson['recurringPattern'], (first: string) => string> = {
  weekly: (first) => `Every ${weekday(first)}`,
  biweekly: (first) => `Every second ${weekday(first)}`,
  monthly: (first) => `Every month on the ${ordinal(Number(first.slice(8)))}`,
};

function ordinal(day: number): string {
  const ending = ['th', 'st', 'nd', 'rd'][day % 10];
  return `${day}${day > 10 && day < 14 ? 'th' : (ending ?? 'th')}`;
}
