import { addDaysToDate, dayNumber } from '@lessonbook/contract/dates';
import { fromEpochMs } from '@lessonbook/contract/time';
import { sha256 } from '../../../platform/crypto/tokens.ts';
import {
  buildCalendar,
  escapeText,
  formatLocal,
  formatUtc,
} from '../../../platform/files/icalendar-format.ts';
import type { FeedSession, FeedTimeOff } from '../queries/ics-feed.ts';
import { lessonSummary } from '../rules/event-title-and-fingerprint.ts';
import {
  localTimeAt,
  type ZoneOffsets,
  zoneOffsetsBetween,
} from '../rules/timezone-transitions.ts';
import { vtimezoneLines } from './vtimezone.ts';

interface TutorFeed {
  origin: string;
  tutorId: string;
  timeZone: string;
  from: string;
  to: string;
  sessions: readonly FeedSession[];
  timeOffRanges: readonly FeedTimeOff[];
}

interface IcsLesson {
  /** Unique on this server, and the same after a move. */
  uid: string;
  /** Incremented with each change. */
  sequence: number;
  createdAt: Date;
  startsAt: Date;
  endsAt: Date;
  summary: string;
  place: string | null;
  isCancelled: boolean;
  url?: string;
}

interface LessonFeed {
  origin: string;
  name: string;
  timeZone: string;
  /** The dates for which the file describes the time zone. */
  from: string;
  to: string;
  lessons: readonly IcsLesson[];
  /** The lines of events that are not lessons. */
  otherLines?: readonly string[];
}

export function writeIcsFeed(feed: TutorFeed): string {
  const { origin, tutorId, timeZone, from, to, sessions, timeOffRanges } = feed;
  const { hostname } = new URL(origin);
  return writeLessonFeed({
    origin,
    name: 'Lessonbook',
    timeZone,
    from,
    to,
    lessons: sessions.map((session) => ({
      ...session,
      uid: session.publicId,
      summary: lessonSummary(session.studentNames, session.subjectName),
      isCancelled: session.status === 'cancelled',
      url: `${origin}/sessions/${session.id}`,
    })),
    otherLines: timeOffRanges.flatMap((timeOff) =>
      timeOffLines({ tutorId, hostname, timeZone }, timeOff),
    ),
  });
}

/** Deterministic: unchanged lessons produce identical text. */
export function writeLessonFeed(feed: LessonFeed): string {
  const { origin, name, timeZone, from, to, lessons, otherLines = [] } = feed;
  const offsets = zoneOffsetsBetween(timeZone, from, to);
  const { hostname } = new URL(origin);
  return buildCalendar([
    'CALSCALE:GREGORIAN',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `X-WR-TIMEZONE:${timeZone}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...vtimezoneLines(offsets),
    ...lessons.flatMap((lesson) => eventLines(hostname, offsets, lesson)),
    ...otherLines,
  ]);
}

/** Whole days become an all-day event; hours become an event that repeats on each day. */
function timeOffLines(
  { tutorId, hostname, timeZone }: { tutorId: string; hostname: string; timeZone: string },
  { id, fromDate, toDate, startTime, endTime, createdAt }: FeedTimeOff,
): string[] {
  const at = (time: string) => `TZID=${timeZone}:${formatLocal(`${fromDate}T${time}:00`)}`;
  const dayCount = dayNumber(toDate) - dayNumber(fromDate) + 1;
  const when =
    startTime === null || endTime === null
      ? [
          `DTSTART;VALUE=DATE:${formatLocal(fromDate)}`,
          `DTEND;VALUE=DATE:${formatLocal(addDaysToDate(toDate, 1))}`,
        ]
      : [
          `DTSTART;${at(startTime)}`,
          `DTEND;${at(endTime)}`,
          ...(dayCount > 1 ? [`RRULE:FREQ=DAILY;COUNT=${dayCount}`] : []),
        ];
  return [
    'BEGIN:VEVENT',
    // Ids are counted per tutor, and the tutor's own id is not shared.
    `UID:time-off-${sha256(`${tutorId} ${id}`).toString('hex').slice(0, 32)}@${hostname}`,
    `DTSTAMP:${formatUtc(createdAt)}`,
    ...when,
    'SUMMARY:Time off',
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
    'CLASS:PRIVATE',
    'END:VEVENT',
  ];
}

function eventLines(hostname: string, offsets: ZoneOffsets, lesson: IcsLesson): string[] {
  // Derived from createdAt and sequence, so it increases with each change and is otherwise stable.
  const stamp = formatUtc(fromEpochMs(lesson.createdAt.getTime() + lesson.sequence * 1000));
  return [
    'BEGIN:VEVENT',
    `UID:${lesson.uid}@${hostname}`,
    `SEQUENCE:${lesson.sequence}`,
    `DTSTAMP:${stamp}`,
    `LAST-MODIFIED:${stamp}`,
    ...timeLines(offsets, lesson),
    `SUMMARY:${escapeText(lesson.summary)}`,
    ...(lesson.place ? [`LOCATION:${escapeText(lesson.place)}`] : []),
    ...(lesson.url ? [`URL:${lesson.url}`] : []),
    `STATUS:${lesson.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${lesson.isCancelled ? 'TRANSPARENT' : 'OPAQUE'}`,
    'CLASS:PRIVATE',
    'END:VEVENT',
  ];
}

function timeLines(offsets: ZoneOffsets, { startsAt, endsAt }: IcsLesson): string[] {
  const [start, end] = [localTimeAt(offsets, startsAt), localTimeAt(offsets, endsAt)];
  if (start === null || end === null)
    return [`DTSTART:${formatUtc(startsAt)}`, `DTEND:${formatUtc(endsAt)}`];
  const zone = `TZID=${offsets.timeZone}`;
  return [`DTSTART;${zone}:${formatLocal(start)}`, `DTEND;${zone}:${formatLocal(end)}`];
}
