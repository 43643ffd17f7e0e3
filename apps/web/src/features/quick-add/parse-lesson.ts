import { durationMinutes, plusDays, weekday as weekdayOf } from '@lessonbook/contract/dates';
import type { Pattern } from '@lessonbook/contract/recurrence';
import type { Student } from '@lessonbook/contract/students';
import type { Subject } from '@lessonbook/contract/subjects';
import { type IndexedName, indexNames, matchFullName, matchPartialName } from './match-names.ts';
import {
  type DateExpression,
  parseDate,
  parseWeekday,
  parseWeekdayList,
  resolveDate,
} from './parse-date.ts';
import { type ParsedFee, parseDuration, parseFee, parseRecurrence } from './parse-details.ts';
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

/** Whom and what the words can mean, and when they are said. */
export interface QuickAddContext {
  students: IndexedName<QuickAddStudent>[];
  subjects: IndexedName<QuickAddSubject>[];
  today: string;
  /** 'HH:MM' on the tutor's wall. */
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

/** What a sentence says about a lesson. What it does not say is left out. */
export interface ParsedLesson {
  /** Several where the words fit several. */
  students: QuickAddStudent[];
  subjects: QuickAddSubject[];
  date?: string;
  startTime?: string;
  endTime?: string;
  minutes?: number;
  fee?: ParsedFee;
  pattern?: Pattern;
  until?: string;
  /** The hour that was taken for one in the afternoon. */
  assumedHour: string | null;
  /** A second weekday, which a lesson does not have. */
  otherDays: string[];
  unrecognized: string[];
}

interface LessonParts {
  students?: QuickAddStudent[];
  subjects?: QuickAddSubject[];
  day?: DateExpression;
  times?: ParsedTimeRange;
  /** As they were typed, should they make no sense. */
  timesText?: string;
  minutes?: number;
  fee?: ParsedFee;
  pattern?: Pattern;
  until?: DateExpression;
}

/** Words that only hold a sentence together. */
const FILLERS = new Set(
  'a an the and at on for from with in of to , - new add book put lesson lessons session maybe please'.split(
    ' ',
  ),
);

const MAX_PHRASE_WORDS = 7;

export function parseLesson(sentence: string, context: QuickAddContext): ParsedLesson {
  const words = tokenize(sentence);
  const found: LessonParts = {};
  const otherDays: string[] = [];
  const notUnderstood: string[] = [];

  /** Something is said once; the second of its kind is not understood. */
  function assign<Name extends keyof LessonParts>(
    name: Name,
    value: LessonParts[Name],
    at: number,
    many: number,
  ) {
    if (found[name] === undefined) found[name] = value;
    else notUnderstood.push(textAt(words, at, many));
    return many;
  }

  function consumeDate(day: DateExpression, at: number, many: number): number {
    const before = found.day;
    const isWeekday = day.kind === 'weekday';
    if (before === undefined) found.day = day;
    else if (isWeekday && before.kind === 'weekday') otherDays.push(textAt(words, at, many));
    // 'Tue 17 Nov': the date says it all, and the weekday must agree with it.
    else if (before.kind === 'weekday' && !isWeekday) {
      found.day = day;
      if (weekdayOf(resolveDate(day, context.today)) !== before.weekday)
        notUnderstood.push(textAt(words, at - 1, 1));
    } else if (!isWeekday || weekdayOf(resolveDate(before, context.today)) !== day.weekday)
      notUnderstood.push(textAt(words, at, many));
    return many;
  }

  /** How many words it could use. */
  function consumeAt(at: number): number {
    const text = phraseAt(words, at, MAX_PHRASE_WORDS);
    const [first = ''] = text;

    const student = found.students ? null : matchFullName(words, at, context.students);
    if (student) return assign('students', student.found, at, student.tokenCount);
    const subject = found.subjects ? null : matchFullName(words, at, context.subjects);
    if (subject) return assign('subjects', subject.found, at, subject.tokenCount);

    if (first === 'until' || first === 'till') {
      const until = parseEndDate(text.slice(1), context.today);
      if (until) return assign('until', until.day, at, 1 + until.words);
      const end = parseTime(text.slice(1));
      if (end && found.times && !found.times.end) {
        found.times = { ...found.times, end: end.value };
        return 1 + end.tokenCount;
      }
    }
    const several = parseWeekdayList(first);
    if (several) {
      const [one, ...others] = several;
      otherDays.push(...others);
      const weekday = parseWeekday(one);
      if (weekday && !found.day) found.day = { kind: 'weekday', weekday, nextWeek: false };
      return 1;
    }
    const repeat = parseRecurrence(text);
    if (repeat) return assign('pattern', repeat.value, at, repeat.tokenCount);
    const day = parseDate(text, context.today);
    if (day) return consumeDate(day.value, at, day.tokenCount);
    const fee = parseFee(text);
    if (fee) return assign('fee', fee.value, at, fee.tokenCount);
    const minutes = parseDuration(text);
    if (minutes) return assign('minutes', minutes.value, at, minutes.tokenCount);
    const times = parseTimeRange(text);
    if (times) {
      found.timesText ??= textAt(words, at, times.tokenCount);
      return assign('times', times.value, at, times.tokenCount);
    }
    if (FILLERS.has(first) || words[at]?.text === ',') return 1;
    return consumeName(at);
  }

  function consumeName(at: number): number {
    const student = found.students ? null : matchPartialName(words, at, context.students);
    const subject = found.subjects ? null : matchPartialName(words, at, context.subjects);
    if (student && (!subject || student.tokenCount >= subject.tokenCount))
      return assign('students', student.found, at, student.tokenCount);
    if (subject) return assign('subjects', subject.found, at, subject.tokenCount);
    notUnderstood.push(textAt(words, at, 1));
    return 1;
  }

  for (let at = 0; at < words.length; ) at += consumeAt(at);
  return resolveLesson(found, context, otherDays, notUnderstood);
}

const textAt = (words: readonly Token[], at: number, many: number): string =>
  words
    .slice(at, at + many)
    .map(({ raw }) => raw)
    .join(' ');

/** 'until Fri 18 Dec': the weekday in front adds nothing. */
function parseEndDate(
  text: readonly string[],
  today: string,
): { day: DateExpression; words: number } | null {
  const first = parseDate(text, today);
  if (!first) return null;
  const second =
    first.value.kind === 'weekday' ? parseDate(text.slice(first.tokenCount), today) : null;
  return second && second.value.kind !== 'weekday'
    ? { day: second.value, words: first.tokenCount + second.tokenCount }
    : { day: first.value, words: first.tokenCount };
}

/** From what was said to dates and times. */
function resolveLesson(
  found: LessonParts,
  context: QuickAddContext,
  otherDays: string[],
  notUnderstood: string[],
): ParsedLesson {
  const { students = [], subjects = [], minutes, fee, until } = found;
  const times = found.times && resolveTimes(found.times);
  const date = found.day && resolveStartDate(found.day, context, times?.start);
  const endTime = times && (times.end ?? addMinutes(times.start, minutes));
  // An end before its start, or a lesson beyond midnight.
  if (found.times?.end && !times?.end) notUnderstood.push(found.timesText ?? '');
  else if (minutes && times && !endTime) notUnderstood.push(`${minutes} min`);
  const pattern = found.pattern ?? (until && 'weekly');
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
    assumedHour: times?.assumed ?? null,
    otherDays,
    unrecognized: notUnderstood,
  };
}

/** A weekday whose hour is past today is the one of next week. */
function resolveStartDate(
  day: DateExpression,
  { today, now }: QuickAddContext,
  start: string | undefined,
): string {
  const date = resolveDate(day, today);
  const isOver = day.kind === 'weekday' && date === today && start !== undefined && start < now;
  return isOver ? plusDays(date, 7) : date;
}

/** A lesson ends on its day. */
function addMinutes(start: string, minutes: number | undefined): string | null {
  const end = durationMinutes('00:00', start) + (minutes ?? 0);
  return minutes && end < 24 * 60 ? formatClock(end) : null;
}
