import { durationMinutes } from '@lessonbook/contract/dates';
import type { RecurrencePattern } from '@lessonbook/contract/recurrence';
import type { CellReader } from './import-columns.ts';
import {
  type DateOrder,
  parseDate,
  parseDuration,
  parseFee,
  parseRepeats,
  parseTime,
  splitDateAndTime,
} from './import-values.ts';

/** The cells of a lesson's row, parsed. */
export interface LessonCells {
  student: string;
  subject: string;
  /** The date and start as written in the file, for the preview. */
  when: string;
  date: string | null;
  start: string | null;
  end: string | null;
  fee: string;
  parsedFee: number | null | undefined;
  /** Null for a lesson on one date. */
  pattern: RecurrencePattern | null;
  until: string | null;
  place: string;
  notes: string;
  problems: string[];
}

export function readLessonCells(readCell: CellReader, order: DateOrder): LessonCells {
  const { dateText, startText } = readDateAndStart(readCell);
  const [date, start] = [parseDate(dateText, order), parseTime(startText)];
  const end = readEnd(readCell, start);
  const until = readCell('until') === '' ? null : parseDate(readCell('until'), order);
  const repeats = parseRepeats(readCell('repeats'));
  const hasUntil = readCell('until') !== '';
  return {
    student: readCell('student'),
    subject: readCell('subject'),
    when: [dateText, startText].filter(Boolean).join(' '),
    date,
    start,
    end,
    fee: readCell('fee'),
    parsedFee: parseFee(readCell('fee')),
    // A last date without a pattern means a weekly lesson.
    pattern: repeats ?? (hasUntil ? 'weekly' : null),
    until,
    place: readCell('place'),
    notes: readCell('notes'),
    problems: [
      date === null && 'The date must look like 17/11/2026 or 17 Nov 2026',
      start === null &&
        (startText === '' && date ? NOT_ALL_DAY : 'The start must look like 16:00 or 4pm'),
      start !== null && end === null && "The end or duration is missing or isn't a valid time",
      hasUntil && until === null && 'The last date must look like 18/12/2026',
      repeats === undefined && 'Repeats must be weekly, fortnightly or monthly',
    ].filter((problem) => typeof problem === 'string'),
  };
}

const NOT_ALL_DAY = "The start time is missing. All-day events can't be lessons.";

/** One column may contain both the date and the start. */
function readDateAndStart(readCell: CellReader): { dateText: string; startText: string } {
  const fromDate = splitDateAndTime(readCell('date'));
  const fromStart = splitDateAndTime(readCell('start'));
  const hasDateInStart = fromStart.time !== '';
  return {
    dateText: fromDate.date || (hasDateInStart ? fromStart.date : ''),
    startText: hasDateInStart ? fromStart.time : readCell('start') || fromDate.time,
  };
}

/** The end time if given, otherwise the start plus the duration. Null if the lesson would end after midnight. */
function readEnd(readCell: CellReader, start: string | null): string | null {
  const { date, time } = splitDateAndTime(readCell('end'));
  if (readCell('end') !== '') return parseTime(time || date);
  const minutes = parseDuration(readCell('duration'));
  if (start === null || minutes === null) return null;
  const end = durationMinutes('00:00', start) + minutes;
  if (end >= 24 * 60) return null;
  return [Math.floor(end / 60), end % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
