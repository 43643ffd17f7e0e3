import { durationMinutes, plusDays, weekday as weekdayOf } from '@lessonbook/contract/dates';
import type { Pattern } from '@lessonbook/contract/recurrence';
import type { Student } from '@lessonbook/contract/students';
import type { Subject } from '@lessonbook/contract/subjects';
import { type Day, dateFrom, readDay, readSeveralWeekdays, readWeekday } from './days.ts';
import { type Listed, listed, readPartOfName, readWholeName } from './names.ts';
import { readDuration, readFee, readRepeat, type SaidFee } from './parts.ts';
import { clockOf, clockTimes, readTime, readTimes, type SaidTimes } from './times.ts';
import { phrase, type Word, wordsOf } from './words.ts';

export type SaidStudent = Pick<Student, 'id' | 'name'>;
export type SaidSubject = Pick<Subject, 'id' | 'name' | 'defaultFee' | 'currency'>;

/** Whom and what the words can mean, and when they are said. */
export interface Book {
  students: Listed<SaidStudent>[];
  subjects: Listed<SaidSubject>[];
  today: string;
  /** 'HH:MM' on the tutor's wall. */
  now: string;
}

export const bookOf = (
  students: readonly SaidStudent[],
  subjects: readonly SaidSubject[],
  today: string,
  now: string,
): Book => ({ students: listed(students), subjects: listed(subjects), today, now });

/** What a sentence says about a lesson. What it does not say is left out. */
export interface SaidLesson {
  /** Several where the words fit several. */
  students: SaidStudent[];
  subjects: SaidSubject[];
  date?: string;
  startTime?: string;
  endTime?: string;
  minutes?: number;
  fee?: SaidFee;
  pattern?: Pattern;
  until?: string;
  /** The hour that was taken for one in the afternoon. */
  assumed: string | null;
  /** A second weekday, which a lesson does not have. */
  otherDays: string[];
  notUnderstood: string[];
}

interface Found {
  students?: SaidStudent[];
  subjects?: SaidSubject[];
  day?: Day;
  times?: SaidTimes;
  /** As they were typed, should they make no sense. */
  timesSaid?: string;
  minutes?: number;
  fee?: SaidFee;
  pattern?: Pattern;
  until?: Day;
}

/** Words that only hold a sentence together. */
const FILLERS = new Set(
  'a an the and at on for from with in of to , - new add book put lesson lessons session maybe please'.split(
    ' ',
  ),
);

const LONGEST = 7;

export function readLesson(sentence: string, book: Book): SaidLesson {
  const words = wordsOf(sentence);
  const found: Found = {};
  const otherDays: string[] = [];
  const notUnderstood: string[] = [];

  /** Something is said once; the second of its kind is not understood. */
  function keep<Name extends keyof Found>(
    name: Name,
    value: Found[Name],
    at: number,
    many: number,
  ) {
    if (found[name] === undefined) found[name] = value;
    else notUnderstood.push(saidAt(words, at, many));
    return many;
  }

  function takeDay(day: Day, at: number, many: number): number {
    const before = found.day;
    const isWeekday = day.kind === 'weekday';
    if (before === undefined) found.day = day;
    else if (isWeekday && before.kind === 'weekday') otherDays.push(saidAt(words, at, many));
    // 'Tue 17 Nov': the date says it all, and the weekday must agree with it.
    else if (before.kind === 'weekday' && !isWeekday) {
      found.day = day;
      if (weekdayOf(dateFrom(day, book.today)) !== before.weekday)
        notUnderstood.push(saidAt(words, at - 1, 1));
    } else if (!isWeekday || weekdayOf(dateFrom(before, book.today)) !== day.weekday)
      notUnderstood.push(saidAt(words, at, many));
    return many;
  }

  /** How many words it could use. */
  function takeAt(at: number): number {
    const text = phrase(words, at, LONGEST);
    const [first = ''] = text;

    const student = found.students ? null : readWholeName(words, at, book.students);
    if (student) return keep('students', student.found, at, student.words);
    const subject = found.subjects ? null : readWholeName(words, at, book.subjects);
    if (subject) return keep('subjects', subject.found, at, subject.words);

    if (first === 'until' || first === 'till') {
      const until = readUntilDay(text.slice(1), book.today);
      if (until) return keep('until', until.day, at, 1 + until.words);
      const end = readTime(text.slice(1));
      if (end && found.times && !found.times.end) {
        found.times = { ...found.times, end: end.value };
        return 1 + end.words;
      }
    }
    const several = readSeveralWeekdays(first);
    if (several) {
      const [one, ...others] = several;
      otherDays.push(...others);
      const weekday = readWeekday(one);
      if (weekday && !found.day) found.day = { kind: 'weekday', weekday, nextWeek: false };
      return 1;
    }
    const repeat = readRepeat(text);
    if (repeat) return keep('pattern', repeat.value, at, repeat.words);
    const day = readDay(text, book.today);
    if (day) return takeDay(day.value, at, day.words);
    const fee = readFee(text);
    if (fee) return keep('fee', fee.value, at, fee.words);
    const minutes = readDuration(text);
    if (minutes) return keep('minutes', minutes.value, at, minutes.words);
    const times = readTimes(text);
    if (times) {
      found.timesSaid ??= saidAt(words, at, times.words);
      return keep('times', times.value, at, times.words);
    }
    if (FILLERS.has(first) || words[at]?.text === ',') return 1;
    return takeNameAt(at);
  }

  function takeNameAt(at: number): number {
    const student = found.students ? null : readPartOfName(words, at, book.students);
    const subject = found.subjects ? null : readPartOfName(words, at, book.subjects);
    if (student && (!subject || student.words >= subject.words))
      return keep('students', student.found, at, student.words);
    if (subject) return keep('subjects', subject.found, at, subject.words);
    notUnderstood.push(saidAt(words, at, 1));
    return 1;
  }

  for (let at = 0; at < words.length; ) at += takeAt(at);
  return settle(found, book, otherDays, notUnderstood);
}

const saidAt = (words: readonly Word[], at: number, many: number): string =>
  words
    .slice(at, at + many)
    .map(({ said }) => said)
    .join(' ');

/** 'until Fri 18 Dec': the weekday in front adds nothing. */
function readUntilDay(text: readonly string[], today: string): { day: Day; words: number } | null {
  const first = readDay(text, today);
  if (!first) return null;
  const second = first.value.kind === 'weekday' ? readDay(text.slice(first.words), today) : null;
  return second && second.value.kind !== 'weekday'
    ? { day: second.value, words: first.words + second.words }
    : { day: first.value, words: first.words };
}

/** From what was said to dates and times. */
function settle(
  found: Found,
  book: Book,
  otherDays: string[],
  notUnderstood: string[],
): SaidLesson {
  const { students = [], subjects = [], minutes, fee, until } = found;
  const times = found.times && clockTimes(found.times);
  const date = found.day && dateOf(found.day, book, times?.start);
  const endTime = times && (times.end ?? endAfter(times.start, minutes));
  // An end before its start, or a lesson beyond midnight.
  if (found.times?.end && !times?.end) notUnderstood.push(found.timesSaid ?? '');
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
    ...(until && { until: dateFrom(until, date ?? book.today) }),
    assumed: times?.assumed ?? null,
    otherDays,
    notUnderstood,
  };
}

/** A weekday whose hour is past today is the one of next week. */
function dateOf(day: Day, { today, now }: Book, start: string | undefined): string {
  const date = dateFrom(day, today);
  const isOver = day.kind === 'weekday' && date === today && start !== undefined && start < now;
  return isOver ? plusDays(date, 7) : date;
}

/** A lesson ends on its day. */
function endAfter(start: string, minutes: number | undefined): string | null {
  const end = durationMinutes('00:00', start) + (minutes ?? 0);
  return minutes && end < 24 * 60 ? clockOf(end) : null;
}
