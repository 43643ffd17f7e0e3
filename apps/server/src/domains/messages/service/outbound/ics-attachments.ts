import { firstName } from '@lessonbook/contract/person-name';
import type { Context } from '../../../../context.ts';
import type { Mail } from '../../../../integrations/mail.ts';
import { buildCalendar, escapeText, formatUtc } from '../../../../platform/files/icalendar.ts';
import type { MessageRecord } from '../../queries/messages.ts';
import { type MessageSession, sessionsByIds, sessionsOfMessage } from '../../queries/sessions.ts';

/** A lesson as an appointment in any calendar program. The tutor is the organiser; nobody is asked to answer. */
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

/** PUBLISH puts them into a calendar without asking for an answer, CANCEL takes them out again. */
export type IcsMethod = 'PUBLISH' | 'CANCEL';

export function renderIcs(
  appointments: readonly IcsEvent[],
  method: IcsMethod = 'PUBLISH',
): string {
  const events = appointments.flatMap((each) => [
    'BEGIN:VEVENT',
    `UID:${each.uid}`,
    `SEQUENCE:${each.sequence}`,
    `DTSTAMP:${formatUtc(each.stamp)}`,
    `DTSTART:${formatUtc(each.startsAt)}`,
    `DTEND:${formatUtc(each.endsAt)}`,
    `SUMMARY:${escapeText(each.summary)}`,
    ...(each.place ? [`LOCATION:${escapeText(each.place)}`] : []),
    `ORGANIZER;CN="${each.organiser.name.replaceAll(/["\r\n]/g, "'")}":mailto:${each.organiser.address}`,
    ...(method === 'CANCEL' ? ['STATUS:CANCELLED'] : []),
    'END:VEVENT',
  ]);
  return buildCalendar([`METHOD:${method}`, ...events]);
}

/** A mail about lessons brings them along for the reader's calendar, and takes out what no longer takes place. */
export async function calendarAttachments(
  context: Context,
  tutorId: string,
  message: MessageRecord,
  tutor: { name: string; email: string },
  known?: MessageSession[],
): Promise<NonNullable<Mail['attachments']>> {
  if (message.kind !== 'lesson_reminder' && message.kind !== 'lesson_change') return [];
  const [communicated] = known
    ? [known]
    : await context.db.tutorRead(tutorId, (tx) => [sessionsOfMessage(tx, tutorId, message.id)]);
  const movedTo = communicated.flatMap((session) => session.movedToId ?? []);
  const [replacements] =
    movedTo.length === 0
      ? [[]]
      : await context.db.tutorRead(tutorId, (tx) => [sessionsByIds(tx, tutorId, movedTo)]);
  const now = context.clock.now();
  const domain = new URL(context.config.origin).hostname;
  const appointment = (session: MessageSession): IcsEvent => ({
    uid: `${session.publicId}@${domain}`,
    // Rises with the time it was said, so that a later mail about the same lesson wins.
    sequence: Math.floor(now.getTime() / 60_000),
    startsAt: session.startsAt,
    endsAt: session.endsAt,
    summary: `${firstName(session.studentName)}: ${session.subjectName}`,
    place: session.place,
    stamp: now,
    organiser: { name: tutor.name, address: tutor.email },
  });
  const part = (filename: string, method: IcsMethod, sessions: readonly MessageSession[]) =>
    sessions.length === 0
      ? []
      : [
          {
            filename,
            contentType: `text/calendar; charset=utf-8; method=${method}`,
            content: renderIcs(sessions.map(appointment), method),
          },
        ];
  const isOn = (session: MessageSession) => session.status === 'scheduled';
  return [
    ...part('lessons.ics', 'PUBLISH', [...communicated, ...replacements].filter(isOn)),
    ...part(
      'cancelled.ics',
      'CANCEL',
      communicated.filter((session) => !isOn(session) && message.kind === 'lesson_change'),
    ),
  ];
}
