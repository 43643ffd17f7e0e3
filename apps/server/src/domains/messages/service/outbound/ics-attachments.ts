import { firstName } from '@lessonbook/contract/first-name';
import type { Context } from '../../../../context.ts';
import type { Mail } from '../../../../integrations/mail.ts';
import {
  buildCalendar,
  escapeText,
  formatUtc,
} from '../../../../platform/files/icalendar-format.ts';
import {
  type CommunicatedSessionRecord,
  communicatedSessions,
  type MessageRecord,
} from '../../queries/messages.ts';
import { type MessageSession, sessionsForMessage } from '../../queries/sessions.ts';

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

/** What a message says about its sessions, and the rows of those that still exist. */
export interface MessageLessons {
  communicated: readonly CommunicatedSessionRecord[];
  sessions: readonly MessageSession[];
}

/** Calendar attachments for an email about lessons: events for the lessons that take place, cancellations for the rest. */
export async function buildCalendarAttachments(
  context: Context,
  tutorId: string,
  message: MessageRecord,
  tutor: { name: string; email: string },
  loadedLessons?: MessageLessons,
): Promise<NonNullable<Mail['attachments']>> {
  if (message.kind !== 'lesson_reminder' && message.kind !== 'lesson_change') return [];
  const { communicated, sessions } =
    loadedLessons ?? (await loadLessons(context, tutorId, message.id));
  const sessionsBySeat = new Map(
    sessions.map((session) => [`${session.id} ${session.studentId}`, session]),
  );
  const domain = new URL(context.config.origin).hostname;
  const now = context.clock.now();
  const toEvents = (entry: CommunicatedSessionRecord): IcsEvent[] => {
    const { rootPublicId, sessionStartsAt, sessionEndsAt } = entry;
    // Rows stored by an earlier release do not have these values.
    if (rootPublicId === null || sessionStartsAt === null || sessionEndsAt === null) return [];
    const session = sessionsBySeat.get(`${entry.sessionId} ${entry.studentId}`);
    return [
      {
        // Stays the same through all moves, so that calendars update the event. Siblings in one session have separate events.
        uid: `${rootPublicId}-${entry.studentId}@${domain}`,
        // Message ids increase, so the latest message about a lesson applies, whatever the order of arrival.
        sequence: message.id,
        startsAt: sessionStartsAt,
        endsAt: sessionEndsAt,
        summary: session ? formatEventTitle(entry, session) : entry.studentName,
        // A calendar must not keep the meeting link of a cancelled lesson.
        place: entry.communicatedStartsAt === null ? null : (session?.place ?? null),
        stamp: now,
        organiser: { name: tutor.name, address: tutor.email },
      },
    ];
  };
  const toAttachments = (
    filename: string,
    method: IcsMethod,
    entries: readonly CommunicatedSessionRecord[],
  ) => {
    const events = entries.flatMap(toEvents);
    if (events.length === 0) return [];
    const contentType = `text/calendar; charset=utf-8; method=${method}`;
    return [{ filename, contentType, content: renderIcs(events, method) }];
  };
  const takesPlace = (entry: CommunicatedSessionRecord) => entry.communicatedStartsAt !== null;
  return [
    ...toAttachments('lessons.ics', 'PUBLISH', communicated.filter(takesPlace)),
    ...toAttachments(
      'cancelled.ics',
      'CANCEL',
      communicated.filter((entry) => !takesPlace(entry)),
    ),
  ];
}

/** 'Maya: Maths', or 'Maths' in the student's own calendar. */
const formatEventTitle = (
  { recipient }: CommunicatedSessionRecord,
  { studentId, studentName, subjectName }: MessageSession,
): string =>
  recipient === `s${studentId}` ? subjectName : `${firstName(studentName)}: ${subjectName}`;

async function loadLessons(
  context: Context,
  tutorId: string,
  messageId: number,
): Promise<MessageLessons> {
  const [communicated, sessions] = await context.db.tutorRead(tutorId, (tx) => [
    communicatedSessions(tx, tutorId, messageId),
    sessionsForMessage(tx, tutorId, messageId),
  ]);
  return { communicated, sessions };
}
