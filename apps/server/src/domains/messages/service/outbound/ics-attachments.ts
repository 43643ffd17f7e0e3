import { firstName } from '@lessonbook/contract/first-name';
import type { Context } from '../../../../context.ts';
import type { Mail } from '../../../../integrations/mail.ts';
import {
  buildCalendar,
  escapeText,
  formatUtc,
} from '../../../../platform/files/icalendar-format.ts';
import type { MessageRecord } from '../../queries/messages.ts';
import { type MessageSession, sessionsByIds, sessionsForMessage } from '../../queries/sessions.ts';

/** The tutor is the organiser; there are no attendees. */
export interface IcsEvent {
  uid: string;
  sequence: number;
  startsAt: Date;
  endsAt: Date;
  summary: string;
  place: string | null;
  stamp: Date;
  organiser: { name: string; address: string };
}

/** PUBLISH adds events to a calendar without asking for a reply; CANCEL removes them. */
export type IcsMethod = 'PUBLISH' | 'CANCEL';

export function renderIcs(events: readonly IcsEvent[], method: IcsMethod = 'PUBLISH'): string {
  const lines = events.flatMap((event) => [
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${formatUtc(event.stamp)}`,
    `DTSTART:${formatUtc(event.startsAt)}`,
    `DTEND:${formatUtc(event.endsAt)}`,
    `SUMMARY:${escapeText(event.summary)}`,
    ...(event.place ? [`LOCATION:${escapeText(event.place)}`] : []),
    `ORGANIZER;CN="${event.organiser.name.replaceAll(/["\r\n]/g, "'")}":mailto:${event.organiser.address}`,
    ...(method === 'CANCEL' ? ['STATUS:CANCELLED'] : []),
    'END:VEVENT',
  ]);
  return buildCalendar([`METHOD:${method}`, ...lines]);
}

/** Calendar attachments for an email about lessons: events for the lessons that take place, cancellations for the rest. */
export async function buildCalendarAttachments(
  context: Context,
  tutorId: string,
  message: MessageRecord,
  tutor: { name: string; email: string },
  loadedSessions?: MessageSession[],
): Promise<NonNullable<Mail['attachments']>> {
  if (message.kind !== 'lesson_reminder' && message.kind !== 'lesson_change') return [];
  const [communicated] = loadedSessions
    ? [loadedSessions]
    : await context.db.tutorRead(tutorId, (tx) => [sessionsForMessage(tx, tutorId, message.id)]);
  const movedTo = communicated.flatMap((session) => session.movedToId ?? []);
  const [replacements] =
    movedTo.length === 0
      ? [[]]
      : await context.db.tutorRead(tutorId, (tx) => [sessionsByIds(tx, tutorId, movedTo)]);
  const now = context.clock.now();
  const domain = new URL(context.config.origin).hostname;
  const toEvent = (session: MessageSession): IcsEvent => ({
    uid: `${session.publicId}@${domain}`,
    // Increases with time, so that the latest email about a lesson wins.
    sequence: Math.floor(now.getTime() / 60_000),
    startsAt: session.startsAt,
    endsAt: session.endsAt,
    summary: `${firstName(session.studentName)}: ${session.subjectName}`,
    place: session.place,
    stamp: now,
    organiser: { name: tutor.name, address: tutor.email },
  });
  const toAttachments = (
    filename: string,
    method: IcsMethod,
    sessions: readonly MessageSession[],
  ) =>
    sessions.length === 0
      ? []
      : [
          {
            filename,
            contentType: `text/calendar; charset=utf-8; method=${method}`,
            content: renderIcs(sessions.map(toEvent), method),
          },
        ];
  const isScheduled = (session: MessageSession) => session.status === 'scheduled';
  return [
    ...toAttachments(
      'lessons.ics',
      'PUBLISH',
      [...communicated, ...replacements].filter(isScheduled),
    ),
    ...toAttachments(
      'cancelled.ics',
      'CANCEL',
      communicated.filter((session) => !isScheduled(session) && message.kind === 'lesson_change'),
    ),
  ];
}
