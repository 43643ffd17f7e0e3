import { formatLocal } from '../../../platform/files/icalendar.ts';
import {
  localTimeAtTransition,
  type OffsetTransition,
  type ZoneOffsets,
} from '../rules/timezone-transitions.ts';

/** "+0100" */
function formatOffset(ahead: number): string {
  const minutes = Math.abs(ahead) / 60_000;
  const digits = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${ahead < 0 ? '-' : '+'}${digits(minutes / 60)}${digits(minutes % 60)}`;
}

/** The changes one by one, as they are: exact as far as the lessons reach, and no rule has to be guessed from them. */
export function vtimezoneLines({ timeZone, initialOffset, transitions }: ZoneOffsets): string[] {
  const kindOf = ({ before, after }: OffsetTransition) =>
    after > before ? 'DAYLIGHT' : 'STANDARD';
  const [next] = transitions;
  const opening = next && kindOf(next) === 'STANDARD' ? 'DAYLIGHT' : 'STANDARD';
  const observance = (kind: string, begins: string, before: number, after: number) => [
    `BEGIN:${kind}`,
    `DTSTART:${formatLocal(begins)}`,
    `TZOFFSETFROM:${formatOffset(before)}`,
    `TZOFFSETTO:${formatOffset(after)}`,
    `END:${kind}`,
  ];
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    ...observance(opening, '1970-01-01T00:00:00', initialOffset, initialOffset),
    ...transitions.flatMap((change) =>
      observance(kindOf(change), localTimeAtTransition(change), change.before, change.after),
    ),
    'END:VTIMEZONE',
  ];
}
