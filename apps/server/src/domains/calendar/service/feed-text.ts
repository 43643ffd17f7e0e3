import { firstName } from '@lessonbook/contract/names';
import { instantAt } from '@lessonbook/contract/time';
import { calendar, local, text, utc } from '../../../platform/icalendar.ts';
import type { FeedSession } from '../queries/feed.ts';
import { shownAt, type Wall, wallBetween } from '../rules/wall.ts';
import { zoneLines } from './feed-zone.ts';

interface Feed {
  origin: string;
  timeZone: string;
  from: string;
  to: string;
  sessions: readonly FeedSession[];
}

/** The whole feed. It depends on what it is given alone, so that an unchanged book gives the same text to the letter. */
export function feedText({ origin, timeZone, from, to, sessions }: Feed): string {
  const wall = wallBetween(timeZone, from, to);
  const { hostname } = new URL(origin);
  return calendar([
    'CALSCALE:GREGORIAN',
    'NAME:Lessonbook',
    'X-WR-CALNAME:Lessonbook',
    `X-WR-TIMEZONE:${timeZone}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...zoneLines(wall),
    ...sessions.flatMap((session) => eventLines({ origin, hostname }, wall, session)),
  ]);
}

function eventLines(
  { origin, hostname }: { origin: string; hostname: string },
  wall: Wall,
  session: FeedSession,
): string[] {
  const off = session.status === 'cancelled';
  // The book keeps when a session was made and how often it changed. This rises with each change and stands still between.
  const stamp = utc(instantAt(session.createdAt.getTime() + session.sequence * 1000));
  return [
    'BEGIN:VEVENT',
    `UID:${session.publicId}@${hostname}`,
    `SEQUENCE:${session.sequence}`,
    `DTSTAMP:${stamp}`,
    `LAST-MODIFIED:${stamp}`,
    ...timeLines(wall, session),
    `SUMMARY:${text(`${firstName(session.studentName)}: ${session.subjectName}`)}`,
    ...(session.place ? [`LOCATION:${text(session.place)}`] : []),
    `URL:${origin}/sessions/${session.id}`,
    `STATUS:${off ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${off ? 'TRANSPARENT' : 'OPAQUE'}`,
    'CLASS:PRIVATE',
    'END:VEVENT',
  ];
}

function timeLines(wall: Wall, { startsAt, endsAt }: FeedSession): string[] {
  const [start, end] = [shownAt(wall, startsAt), shownAt(wall, endsAt)];
  if (start === null || end === null) return [`DTSTART:${utc(startsAt)}`, `DTEND:${utc(endsAt)}`];
  const zone = `TZID=${wall.timeZone}`;
  return [`DTSTART;${zone}:${local(start)}`, `DTEND;${zone}:${local(end)}`];
}
