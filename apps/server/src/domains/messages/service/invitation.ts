import { calendar, text, utc } from '../../../platform/icalendar.ts';

/** A lesson as an appointment in any calendar program. The tutor is the organiser; nobody is asked to answer. */
export interface Appointment {
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
export type Method = 'PUBLISH' | 'CANCEL';

export function invitation(
  appointments: readonly Appointment[],
  method: Method = 'PUBLISH',
): string {
  const events = appointments.flatMap((each) => [
    'BEGIN:VEVENT',
    `UID:${each.uid}`,
    `SEQUENCE:${each.sequence}`,
    `DTSTAMP:${utc(each.stamp)}`,
    `DTSTART:${utc(each.startsAt)}`,
    `DTEND:${utc(each.endsAt)}`,
    `SUMMARY:${text(each.summary)}`,
    ...(each.place ? [`LOCATION:${text(each.place)}`] : []),
    `ORGANIZER;CN="${each.organiser.name.replaceAll(/["\r\n]/g, "'")}":mailto:${each.organiser.address}`,
    ...(method === 'CANCEL' ? ['STATUS:CANCELLED'] : []),
    'END:VEVENT',
  ]);
  return calendar([`METHOD:${method}`, ...events]);
}
