import { local } from '../../../platform/icalendar.ts';
import { type ClockChange, shownAtChange, type Wall } from '../rules/wall.ts';

/** "+0100" */
function offset(ahead: number): string {
  const minutes = Math.abs(ahead) / 60_000;
  const digits = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${ahead < 0 ? '-' : '+'}${digits(minutes / 60)}${digits(minutes % 60)}`;
}

/** The changes one by one, as they are: exact as far as the lessons reach, and no rule has to be guessed from them. */
export function zoneLines({ timeZone, first, changes }: Wall): string[] {
  const kindOf = ({ before, after }: ClockChange) => (after > before ? 'DAYLIGHT' : 'STANDARD');
  const [next] = changes;
  const opening = next && kindOf(next) === 'STANDARD' ? 'DAYLIGHT' : 'STANDARD';
  const observance = (kind: string, begins: string, before: number, after: number) => [
    `BEGIN:${kind}`,
    `DTSTART:${local(begins)}`,
    `TZOFFSETFROM:${offset(before)}`,
    `TZOFFSETTO:${offset(after)}`,
    `END:${kind}`,
  ];
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    ...observance(opening, '1970-01-01T00:00:00', first, first),
    ...changes.flatMap((change) =>
      observance(kindOf(change), shownAtChange(change), change.before, change.after),
    ),
    'END:VTIMEZONE',
  ];
}
