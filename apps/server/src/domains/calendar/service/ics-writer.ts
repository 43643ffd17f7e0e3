import { fromEpochMs } from '@lessonbook/contract/time';
import {
  buildCalendar,
  escapeText,
  formatLocal,
  formatUtc,
} from '../../../platform/files/icalendar-format.ts';
import type { FeedSession } from '../queries/ics-feed.ts';
import { lessonSummary } from '../rules/event-text.ts';
import {
  localTimeAt,
  type ZoneOffsets,
  zoneOffsetsBetween,
} from '../rules/timezone-transitions.ts';
import { vtimezoneLines } from './vtimezone.ts';

interface IcsFeed {
  origin: string;
  timeZone: string;
  from: string;
  to: string;
  sessions: readonly FeedSession[];
}

/** Deterministic: unchanged sessions produce identical text. */
export function writeIcsFeed({ origin, timeZone, from, to, sessions }: IcsFeed): string {
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
  ]);
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
