import type { Match } from '@lessonbook/contract/parse-date';
import {
  type DateExpression,
  isPluralWeekday,
  parseDate,
  parseEndOfMonth,
  parseNumber,
  parseWeekdayList,
} from '@lessonbook/contract/parse-date-phrase';
import {
  type IndexedName,
  indexNames,
  matchFullName,
  matchPartialName,
  phraseAt,
  type Token,
  tokenize,
} from './match-names.ts';
import { parsePlace } from './parse-place.ts';
import { parseDuration, parseFee, parseRecurrence } from './parse-recurrence-duration-and-fee.ts';
import { parseTime, parseTimeRange } from './parse-time.ts';
import {
  type LessonParts,
  type ParsedLesson,
  type QuickAddStudent,
  type QuickAddSubject,
  resolveLesson,
} from './resolve-lesson.ts';

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

/** Words that are ignored. */
const FILLER_WORDS = new Set(
  'a an the and at on for from with w/ in of to , - & + new add book put schedule lesson lessons session class starting please'.split(
    ' ',
  ),
);
// A Map, because a plain object would also match the typed word 'constructor'.
const DAY_TIMES = new Map<string, 'am' | 'pm'>([
  ['morning', 'am'],
  ['afternoon', 'pm'],
  ['evening', 'pm'],
]);
const CONNECTIVES = new Set(['and', '&', '+', 'plus']);

const MAX_PHRASE_WORDS = 7;

export function parseLesson(sentence: string, context: QuickAddContext): ParsedLesson {
  const tokens = tokenize(sentence);
  const parts: LessonParts = { otherStudents: [], otherDays: [], notes: [], unrecognized: [] };
  let endOfStudent = -1;
  let endOfUnknown = -1;

  /** Stores a part. A second value for the same part counts as unrecognised. */
  function assign<Name extends keyof LessonParts>(
    name: Name,
    value: LessonParts[Name],
    at: number,
    tokenCount: number,
  ) {
    if (parts[name] === undefined) parts[name] = value;
    else parts.unrecognized.push(textAt(tokens, at, tokenCount));
    return tokenCount;
  }

  /** Parses at a position and returns the number of tokens used. */
  function consumeAt(at: number): number {
    const phrase = phraseAt(tokens, at, MAX_PHRASE_WORDS);
    const [first = ''] = phrase;
    return (
      consumeStudent(at, matchFullName) ||
      consumeSubject(at, matchFullName) ||
      consumeOtherStudent(at, first) ||
      consumeEnd(phrase, at) ||
      consumeDay(phrase, at) ||
      consumeDetail(phrase, at) ||
      (FILLER_WORDS.has(first) || tokens[at]?.text === ',' ? 1 : consumeName(at))
    );
  }

  type MatchName = typeof matchFullName;

  function consumeStudent(at: number, match: MatchName): number {
    const student = parts.students ? null : match(tokens, at, context.students);
    if (!student) return 0;
    endOfStudent = at + student.tokenCount;
    return assign('students', student.found, at, student.tokenCount);
  }

  /** 'Oliver and Thomas' or 'Oliver, Thomas maths': the lesson is a group. */
  function consumeOtherStudent(at: number, first: string): number {
    const isComma = tokens[at]?.text === ',';
    if (at !== endOfStudent || !(isComma || CONNECTIVES.has(first))) return 0;
    const other =
      matchFullName(tokens, at + 1, context.students) ??
      matchPartialName(tokens, at + 1, context.students);
    if (!other || !parts.students || (isComma && isOtherPart(at + 1, other.tokenCount))) return 0;
    const [chosen, ...alternatives] = other.found;
    if (chosen) parts.otherStudents.push(chosen);
    if (chosen && alternatives.length > 0) {
      const names = alternatives.map(({ name }) => name).join(' or ');
      parts.notes.push(`We've used ${chosen.name}, not ${names}.`);
    }
    endOfStudent = at + 1 + other.tokenCount;
    return 1 + other.tokenCount;
  }

  /** After a comma, a subject or a day follows more often than another student. */
  function isOtherPart(at: number, tokenCount: number): boolean {
    const subject =
      matchFullName(tokens, at, context.subjects) ?? matchPartialName(tokens, at, context.subjects);
    const phrase = phraseAt(tokens, at, MAX_PHRASE_WORDS);
    const isDay = parseDate(phrase, context.today) ?? parseRecurrence(phrase);
    return (subject?.tokenCount ?? 0) >= tokenCount || isDay !== null;
  }

  function consumeSubject(at: number, match: MatchName): number {
    const subject = parts.subjects ? null : match(tokens, at, context.subjects);
    if (!subject) return 0;
    parts.similarSubjects = matchPartialName(tokens, at, context.subjects)?.found ?? [];
    return assign('subjects', subject.found, at, subject.tokenCount);
  }

  function consumeEnd(phrase: readonly string[], at: number): number {
    const [first = '', second, third = ''] = phrase;
    const count = first === 'for' ? parseNumber(second) : null;
    if (count !== null && /^(weeks|lessons|sessions)$/.test(third))
      return assign('lessonCount', count, at, 3);
    if (!['until', 'till', 'til', "'til"].includes(first)) return 0;
    const rest = phrase.slice(1);
    const date = parseEndDate(rest, context.today);
    if (date) return assign('until', date.value, at, 1 + date.tokenCount);
    const month = parseEndOfMonth(rest, context.today);
    if (month) return assign('untilMonth', month.value, at, 1 + month.tokenCount);
    const end = parseTime(rest);
    if (!end || !parts.times || parts.times.end) return 0;
    parts.times = { ...parts.times, end: end.value };
    return 1 + end.tokenCount;
  }

  function consumeDay(phrase: readonly string[], at: number): number {
    const [first = ''] = phrase;
    const [weekday, ...others] = parseWeekdayList(first) ?? [];
    if (weekday !== undefined) {
      parts.otherDays.push(...others);
      return addDay({ kind: 'weekday', weekday, nextWeek: false }, at, 1);
    }
    const pattern = parseRecurrence(phrase);
    if (pattern) return assign('pattern', pattern.value, at, pattern.tokenCount);
    // 'from 19 Nov' is a date, although 'from 19' is a time.
    const skipped = ['from', 'starting', 'on'].includes(first) ? 1 : 0;
    const day = parseDate(phrase.slice(skipped), context.today);
    if (!day) return 0;
    if (isPluralWeekday(phrase[skipped] ?? '')) parts.pattern ??= 'weekly';
    return addDay(day.value, at, skipped + day.tokenCount);
  }

  function addDay(day: DateExpression, at: number, tokenCount: number): number {
    const previous = parts.day;
    const isWeekday = day.kind === 'weekday';
    if (previous === undefined) parts.day = day;
    else if (isWeekday && previous.kind === 'weekday') parts.otherDays.push(day.weekday);
    else if (isWeekday) parts.besideDate ??= day.weekday;
    // 'Tue 17 Nov': the date takes precedence, and the weekday must agree with it.
    else if (previous.kind === 'weekday') {
      parts.day = day;
      parts.besideDate = previous.weekday;
    } else parts.unrecognized.push(textAt(tokens, at, tokenCount));
    return tokenCount;
  }

  function consumeDetail(phrase: readonly string[], at: number): number {
    const place = parts.place === undefined ? parsePlace(phrase) : null;
    if (place) return assign('place', place.value, at, place.tokenCount);
    const meridiem = DAY_TIMES.get(phrase[0] ?? '');
    if (meridiem) return assign('meridiem', meridiem, at, 1);
    const fee = parseFee(phrase);
    if (fee) return assign('fee', fee.value, at, fee.tokenCount);
    const minutes = parseDuration(phrase);
    if (minutes) return assign('minutes', minutes.value, at, minutes.tokenCount);
    const times = parseTimeRange(phrase);
    if (!times) return 0;
    parts.timesText ??= textAt(tokens, at, times.tokenCount);
    return assign('times', times.value, at, times.tokenCount);
  }

  function consumeName(at: number): number {
    const student = parts.students ? null : matchPartialName(tokens, at, context.students);
    const subject = parts.subjects ? null : matchPartialName(tokens, at, context.subjects);
    // In 'Olivia Hale', Hale is not another student of that name.
    const isSurname = at === endOfUnknown && student?.found.every((each) => !startsName(at, each));
    if (student && !isSurname && (!subject || student.tokenCount >= subject.tokenCount))
      return consumeStudent(at, matchPartialName);
    if (subject && !isSurname) return consumeSubject(at, matchPartialName);
    const word = textAt(tokens, at, 1);
    if (at === endOfUnknown) parts.unrecognized.push(`${parts.unrecognized.pop()} ${word}`);
    else parts.unrecognized.push(word);
    endOfUnknown = at + 1;
    return 1;
  }

  const startsName = (at: number, { name }: QuickAddStudent): boolean =>
    tokenize(name)[0]?.text.startsWith(tokens[at]?.text ?? '') ?? false;

  for (let at = 0; at < tokens.length; ) at += consumeAt(at);
  return resolveLesson(parts, context);
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
