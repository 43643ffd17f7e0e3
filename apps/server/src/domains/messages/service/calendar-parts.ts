import { firstName } from '@lessonbook/contract/names';
import type { Context } from '../../../context.ts';
import type { Mail } from '../../../integrations/mail.ts';
import type { MessageRecord } from '../queries/messages.ts';
import { type SessionInWords, sessionsByIds, sessionsOfMessage } from '../queries/sessions.ts';
import { type Appointment, invitation, type Method } from './invitation.ts';

/** A mail about lessons brings them along for the reader's calendar, and takes out what no longer takes place. */
export async function calendarParts(
  context: Context,
  tutorId: string,
  message: MessageRecord,
  tutor: { name: string; email: string },
  known?: SessionInWords[],
): Promise<NonNullable<Mail['attachments']>> {
  if (message.kind !== 'lesson_reminder' && message.kind !== 'lesson_change') return [];
  const [told] = known
    ? [known]
    : await context.db.readTutor(tutorId, (tx) => [sessionsOfMessage(tx, tutorId, message.id)]);
  const movedTo = told.flatMap((session) => session.movedToId ?? []);
  const [places] =
    movedTo.length === 0
      ? [[]]
      : await context.db.readTutor(tutorId, (tx) => [sessionsByIds(tx, tutorId, movedTo)]);
  const now = context.clock.now();
  const domain = new URL(context.config.origin).hostname;
  const appointment = (session: SessionInWords): Appointment => ({
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
  const part = (filename: string, method: Method, sessions: readonly SessionInWords[]) =>
    sessions.length === 0
      ? []
      : [
          {
            filename,
            contentType: `text/calendar; charset=utf-8; method=${method}`,
            content: invitation(sessions.map(appointment), method),
          },
        ];
  const isOn = (session: SessionInWords) => session.status === 'scheduled';
  return [
    ...part('lessons.ics', 'PUBLISH', [...told, ...places].filter(isOn)),
    ...part(
      'cancelled.ics',
      'CANCEL',
      told.filter((session) => !isOn(session) && message.kind === 'lesson_change'),
    ),
  ];
}
