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

const utc = (instant: Date): string => instant.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

const text = (value: string): string =>
  value.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\n`);

/** Lines are at most 75 bytes; the rest goes on after a space, never in the middle of a letter. */
function fold(line: string): string {
  let folded = '';
  let bytes = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (bytes + size > 74) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += letter;
    bytes += size;
  }
  return folded;
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
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Lessonbook//EN', `METHOD:${method}`];
  return `${[...lines, ...events, 'END:VCALENDAR'].map(fold).join('\r\n')}\r\n`;
}
