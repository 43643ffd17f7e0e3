import { addDaysToDate, durationMinutes, weekday as weekdayOf } from '@lessonbook/contract/dates';
import type { RecurrencePattern } from '@lessonbook/contract/recurrence';
import type { Student } from '@lessonbook/contract/students';
import type { Subject } from '@lessonbook/contract/subjects';
import type { Match } from '../../lib/parse-date.ts';
import { type IndexedName, indexNames, matchFullName, matchPartialName } from './match-names.ts';
import {
  type DateExpression,
  parseDate,
  parseWeekday,
  parseWeekdayList,
  resolveDate,
} from './parse-date.ts';
import {
  type ParsedFee,
  parseDuration,
  parseFee,
  parseRecurrence,
} from './parse-recurrence-duration-and-fee.ts';
import {
  formatClock,
  type ParsedTimeRange,
  parseTime,
  parseTimeRange,
  resolveTimes,
} from './parse-time.ts';
import { phraseAt, type Token, tokenize } from './tokenize.ts';

export type QuickAddStudent = Pick<Student, 'id' | 'name'>;
export type QuickAddSubject = Pick<Subject, 'id' | 'name' | 'defaultFee' | 'currency'>;

/** The students and subjects that a sentence can refer to, and the current time. */
export interface QuickAddContext {
  students: IndexedName<QuickAddStudent>[];
  subjects: IndexedName<QuickAddSubject>[];
  today: string;
  /** 'HH:mm' in the tutor's time zone. */
  now: string;
}

export const createQuickAddContext = (
  students: readonly QuickAddStudent[],
  subjects: readonly QuickAddSubject[],
  today: string,
  now: string,
): QuickAddContext => ({
  students: indexNames(students),
  subjects: indexNames(subjects),
  today,
  now,
});

/** A lesson parsed from a sentence; missing details are omitted. */
export interface ParsedLesson {
  /** More than one if the words are ambiguous. */
  students: QuickAddStudent[];
  subjects: QuickAddSubject[];
  date?: string;
  startTime?: string;
  endTime?: string;
  minutes?: number;
  fee?: ParsedFee;
  pattern?: RecurrencePattern;
  until?: string;
  /** An hour without am or pm that was assumed to be in the afternoon. */
  assumedHour: string | null;
  /** Additional weekdays, which a lesson cannot have. */
  otherDays: string[];
  unrecognized: string[];
}

interface LessonParts {
  students?: QuickAddStudent[];
  subjects?: QuickAddSubject[];
  day?: DateExpression;
  times?: ParsedTimeRange;
  /** As typed, for the message shown if they are invalid. */
  timesText?: string;
  minutes?: number;
  fee?: ParsedFee;
  pattern?: RecurrencePattern;
  until?: DateExpression;
}

/** Words that are ignored. */
const FILLER_WORDS = new Set(
  'a an the and at on for from with in of to , - new add book put lesson lessons session maybe please'.split(
    ' ',
  ),
);

const MAX_PHRASE_WORDS = 7;

export function parseLesson(sentence: string, context: QuickAddContext): ParsedLesson {
  const tokens = tokenize(sentence);
  const parts: LessonParts = {};
  const otherDays: string[] = [];
  const unrecognized: string[] = [];

  /** Stores a part. A second value for the same part counts as unrecognised. */
  function assign<Name extends keyof LessonParts>(
    name: Name,
    value: LessonParts[Name],
    at: number,
    tokenCount: number,
  ) {
    if (parts[name] === undefined) parts[name] = value;
    else unrecognized.push(textAt(tokens, at, tokenCount));
    return tokenCount;
  }

  function consumeDate(day: DateExpression, at: number, tokenCount: number): number {
    const previous = parts.day;
    const isWeekday = day.kind === 'weekday';
    if (previous === undefined) parts.day = day;
    else if (isWeekday && previous.kind === 'weekday')
      otherDays.push(textAt(tokens, at, tokenCount));
    // 'Tue 17 Nov': the date takes precedence, and the weekday must agree with it.
    else if (previous.kind === 'weekday' && !isWeekday) {
      parts.day = day;
      if (weekdayOf(resolveDate(day, context.today)) !== previous.weekday)
        unrecognized.push(textAt(tokens, at - 1, 1));
    } else if (!isWeekday || weekdayOf(resolveDate(previous, context.today)) !== day.weekday)
      unrecognized.push(textAt(tokens, at, tokenCount));
    return tokenCount;
  }

  /** Parses at a position and returns the number of tokens used. */
  function consumeAt(at: number): number {
    const phrase = phraseAt(tokens, at, MAX_PHRASE_WORDS);
    const [first = ''] = phrase;

    const student = parts.students ? null : matchFullName(tokens, at, context.students);
    if (student) return assign('students', student.found, at, student.tokenCount);
    const subject = parts.subjects ? null : matchFullName(tokens, at, context.subjects);
    if (subject) return assign('subjects', subject.found, at, subject.tokenCount);

    if (first === 'until' || first === 'till') {
      const until = parseEndDate(phrase.slice(1), context.today);
      if (until) return assign('until', until.value, at, 1 + until.tokenCount);
      const end = parseTime(phrase.slice(1));
      if (end && parts.times && !parts.times.end) {
        parts.times = { ...parts.times, end: end.value };
        return 1 + end.tokenCount;
      }
    }
    const weekdays = parseWeekdayList(first);
    if (weekdays) {
      const [firstDay, ...others] = weekdays;
      otherDays.push(...others);
      const weekday = parseWeekday(firstDay);
      if (weekday && !parts.day) parts.day = { kind: 'weekday', weekday, nextWeek: false };
      return 1;
    }
    const pattern = parseRecurrence(phrase);
    if (pattern) return assign('pattern', pattern.value, at, pattern.tokenCount);
    const day = parseDate(phrase, context.today);
    if (day) return consumeDate(day.value, at, day.tokenCount);
    const fee = parseFee(phrase);
    if (fee) return assign('fee', fee.value, at, fee.tokenCount);
    const minutes = parseDuration(phrase);
    if (minutes) return assign('minutes', minutes.value, at, minutes.tokenCount);
    const times = parseTimeRange(phrase);
    if (times) {
      parts.timesText ??= textAt(tokens, at, times.tokenCount);
      return assign('times', times.value, at, times.tokenCount);
    }
    if (FILLER_WORDS.has(first) || tokens[at]?.text === ',') return 1;
    return consumeName(at);
  }

  function consumeName(at: number): number {
    const student = parts.students ? null : matchPartialName(tokens, at, context.students);
    const subject = parts.subjects ? null : matchPartialName(tokens, at, context.subjects);
    if (student && (!subject || student.tokenCount >= subject.tokenCount))
      return assign('students', student.found, at, student.tokenCount);
    if (subject) return assign('subjects', subject.found, at, subject.tokenCount);
    unrecognized.push(textAt(tokens, at, 1));
    return 1;
  }

  for (let at = 0; at < tokens.length; ) at += consumeAt(at);
  return resolveLesson(parts, context, otherDays, unrecognized);
}

const textAt = (tokens: readonly Token[], at: number, count: number): string =>
  tokens
    .slice(at, at + count)
    .map(({ raw }) => raw)
    .join(' ');

/** 'until Fri 18 Dec': the weekday before a date is ignored. */
function parseEndDate(phrase: readonly string[], today: string): Match<DateExpression> | null {
  const first = parseDate(phrase, today);
  if (!first) return null;
  const second =
    first.value.kind === 'weekday' ? parseDate(phrase.slice(first.tokenCount), today) : null;
  return second && second.value.kind !== 'weekday'
    ? { value: second.value, tokenCount: first.tokenCount + second.tokenCount }
    : first;
}

/** Resolves the parsed parts to dates and times. */
function resolveLesson(
  parts: LessonParts,
  context: QuickAddContext,
  otherDays: string[],
  unrecognized: string[],
): ParsedLesson {
  const { students = [], subjects = [], minutes, fee, until } = parts;
  const times = parts.times && resolveTimes(parts.times);
  const date = parts.day && resolveStartDate(parts.day, context, times?.start);
  const endTime = times && (times.end ?? addMinutes(times.start, minutes));
  // The end is before the start, or past midnight.
  if (parts.times?.end && !times?.end) unrecognized.push(parts.timesText ?? '');
  else if (minutes && times && !endTime) unrecognized.push(`${minutes} min`);
  const pattern = parts.pattern ?? (until && 'weekly');
  return {
    students,
    subjects,
    ...(date && { date }),
    ...(times && { startTime: times.start }),
    ...(endTime && { endTime }),
    ...(minutes && minutes < 24 * 60 && { minutes }),
    ...(fee && { fee }),
    ...(pattern && { pattern }),
    ...(until && { until: resolveDate(until, date ?? context.today) }),
    assumedHour: times?.assumedHour ?? null,
    otherDays,
    unrecognized,
  };
}

/** Today's weekday means next week if the time has already passed. */
function resolveStartDate(
  day: DateExpression,
  { today, now }: QuickAddContext,
  start: string | undefined,
): string {
  const date = resolveDate(day, today);
  const isPast = day.kind === 'weekday' && date === today && start !== undefined && start < now;
  return isPast ? addDaysToDate(date, 7) : date;
}

/** Null if the lesson would end after midnight. */
function addMinutes(start: string, minutes: number | undefined): string | null {
  const end = durationMinutes('00:00', start) + (minutes ?? 0);
  return minutes && end < 24 * 60 ? formatClock(end) : null;
}
