import { dateFromDayNumber, dayNumber, weekday } from '@lessonbook/contract/dates';
import { firstName } from '@lessonbook/contract/first-name';
import { formatTime12 } from '@lessonbook/contract/format-time';
import { Temporal } from 'temporal-polyfill';

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

function formatDate(date: string, today: string, shorten: (name: string) => string): string {
  const month = shorten(MONTHS[Number(date.slice(5, 7)) - 1] ?? '');
  const day = `${shorten(DAYS[weekday(date) - 1] ?? '')} ${Number(date.slice(8))} ${month}`;
  return date.slice(0, 4) === today.slice(0, 4) ? day : `${day} ${date.slice(0, 4)}`;
}

/** 'Tuesday' */
export const formatWeekday = (date: string): string => DAYS[weekday(date) - 1] ?? '';

/** 'Tue 17 Nov', with the year added if it is not the current year. */
export const formatShortDate = (date: string, today: string): string =>
  formatDate(date, today, (name) => name.slice(0, 3));

/** 'Tuesday 17 November', with the year added if it is not the current year. */
export const formatLongDate = (date: string, today: string): string =>
  formatDate(date, today, (name) => name);

/** 'Today', 'Tomorrow' or the date. */
export function formatRelativeDate(date: string, today: string): string {
  if (date === today) return 'Today';
  if (date === dateFromDayNumber(dayNumber(today) + 1)) return 'Tomorrow';
  return formatShortDate(date, today);
}

/** The person who reads a message. A student's own name is omitted, and times are also given in the reader's time zone. */
export interface Reader {
  /** Null if the reader is not a student. */
  studentId: number | null;
  timeZone: string;
  tutorTimeZone: string;
}

export interface LocalSlot {
  date: string;
  startTime: string;
  endTime: string;
}

/** '4pm to 5pm', or '4pm to 5pm London time (8pm your time)' for a reader in another time zone. */
export const formatTimeSpan = (slot: LocalSlot, reader: Reader): string =>
  `${formatTime12(slot.startTime)} to ${formatTime12(slot.endTime)}${formatReaderTime(slot, reader)}`;

/** '4pm', or '4pm London time (8pm your time)'. */
export const formatStart = (slot: LocalSlot, reader: Reader): string =>
  `${formatTime12(slot.startTime)}${formatReaderTime(slot, reader)}`;

/** Empty if both time zones have the same offset at that time. */
function formatReaderTime({ date, startTime }: LocalSlot, reader: Reader): string {
  // Most readers are in the tutor's time zone, and converting a time takes most of the time of a long message.
  if (reader.timeZone === reader.tutorTimeZone) return '';
  const start = Temporal.PlainDateTime.from(`${date}T${startTime}`).toZonedDateTime(
    reader.tutorTimeZone,
    { disambiguation: 'compatible' },
  );
  const local = start.withTimeZone(reader.timeZone);
  if (local.offset === start.offset) return '';
  const localDate = local.toPlainDate().toString();
  const day = localDate === date ? '' : ` on ${formatShortDate(localDate, date)},`;
  const time = formatTime12(local.toPlainTime().toString({ smallestUnit: 'minute' }));
  return ` ${formatTimeZone(reader.tutorTimeZone)} (${time}${day} your time)`;
}

/** 'London time' */
const formatTimeZone = (timeZone: string): string => {
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;
  return city === 'UTC' ? city : `${city} time`;
};

/** Shown as the place of a lesson whose Google Meet link has not been created yet. */
export const MEET_LINK_IN_PORTAL = 'Online: the link is in the family portal';
export const MEET_LINK_TO_FOLLOW = 'Online: Google Meet, link to follow';

export interface LessonText extends LocalSlot {
  studentId: number;
  studentName: string;
  subjectName: string;
  place: string | null;
}

/** 'Maya: Maths, 4pm to 5pm, Library', or 'Maths, 4pm to …' for the student. */
export function formatLessonLine(lesson: LessonText, reader: Reader): string {
  const name = lesson.studentId === reader.studentId ? '' : `${firstName(lesson.studentName)}: `;
  const place = lesson.place ? `, ${lesson.place}` : '';
  return `${name}${lesson.subjectName}, ${formatTimeSpan(lesson, reader)}${place}`;
}

/** 'Maya 4pm, Leo 5pm', or 'Italian 4pm' for the student. */
export const formatLessonSummary = (lessons: readonly LessonText[], reader: Reader): string =>
  lessons
    .map((lesson) => {
      const isReader = lesson.studentId === reader.studentId;
      const name = isReader ? lesson.subjectName : firstName(lesson.studentName);
      return `${name} ${formatStart(lesson, reader)}`;
    })
    .join(', ');
