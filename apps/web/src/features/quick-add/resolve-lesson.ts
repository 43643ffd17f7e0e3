import { addDaysToDate, durationMinutes, weekday as weekdayOf } from '@lessonbook/contract/dates';
import type { SubjectsOfStudent } from '@lessonbook/contract/match-student-subjects';
import { nextOccurrence } from '@lessonbook/contract/parse-date';
import { type DateExpression, resolveDate } from '@lessonbook/contract/parse-date-phrase';
import { occurrenceAt, type RecurrencePattern } from '@lessonbook/contract/recurrence';
import type { Student } from '@lessonbook/contract/students';
import type { Subject } from '@lessonbook/contract/subjects';
import { formatDayMonth, formatShortDate, weekdayName } from '../../lib/format.ts';
import type { ParsedFee } from './parse-recurrence-duration-and-fee.ts';
import type { ParsedTimeRange } from './parse-time.ts';
import { formatClock, resolveTimes } from './resolve-times.ts';

export type QuickAddStudent = Pick<Student, 'id' | 'name'> & SubjectsOfStudent;
export type QuickAddSubject = Pick<Subject, 'id' | 'name' | 'defaultFee' | 'currency'>;

/** A lesson parsed from a sentence; missing details are omitted. */
export interface ParsedLesson {
  /** More than one if the words are ambiguous. */
  students: QuickAddStudent[];
  /** The second and further students of a group. */
  otherStudents: QuickAddStudent[];
  /** `subjects` match the whole name; `similarSubjects` have names that contain the typed words. */
  subjects: QuickAddSubject[];
  similarSubjects: QuickAddSubject[];
  /** More than one if the words name several days or contradict each other. */
  dates: string[];
  startTime?: string;
  endTime?: string;
  minutes?: number;
  fee?: ParsedFee;
  pattern?: RecurrencePattern;
  until?: string;
  place?: string;
  /** Assumptions and questions. */
  notes: string[];
  unrecognized: string[];
}

export interface LessonParts {
  students?: QuickAddStudent[];
  subjects?: QuickAddSubject[];
  similarSubjects?: QuickAddSubject[];
  day?: DateExpression;
  besideDate?: number;
  times?: ParsedTimeRange;
  /** 'in the evening', for a time without am or pm. */
  meridiem?: 'am' | 'pm';
  /** The times as typed, quoted in the message if they are invalid. */
  timesText?: string;
  minutes?: number;
  fee?: ParsedFee;
  pattern?: RecurrencePattern;
  until?: DateExpression;
  /** 'until July', which is resolved to the last day of the month. */
  untilMonth?: string;
  /** 'for 6 weeks', as the number of lessons. */
  lessonCount?: number;
  place?: string;
  otherStudents: QuickAddStudent[];
  otherDays: number[];
  notes: string[];
  unrecognized: string[];
}

/** Resolves the parsed parts to dates and times. */
export function resolveLesson(
  parts: LessonParts,
  context: { today: string; now: string },
): ParsedLesson {
  const { students = [], subjects = [], similarSubjects = [], minutes, fee, place } = parts;
  const { unrecognized } = parts;
  const times = parts.times && resolveTimes(withMeridiem(parts.times, parts.meridiem));
  const { dates, notes } = parts.day
    ? resolveDates(
        { day: parts.day, besideDate: parts.besideDate ?? null, others: parts.otherDays },
        context,
        times?.start,
      )
    : { dates: [], notes: [] };
  const endTime = times && (times.end ?? addMinutes(times.start, minutes));
  // The end is before the start, or past midnight.
  if (parts.times?.end && !times?.end) unrecognized.push(parts.timesText ?? '');
  else if (minutes && times && !endTime) unrecognized.push(`${minutes} min`);
  const { pattern, until, note } = resolveSeries(parts, dates[0] ?? context.today, context.today);
  return {
    students,
    otherStudents: parts.otherStudents,
    subjects,
    similarSubjects,
    dates,
    ...(times && { startTime: times.start }),
    ...(endTime && { endTime }),
    ...(minutes && minutes < 24 * 60 && { minutes }),
    ...(fee && { fee }),
    ...(pattern && { pattern }),
    ...(until && { until }),
    ...(place && { place }),
    notes: [
      ...notes,
      ...parts.notes,
      ...(note ? [note] : []),
      ...(times?.assumedHour ? [`We've read ${times.assumedHour} as ${times.start}.`] : []),
    ],
    unrecognized,
  };
}

const withMeridiem = (
  { start, end }: ParsedTimeRange,
  meridiem: 'am' | 'pm' | undefined,
): ParsedTimeRange =>
  meridiem && start.meridiem === null && !start.is24Hour && start.hour <= 12
    ? { start: { ...start, meridiem }, end }
    : { start, end };

/** A series with an end is weekly unless the sentence says otherwise. */
function resolveSeries(
  { pattern, until, untilMonth, lessonCount }: LessonParts,
  first: string,
  today: string,
) {
  const frequency = pattern ?? 'weekly';
  if (until) return { pattern: frequency, until: resolveDate(until, first) };
  if (untilMonth)
    return {
      pattern: frequency,
      until: untilMonth,
      note: `We've set the last day to ${formatShortDate(untilMonth, today)}.`,
    };
  if (lessonCount)
    return { pattern: frequency, until: occurrenceAt(frequency, first, lessonCount - 1) };
  return { pattern };
}

/** Null if the lesson would end after midnight. */
function addMinutes(start: string, minutes: number | undefined): string | null {
  const end = durationMinutes('00:00', start) + (minutes ?? 0);
  return minutes && end < 24 * 60 ? formatClock(end) : null;
}

interface TypedDay {
  day: DateExpression;
  /** A weekday that was typed next to a date, as in 'Tue 17 Nov'. */
  besideDate: number | null;
  /** Further weekdays, as in 'Tue and Thu'. */
  others: readonly number[];
}

interface ResolvedDates {
  /** More than one if the words contradict each other, or if they name several days. */
  dates: string[];
  notes: string[];
}

const A_YEAR_AGO = -365;
/** A date that has passed more recently than this is probably meant, rather than the same date next year. */
const RECENT_DAYS = 31;

/** The dates that the words may mean. Today's weekday means next week if `start` has already passed today. */
function resolveDates(
  { day, besideDate, others }: TypedDay,
  { today, now }: { today: string; now: string },
  start: string | undefined,
): ResolvedDates {
  if (day.kind === 'weekday') {
    const weekdays = [day, ...others.map((weekday) => ({ ...day, weekday }))];
    const dates = weekdays.map((weekday) => {
      const date = resolveDate(weekday, today);
      const isPast = date === today && start !== undefined && start < now;
      return isPast ? addDaysToDate(date, 7) : date;
    });
    const notes =
      dates.length > 1 ? ['Each day is a separate lesson. Add one, then the next.'] : [];
    return { dates, notes };
  }
  const next = resolveDate(day, today);
  const previous =
    day.kind === 'day-and-month' ? nextOccurrence(day, addDaysToDate(today, A_YEAR_AGO)) : next;
  const passed = `${formatShortDate(previous, today)} has passed.`;
  if (besideDate === null) {
    const isRecent = previous < today && previous >= addDaysToDate(today, -RECENT_DAYS);
    return isRecent && previous !== next
      ? { dates: [previous, next], notes: [passed] }
      : { dates: [next], notes: [] };
  }
  if (weekdayOf(next) === besideDate) return { dates: [next], notes: [] };
  if (previous < today && weekdayOf(previous) === besideDate)
    return { dates: [previous], notes: [passed] };
  const closest = closestWeekday(next, besideDate);
  return {
    dates: [next, closest],
    notes: [`${formatDayMonth(next, today)} is a ${weekdayName(next)}. Which day do you mean?`],
  };
}

function closestWeekday(date: string, weekday: number): string {
  const days = [0, 1, -1, 2, -2, 3, -3].find(
    (offset) => weekdayOf(addDaysToDate(date, offset)) === weekday,
  );
  return addDaysToDate(date, days ?? 0);
}
