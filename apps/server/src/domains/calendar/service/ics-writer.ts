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
import { lessonSummary } from '../rules/event-text.ts';
import {
  localTimeAt,
  type ZoneOffsets,
  zoneOffsetsBetween,
} from '../rules/timezone-transitions.ts';
import { vtimezoneLines } from './vtimezone.ts';

interface IcsFeed {
  origin: string;
  tutorId: string;
  timeZone: string;
  from: string;
  to: string;
  sessions: readonly FeedSession[];
  timeOffs: readonly FeedTimeOff[];
}

/** Deterministic: unchanged sessions and time off produce identical text. */
export function writeIcsFeed(feed: IcsFeed): string {
  const { origin, tutorId, timeZone, from, to, sessions, timeOffs } = feed;
  const offsets = zoneOffsetsBetween(timeZone, from, to);
  const { hostname } = new URL(origin);
  return buildCalendar([
    'CALSCALE:GREGORIAN',
    'NAME:Lessonbook',
    'X-WR-CALNAME:Lessonbook',
    `X-WR-TIMEZONE:${timeZone}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...vtimezoneLines(offsets),
    ...sessions.flatMap((session) => eventLines({ origin, hostname }, offsets, session)),
    ...timeOffs.flatMap((timeOff) => timeOffLines({ tutorId, hostname, timeZone }, timeOff)),
  ]);
}

/** Whole days are all-day events. Hours repeat on each day. */
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

function eventLines(
  { origin, hostname }: { origin: string; hostname: string },
  offsets: ZoneOffsets,
  session: FeedSession,
): string[] {
  const isCancelled = session.status === 'cancelled';
  // Derived from created_at and sequence, so it increases with each change and is otherwise stable.
  const stamp = formatUtc(fromEpochMs(session.createdAt.getTime() + session.sequence * 1000));
  return [
    'BEGIN:VEVENT',
    `UID:${session.publicId}@${hostname}`,
    `SEQUENCE:${session.sequence}`,
    `DTSTAMP:${stamp}`,
    `LAST-MODIFIED:${stamp}`,
    ...timeLines(offsets, session),
    `SUMMARY:${escapeText(lessonSummary(session.studentNames, session.subjectName))}`,
    ...(session.place ? [`LOCATION:${escapeText(session.place)}`] : []),
    `URL:${origin}/sessions/${session.id}`,
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${isCancelled ? 'TRANSPARENT' : 'OPAQUE'}`,
    'CLASS:PRIVATE',
    'END:VEVENT',
  ];
}

function timeLines(offsets: ZoneOffsets, { startsAt, endsAt }: FeedSession): string[] {
  const [start, end] = [localTimeAt(offsets, startsAt), localTimeAt(offsets, endsAt)];
  if (start === null || end === null)
    return [`DTSTART:${formatUtc(startsAt)}`, `DTEND:${formatUtc(endsAt)}`];
  const zone = `TZID=${offsets.timeZone}`;
  return [`DTSTART;${zone}:${formatLocal(start)}`, `DTEND;${zone}:${formatLocal(end)}`];
}
